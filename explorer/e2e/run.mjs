// Runs browser tests: node run.mjs [OPTIONS OF node --test] FILES. All files share one program, one browser and one sample;
// a file that is run by itself (node --test FILE) makes its own.
import { execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchForAll } from './browser.mjs';
import { makeSample, repository } from './server.mjs';

const own = await mkdtemp(join(tmpdir(), 'mneme-e2e-all-'));
let browser;
try {
  if (!process.env.MNEME_URL) {
    if (!process.env.MNEME_PROGRAM) {
      process.env.MNEME_PROGRAM = join(own, 'mneme');
      await promisify(execFile)('go', ['build', '-o', process.env.MNEME_PROGRAM, '.'], { cwd: repository });
    }
    process.env.E2E_SAMPLE = await makeSample(join(own, 'sample'));
  }
  browser = await launchForAll();
  process.env.E2E_BROWSER = browser.wsEndpoint();
  const tests = spawn(process.execPath, ['--test', `--test-concurrency=${process.env.E2E_FILES_AT_ONCE ?? 2}`, ...process.argv.slice(2)], { stdio: 'inherit' });
  process.exitCode = await new Promise((resolve) => tests.once('exit', (code) => resolve(code ?? 1)));
} finally {
  await browser?.close();
  await rm(own, { recursive: true, force: true });
}
