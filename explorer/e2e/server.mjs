import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const repository = fileURLToPath(new URL('../../', import.meta.url));
const startLimitMs = 180_000; // the first `go run .` compiles everything

/** The program under test: the one that MNEME_PROGRAM names, else what `go run .` makes. */
const program = () => (process.env.MNEME_PROGRAM ? [process.env.MNEME_PROGRAM] : ['go', 'run', '.']);

/** Runs a command of the program on some data, and answers what it prints. */
async function run(args, data, env) {
  const [command, ...first] = program();
  return (await promisify(execFile)(command, [...first, ...args, '--data', data], { cwd: repository, env })).stdout;
}

/** Loads the sample, for servers that find it by E2E_SAMPLE: into a directory that they copy, or once for all into a Neo4j. */
export async function makeSample(directory) {
  await mkdir(directory);
  await run(['demo'], directory, environment());
  return directory;
}

/**
 * The server under test: the one at MNEME_URL, else the program on a free port with data of its own, and with the sample
 * where that is wanted. `mneme` runs a command of it on the same data, and answers what it prints.
 * @returns {Promise<{url: string, stop: () => Promise<void>, away: () => Promise<void>, back: () => Promise<void>, mneme: (...args: string[]) => Promise<string>}>}
 */
export async function startServer({ sample = false, env = {} } = {}) {
  const running = process.env.MNEME_URL;
  if (running) return { url: running.replace(/\/$/, ''), stop: async () => {} };

  const data = await mkdtemp(join(tmpdir(), 'mneme-e2e-'));
  const address = `127.0.0.1:${await freePort()}`;
  const settings = { ...environment(), ...env };
  const mneme = (...args) => run(args, data, settings);
  if (sample && process.env.E2E_SAMPLE) await cp(process.env.E2E_SAMPLE, data, { recursive: true });
  else if (sample) await mneme('demo');
  let server = await serve(data, address, settings);
  return {
    url: `http://${address}`,
    mneme,
    away: () => server.stop(),
    back: async () => {
      server = await serve(data, address, settings);
    },
    stop: async () => {
      await server.stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** Serves, and answers once the server does. */
async function serve(data, address, env) {
  const [command, ...first] = program();
  const server = spawn(command, [...first, 'serve', '--listen', address, '--data', data], {
    cwd: repository,
    env,
    // A group of its own: `go run` does not pass signals on to what it runs.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk) => (output += chunk));
  const ended = new Promise((resolve) => {
    server.once('error', (error) => resolve(`could not be started: ${error.message}`));
    server.once('exit', (code, signal) => resolve(`ended (${signal ?? code})`));
  });

  const stop = async () => {
    if (server.pid && server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
    await ended;
  };
  try {
    await Promise.race([
      answers(`http://${address}/healthz`),
      ended.then((how) => Promise.reject(new Error(`The server ${how}:\n${output}`))),
    ]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
}

/** Settings of the shell name somebody's store; those that tests are given name theirs. */
function environment() {
  const names = process.env.E2E_STORE === 'neo4j' ? /^MNEME_(?!STORE$|NEO4J_)/ : /^MNEME_/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.test(name)));
}

async function answers(url) {
  for (const deadline = Date.now() + startLimitMs; Date.now() < deadline; await sleep(200)) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
  }
  throw new Error(`${url} did not answer within ${startLimitMs / 1000} s`);
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
