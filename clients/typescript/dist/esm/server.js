import { MnemeError } from "./errors.js";
/** Milliseconds that a server may take until it answers. */
const startLimit = 30_000;
/**
 * `mneme serve` as a child. It ends with this process, however that ends, and is started again when it is gone.
 * Several processes may have servers with the same data.
 */
export class LocalServer {
    data;
    binary;
    #child;
    #address;
    #stopped = false;
    constructor(data, binary) {
        this.data = data;
        this.binary = binary;
    }
    /** The process of the server; undefined while none runs. */
    get pid() {
        return this.#child?.pid;
    }
    address() {
        if (this.#stopped)
            return Promise.reject(new MnemeError("the memory is closed", "CLOSED"));
        this.#address ??= this.#start().catch((error) => {
            this.#address = undefined;
            throw error;
        });
        return this.#address;
    }
    stop() {
        this.#stopped = true;
        this.#child?.kill();
    }
    async #start() {
        const { spawn, fs, folder } = inNode();
        const ready = `${folder}/ready`;
        const binary = this.binary || process.env["MNEME_BINARY"] || "mneme";
        try {
            const options = ["--listen", "127.0.0.1:0", "--data", this.data, "--exit-with-parent", "--ready-key", "--ready-file"];
            const child = spawn(binary, ["serve", ...options, ready], { stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
            child.unref(); // it does not keep this process from its end, and neither does what it says
            child.stderr.unref();
            let said = "";
            child.stderr.on("data", (more) => (said = (said + more.toString()).slice(-2000)));
            let ended;
            child.on("error", (error) => (ended = error));
            child.on("exit", () => {
                ended ??= true;
                if (this.#child === child)
                    this.#child = this.#address = undefined;
            });
            this.#child = child;
            for (const until = Date.now() + startLimit; !fs.existsSync(ready); await pause(10)) {
                if (ended instanceof Error)
                    throw notRun(binary, ended);
                if (!ended && Date.now() < until)
                    continue;
                child.kill("SIGKILL");
                throw new MnemeError(`${binary} serve does not start: ${said.trim()}`, "UNAVAILABLE");
            }
            const { address, key } = JSON.parse(fs.readFileSync(ready, "utf8"));
            return { url: address, key };
        }
        finally {
            fs.rmSync(folder, { recursive: true, force: true });
        }
    }
}
/** Node's own modules, which bundlers for browsers do not see so. */
function inNode() {
    const builtin = globalThis.process?.getBuiltinModule;
    if (!builtin)
        throw new MnemeError("Memory.local needs Node 20.16 or later", "UNSUPPORTED");
    const fs = builtin("node:fs");
    const folder = fs.mkdtempSync(`${builtin("node:os").tmpdir()}/mneme-`);
    return { fs, folder, spawn: builtin("node:child_process").spawn };
}
function notRun(binary, cause) {
    return new MnemeError(`${binary} cannot be run (${cause.message}); install mneme, or set MNEME_BINARY to its file`, "NOT_FOUND", { cause });
}
export function pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
