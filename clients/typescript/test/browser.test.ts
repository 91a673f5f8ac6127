import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { Memory } from "mneme-client";
import { folder, serve } from "./server.js";

const page = (url: string) => `<script type="module">
  import { EpisodeRecordedDocument, Memory } from "/index.js";
  const said = {};
  try {
    const memory = new Memory(${JSON.stringify(url)}, { strict: true });
    said.lessons = (await memory.recall("A customer wants a refund for a kettle")).text;
    const heard = memory.client.subscribe(EpisodeRecordedDocument, {}).next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await memory.episode("Something else", { agent: "browser" }, () => undefined);
    said.agent = (await heard).value.episodeRecorded.episode.agent.id;
    await Memory.local({ strict: true }).recall("x");
  } catch (error) {
    said.error = error.message;
  }
  await fetch("/said", { method: "POST", body: JSON.stringify(said) });
</script>`;

test("a page uses the same files as they are", { skip: !chromium() && "no Chromium here" }, async (t) => {
  let address = "";
  let heard: (said: string) => void;
  const said = new Promise<string>((resolve) => (heard = resolve));
  const files = createServer((request, answer) => {
    const { url = "" } = request;
    if (url === "/said") void text(request).then(heard);
    answer.setHeader("Content-Type", url === "/" ? "text/html" : "text/javascript");
    answer.end(url === "/" ? page(address) : url.endsWith(".js") ? readFileSync(`dist/esm${url}`) : "");
  });
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  t.after(() => (files.closeAllConnections(), files.close()));
  const origin = `http://127.0.0.1:${(files.address() as { port: number }).port}`;
  const { url } = await serve(t, undefined, undefined, "--allowed-origins", origin);
  address = url;
  await new Memory(url, { strict: true }).episode("A customer wants a refund", { agent: "support" }, (e) => e.succeeded("Refunded"));
  const options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", `--user-data-dir=${folder(t)}`];
  const browser = spawn(chromium(), [...options, origin], { stdio: "ignore" });
  t.after(() => new Promise((resolve) => (browser.on("exit", resolve), browser.kill())));
  const { lessons, agent, error } = JSON.parse(await said) as Record<string, string>;
  assert.match(lessons!, /Refunded/);
  assert.deepEqual([agent, error], ["agent:browser", "Memory.local needs Node 20.16 or later"]);
});

function chromium(): string {
  const first = "for name in chromium chromium-browser google-chrome chromium-headless-shell; do command -v $name && break; done; true";
  return execFileSync("sh", ["-c", first], { encoding: "utf8" }).trim();
}
