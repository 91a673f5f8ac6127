import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { Client, EpisodeDocument, type EpisodeQuery, type Memory } from "mneme-client";

export type Kept = NonNullable<EpisodeQuery["episode"]>;

/** The program under test: MNEME_BINARY, as `make` builds it. */
export const binary = process.env["MNEME_BINARY"] ?? "mneme";

/** A folder that goes with the test. */
export function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), "mneme-test-"));
  t.after(() => rmSync(path, { recursive: true, force: true, maxRetries: 5 }));
  return path;
}

/** A server that runs until the test ends, or is killed. */
export async function serve(t: TestContext, data = folder(t), listen = "127.0.0.1:0", ...more: string[]) {
  const ready = join(folder(t), "ready");
  const child = spawn(binary, ["serve", "--listen", listen, "--data", data, "--exit-with-parent", "--ready-file", ready, ...more], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const gone = new Promise<void>((resolve) => child.on("exit", () => resolve()));
  const kill = () => (child.kill("SIGKILL"), gone);
  t.after(kill);
  while (!existsSync(ready)) {
    if (child.exitCode !== null) throw new Error(`${binary} serve ended with ${child.exitCode}`);
    await pause(20);
  }
  const { address: url } = JSON.parse(readFileSync(ready, "utf8")) as { address: string };
  return { url, data, kill, listen: new URL(url).host, client: new Client({ url }) };
}

/** An episode as a server keeps it, once all that waits is recorded. */
export async function kept(memory: Memory, id: string): Promise<Kept> {
  if (!(await memory.flush())) throw new Error("not recorded");
  const { episode } = await memory.client.request(EpisodeDocument, { id });
  if (!episode) throw new Error(`no episode ${id}`);
  return episode;
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
