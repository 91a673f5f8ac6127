// Fails where schema/schema.graphql breaks clients of the latest released version (the latest tag v*). Before there is one, all goes.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const { buildSchema, findBreakingChanges } = createRequire(new URL("../clients/typescript/", import.meta.url))("graphql");
const git = (...args) => execFileSync("git", args, { encoding: "utf8", maxBuffer: 64 << 20 }).trim();
const released = git("tag", "--list", "v*", "--merged", "HEAD", "--sort=-version:refname").split("\n")[0];
if (!released) {
  console.log("nothing is released yet: the schema may change");
  process.exit();
}
const file = "schema/schema.graphql";
const breaking = findBreakingChanges(buildSchema(git("show", `${released}:${file}`)), buildSchema(readFileSync(file, "utf8")));
for (const { type, description } of breaking) console.error(`${type}: ${description}`);
console.log(`${breaking.length} changes break clients of ${released}`);
process.exit(breaking.length > 0 ? 1 : 0);
