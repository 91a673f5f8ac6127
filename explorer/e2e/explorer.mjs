// What the tests of the explorer's pages share: a server with the sample, and a page that is watched.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { accessible, launch, watch } from './browser.mjs';
import { startServer } from './server.mjs';

const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** Registers the hooks, for a server as `startServer` takes it; `here` then has the server's url and the page of the test that runs. */
export function explorer(options = { sample: true }) {
  const here = {};
  let server, browser;

  before(async () => {
    browser = await launch();
    server = await startServer(options);
    here.url = server.url;
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    const context = await browser.newContext({ viewport: widths.wide, locale: 'en-GB', timezoneId: 'Europe/Berlin' });
    here.page = await context.newPage();
    const faults = await watch(here.page, new URL(here.url).origin);
    // Where a key is wanted the server refuses, which the browser logs.
    here.faults = () => (options.refusals ? faults.filter((fault) => !fault.includes('401')) : faults);
  });

  // Every test is one for this too: nothing from elsewhere, nothing against the policy, no error.
  afterEach(async () => {
    await here.page.context().close();
    assert.deepEqual(here.faults(), []);
  });

  /** Opens a page of the explorer by what stands behind the #. */
  here.open = async (path, heading) => {
    await here.page.goto(`${here.url}/#${path}`);
    await here.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await here.settled();
  };

  /** Waits until nothing is being asked or loaded. */
  here.settled = async () => {
    await here.page.waitForFunction(() => !document.querySelector('[aria-label=Loading], [aria-busy=true], [data-loading]'));
  };

  /** Asks the API as the page does. */
  here.ask = async (query, variables = {}) => {
    const response = await fetch(`${here.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  };

  return here;
}

/** A page meets the rules of accessibility in both colour schemes and at both widths; SCREENSHOTS keeps a picture of each. */
export function meetsTheRules(here, name, open) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [width, viewport] of Object.entries(widths)) {
      test(`${name}, ${colorScheme} and ${width}, is for everybody`, async () => {
        await here.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await here.page.setViewportSize(viewport);
        await open();
        await here.settled();
        await accessible(here.page);
        const overflow = await here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, 'wider than the window');
        await picture(here.page, `${name}-${colorScheme}-${width}`);
      });
    }
  }
}

async function picture(page, name) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: Boolean(process.env.WHOLE_PAGES) });
}
