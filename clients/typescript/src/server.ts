import type { ChildProcess } from "node:child_process";
import type { Socket } from "node:net";
import type { Address } from "./client.js";
import { MnemeError } from "./errors.js";

/** Milliseconds that a server may take until it answers. */
const startLimit = 30_000;

/** Where a memory's server is, and how it ends. */
export type Server = { address(): Promise<Address>; stop(): void };

/**
 * `mneme serve` as a child. It ends with this process, however that ends, and is started again when it is gone.
 * Several processes may have servers with the same data.
 */
export class LocalServer implements Server {
  #child: ChildProcess | undefined;
  #address: Promise<Address> | undefined;
  #stopped = false;

  constructor(
    private readonly data: string,
    private readonly binary: string | undefined,
  ) {}

  /** The process of the server; undefined while none runs. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  address(): Promise<Address> {
    if (this.#stopped) return Promise.reject(new MnemeError("the memory is closed", "CLOSED"));
    this.#address ??= this.#start().catch((error: unknown) => {
      this.#address = undefined;
      throw error;
    });
    return this.#address;
  }

  stop(): void {
    this.#stopped = true;
    this.#child?.kill();
  }

  async #start(): Promise<Address> {
    const { spawn, fs, folder } = inNode();
    const ready = `${folder}/ready`;
    const binary = this.binary || process.env["MNEME_BINARY"] || "mneme";
    try {
      const options = ["--listen", "127.0.0.1:0", "--data", this.data, "--exit-with-parent", "--ready-key", "--ready-file"];
      const child = spawn(binary, ["serve", ...options, ready], { stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
      child.unref(); // it does not keep this process from its end, and neither does what it says
      (child.stderr as Socket).unref();
      let said = "";
      child.stderr.on("data", (more: Buffer) => (said = (said + more.toString()).slice(-2000)));
      let ended: Error | true | undefined;
      child.on("error", (error) => (ended = error));
      child.on("exit", () => {
        ended ??= true;
        if (this.#child === child) this.#child = this.#address = undefined;
      });
      this.#child = child;
      for (const until = Date.now() + startLimit; !fs.existsSync(ready); await pause(10)) {
        if (ended instanceof Error) throw notRun(binary, ended);
        if (!ended && Date.now() < until) continue;
        child.kill("SIGKILL");
        throw new MnemeError(`${binary} serve does not start: ${said.trim()}`, "UNAVAILABLE");
      }
      const { address, key } = JSON.parse(fs.readFileSync(ready, "utf8")) as { address: string; key: string };
      return { url: address, key };
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** Node's own modules, which bundlers for browsers do not see so. */
function inNode() {
  const builtin = globalThis.process?.getBuiltinModule;
  if (!builtin) throw new MnemeError("Memory.local needs Node 20.16 or later", "UNSUPPORTED");
  const fs = builtin("node:fs");
  const folder = fs.mkdtempSync(`${builtin("node:os").tmpdir()}/mneme-`);
  return { fs, folder, spawn: builtin("node:child_process").spawn };
}

function notRun(binary: string, cause: Error): MnemeError {
  return new MnemeError(`${binary} cannot be run (${cause.message}); install mneme, or set MNEME_BINARY to its file`, "NOT_FOUND", { cause });
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
