import assert from 'node:assert/strict';
import { accessSync, constants } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

// The first draws no windows of its own, which takes half as much of a processor.
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/** The browser to test with: CHROMIUM, else the first of the usual names on the PATH. */
function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  for (const directory of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(directory, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // not here
      }
    }
  }
  throw new Error(
    `No browser found: none of ${names.join(', ')} is on the PATH. ` +
      'Install Chromium (Debian and Ubuntu: apt-get install chromium) or set CHROMIUM to a Chromium or Chrome executable.',
  );
}

/** A browser that asks for nothing of its own accord, so that every request is the page's: the one that all tests share, else one of its own. */
export function launch() {
  const shared = process.env.E2E_BROWSER;
  return shared ? chromium.connect(shared) : chromium.launch(options());
}

/** The same, with pages put together by the graphics card or what stands in for it, as people have it; four times the work without one. */
export function launchComposited() {
  return chromium.launch(options([]));
}

/** Starts a browser for tests in other processes, which find it by E2E_BROWSER. */
export function launchForAll() {
  return chromium.launchServer(options());
}

function options(more = ['--disable-gpu-compositing']) {
  return {
    executablePath: executable(),
    args: [
      '--headless',
      '--no-sandbox',
      // The graph is drawn by WebGL; without a graphics card Chromium renders it in software where it is told to.
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--process-per-site',
      ...more,
    ],
  };
}

/**
 * Notes what a page must not do: ask another origin, break its content security policy, or log an error.
 * @returns {string[]} what was seen, filled while the page lives
 */
export async function watch(page, origin) {
  const faults = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin) faults.push(`request to another origin: ${url}`);
  });
  page.on('requestfailed', (request) => {
    const why = request.failure()?.errorText;
    // What leaving a page breaks off is no fault.
    if (why !== 'net::ERR_ABORTED') faults.push(`failed request: ${request.url()} (${why})`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} for ${response.url()}`);
  });
  page.on('pageerror', (error) => faults.push(`uncaught error: ${error.stack ?? error}`));
  page.on('console', (message) => {
    // The browser's own way to put pages together without a graphics card, see `options`, reads each picture of WebGL back.
    if (message.text().includes('GPU stall due to ReadPixels')) return;
    if (['error', 'warning'].includes(message.type())) faults.push(`console ${message.type()}: ${message.text()}`);
  });
  await page.exposeFunction('reportViolation', (text) => faults.push(`policy violation: ${text}`));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      window.reportViolation(`${event.effectiveDirective} forbids ${event.blockedURI} ${event.sample}`);
    });
  });
  return faults;
}

const require = createRequire(import.meta.url);

/** The rules of axe-core that a change of colours alone can break. */
export const ofColours = ['color-contrast', 'link-in-text-block'];

/**
 * Fails where a page breaks the rules of axe-core, of WCAG 2.2 AA and of good practice, once what fades in is there. `leaving` names rules
 * and `exclude` parts of the page that are not ours to mend; `only` names the rules, where it is not all of them.
 */
export async function accessible(page, { leaving = [], exclude = [], only } = {}) {
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running' || one.effect?.getComputedTiming().endTime === Infinity));
  // By the protocol rather than as a <script>, which the policy of the page would refuse.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(require.resolve('axe-core/axe.min.js'), 'utf8'));
  const { violations } = await page.evaluate(
    ([left, without, rules]) =>
      window.axe.run(
        { include: [document], exclude: without },
        { resultTypes: ['violations'], runOnly: rules, rules: Object.fromEntries(left.map((rule) => [rule, { enabled: false }])) },
      ),
    [leaving, exclude, only],
  );
  const found = violations.flatMap(({ id, help, nodes }) => nodes.map(({ html, failureSummary }) => `${id} (${help}): ${html.slice(0, 300)}\n${failureSummary}`));
  assert.deepEqual(found, []);
}
