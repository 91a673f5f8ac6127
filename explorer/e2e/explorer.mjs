// What the tests of the explorer's pages share: a server with the sample, and a page that is watched.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { accessible, launch, ofColours, watch } from './browser.mjs';
import { startServer } from './server.mjs';

const widths = { wide: { width: 1280, height: 900 }, narrow: { width: 390, height: 844 } };

/** Registers the hooks, for a server as `startServer` takes it; `here` then has the server's url and the page of the test that runs. `begin` is done before the first test. */
export function explorer(options = { sample: true }) {
  const here = {};
  // A Neo4j is shared with tests that make keys in it, after which it wants one of everybody.
  const keyed = process.env.E2E_STORE === 'neo4j' && !options.refusals ? 'the-key-of-the-browser-tests' : undefined;
  let server, browser, context;

  before(async () => {
    browser = await launch();
    // One for all tests of a file, whose pages do not load and compile the same anew.
    context = await browser.newContext({ viewport: widths.wide, locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce' });
    // An empty page has no storage.
    if (keyed) await context.addInitScript((key) => origin !== 'null' && sessionStorage.setItem('mneme-api-key', key), keyed);
    server = await startServer(keyed ? { ...options, env: { ...options.env, MNEME_API_KEY: keyed } } : options);
    Object.assign(here, server);
    await options.begin?.(here);
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  beforeEach(async () => {
    // The last page stays until the next is there, so that the browser need not start a process for it.
    const before = context.pages();
    here.page = await context.newPage();
    for (const page of before) await page.close();
    const faults = await watch(here.page, new URL(here.url).origin);
    // What a test brings about itself: a server that is away, refuses, or answers with an error, which the browser logs.
    here.forgiven = /^$/;
    here.key = keyed;
    // Where a key is wanted the server refuses.
    here.faults = () => faults.filter((fault) => !(options.refusals && fault.includes('401')) && !here.forgiven.test(fault));
  });

  // Every test is one for this too: nothing from elsewhere, nothing against the policy, no error.
  afterEach(async () => {
    if (here.page.url().startsWith(here.url)) await here.page.evaluate(() => localStorage.clear());
    await here.page.goto('about:blank');
    await context.clearPermissions();
    assert.deepEqual(here.faults(), []);
  });

  /** Opens a page of the explorer by what stands behind the #. */
  here.open = async (path, heading) => {
    await here.page.goto(`${here.url}/#${path}`);
    await here.page.getByRole('heading', { level: 1, name: heading }).waitFor();
    await here.settled();
  };

  /** Stops the server and starts it again, on what it has. */
  here.restart = async () => {
    await here.away();
    await here.back();
  };

  /** Resolves when the page has subscribed, after what is done. */
  here.listening = async (what, open) => {
    const asked = here.page.waitForResponse((response) => response.url().endsWith('/graphql') && (response.request().postData() ?? '').includes(what));
    await open();
    await asked;
  };

  /** Waits until nothing is being asked or loaded. */
  here.settled = async () => {
    await here.page.waitForFunction(() => !document.querySelector('[aria-label=Loading], [aria-busy=true], [data-loading]'));
  };

  /** Asks the API as the page does. */
  here.ask = async (query, variables = {}) => {
    const response = await fetch(`${here.url}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...(here.key && { Authorization: `Bearer ${here.key}` }) },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  };

  /** Makes a key, as whoever runs the server does. */
  here.keyOf = async (tenant, role) => JSON.parse(await here.mneme('keys', 'create', '--tenant', tenant, '--role', role, '--json')).key;

  /** Signs in with a key, which the test asks with from then on. */
  here.signIn = async (key) => {
    here.key = key;
    await here.page.getByLabel(/^API key/).fill(key);
    await here.page.getByRole('button', { name: 'Sign in' }).click();
    await here.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor({ state: 'detached' });
  };

  return here;
}

/** A tenant that no other test has. */
export const someTenant = (name) => `${name}-${Math.random().toString(36).slice(2, 10)}`;

/** A page meets the rules of accessibility at both widths and in both colour schemes, which change while it is open; SCREENSHOTS keeps a picture of each. */
export function meetsTheRules(here, name, open) {
  for (const [width, viewport] of Object.entries(widths)) {
    test(`${name}, ${width}, light and dark, is for everybody`, async () => {
      await here.page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      await here.page.setViewportSize(viewport);
      await open();
      for (const colorScheme of ['light', 'dark']) {
        await here.page.emulateMedia({ colorScheme });
        await here.page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
        await here.settled();
        await accessible(here.page, colorScheme === 'dark' ? { only: ofColours } : {});
        const overflow = await here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        assert.equal(overflow, 0, 'wider than the window');
        await picture(here.page, `${name}-${colorScheme}-${width}`);
      }
    });
  }
}

async function picture(page, name) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`), fullPage: Boolean(process.env.WHOLE_PAGES) });
}
