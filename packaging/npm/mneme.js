#!/usr/bin/env node
// Runs the program of this platform, which is in an optional dependency.
const { spawn } = require("node:child_process");

const windows = process.platform === "win32";
const name = `mneme-db-${process.platform}-${process.arch}`;
let program;
try {
  program = require.resolve(`${name}/mneme${windows ? ".exe" : ""}`);
} catch {
  console.error(`mneme-db: the package ${name} is missing. Install with optional dependencies, or from an archive.`);
  process.exit(1);
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`mneme-db: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => (signal ? process.kill(process.pid, signal) : process.exit(code)));
// A terminal interrupts both; the second interrupt would end the server the hard way.
process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"));
process.on("SIGTERM", () => child.kill("SIGTERM"));
