import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { test } from "node:test";
import { binary, folder } from "./server.js";

const typed = (load: string) => `${load}
const memory = new Memory("http://127.0.0.1:1", { key: "k" });
export const steps: Promise<number> = memory.forUser("ann").episode("t", { agent: "a" }, async (e) => (await e.nextSteps()).length);
export const first = async (): Promise<string> =>
  (await memory.client.request(RecallDocument, { input: { situation: "" }, maxTokens: 5 })).recall.hits[0]!.episode.id;
// @ts-expect-error an episode is an agent's
void memory.begin("t", {});`;

// What the snippets of docs/typescript.md leave to their reader.
const around = [
  `declare const instructions: string;
declare function read(prompt: string): Promise<{ answer: string }>;`,
  `import { wrapLanguageModel } from "ai";
import { Runner, type Agent } from "@openai/agents-core";
import { Memory } from "mneme-client";
declare const memory: Memory, agent: Agent;
declare function openai(name: string): Parameters<typeof wrapLanguageModel>[0]["model"];`,
];

test("the README's lines learn from their first run, with the packed package alone", (t) => {
  const place = folder(t);
  mkdirSync(join(place, "bin"));
  if (binary.includes("/")) symlinkSync(resolve(binary), join(place, "bin", "mneme"));
  const env = { ...process.env, MNEME_BINARY: "", PATH: join(place, "bin") + delimiter + process.env["PATH"] };
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: place, encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"] });
  const [{ filename }] = JSON.parse(run("npm", "pack", "--json", "--ignore-scripts", process.cwd())) as [{ filename: string }];
  writeFileSync(join(place, "package.json"), "{}");
  run("npm", "install", "--offline", "--no-audit", "--no-fund", join(place, filename));
  const [, lines] = /```js\n(.*?)```/s.exec(readFileSync("README.md", "utf8"))!;
  assert.ok(lines!.split("\n").length <= 10);
  writeFileSync(join(place, "agent.mjs"), lines!);
  assert.equal(run(process.execPath, "agent.mjs"), "My instructions.\n\n");
  assert.match(run(process.execPath, "agent.mjs"), /^My instructions\.\n<mneme-lessons>.*Refunded in full.*<\/mneme-lessons>\n$/s);

  writeFileSync(join(place, "agent.cjs"), `console.log(typeof require("mneme-client/ai-sdk").mnemeMiddleware)`);
  assert.equal(run(process.execPath, "agent.cjs"), "function\n");
  writeFileSync(join(place, "typed.mts"), typed(`import { Memory, RecallDocument } from "mneme-client";`));
  writeFileSync(join(place, "typed.cts"), typed(`import { Memory, RecallDocument } from "mneme-client";`));
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--lib", "es2022,dom", "--types", ""];
  assert.equal(run(resolve("node_modules/.bin/tsc"), ...options, "typed.mts", "typed.cts"), "");

  const snippets = [...readFileSync("../../docs/typescript.md", "utf8").matchAll(/```ts\n(.*?)```/gs)];
  assert.equal(snippets.length, around.length);
  for (const name of ["ai", "@ai-sdk", "@openai"]) symlinkSync(resolve("node_modules", name), join(place, "node_modules", name));
  snippets.forEach(([, lines], i) => {
    writeFileSync(join(place, `snippet${i}.mts`), `${around[i]}\n${lines}`);
    assert.equal(run(resolve("node_modules/.bin/tsc"), ...options, "--skipLibCheck", `snippet${i}.mts`), "");
  });
});
