import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { binary, folder } from "./server.js";

test("the README's lines learn from their first run, with the packed package alone", (t) => {
  const place = folder(t);
  const run = (file: string, ...args: string[]) =>
    execFileSync(file, args, { cwd: place, encoding: "utf8", env: { ...process.env, MNEME_BINARY: binary }, stdio: ["ignore", "pipe", "inherit"] });
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
});
