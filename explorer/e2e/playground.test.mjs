// The pages in a real browser. MNEME_URL names a running server (default: one is started),
// CHROMIUM a browser (default: the one on the PATH), SCREENSHOTS a directory to keep pictures in.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { accessible, launch, watch } from './browser.mjs';
import { startServer } from './server.mjs';

let server, browser, page, faults;

before(async () => {
  browser = await launch();
  server = await startServer();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

beforeEach(async () => {
  page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  faults = await watch(page, new URL(server.url).origin);
});

// Every test is one for this too: nothing from elsewhere, nothing against the policy, no error.
afterEach(async () => {
  await page.close();
  assert.deepEqual(faults, []);
});

async function screenshot(name) {
  if (!process.env.SCREENSHOTS) return;
  mkdirSync(process.env.SCREENSHOTS, { recursive: true });
  await page.screenshot({ path: join(process.env.SCREENSHOTS, `${name}.png`) });
}

async function openPlayground() {
  await page.goto(`${server.url}/playground`);
  await page.locator('.graphiql-query-editor .monaco-editor').waitFor();
}

/** Replaces what stands in an editor: the query's, or the one of headers and variables that is shown. */
async function write(editor, text) {
  await page.locator(`.graphiql-${editor} .view-lines:visible`).first().click();
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.press('Delete');
  await page.keyboard.insertText(text);
}

/** Waits until an editor has these lines, indents aside. Monaco's elements are in no order: their places tell. */
async function lines(editor, wanted) {
  await page.waitForFunction(
    ([selector, text]) =>
      [...document.querySelectorAll(selector)]
        .filter((line) => line.checkVisibility())
        .sort((a, b) => a.offsetTop - b.offsetTop)
        .map((line) => line.textContent.replaceAll('\u00a0', ' ').trim())
        .join('\n') === text,
    [`.graphiql-${editor} .view-line`, wanted.join('\n')],
  );
}

async function run() {
  await page.getByRole('button', { name: /execute query/i }).click();
}

/** Waits until the answer shows a text. Monaco draws spaces as no-break spaces. */
async function answerShows(text) {
  await page.waitForFunction(
    (wanted) => document.querySelector('.result-window')?.textContent.replaceAll('\u00a0', ' ').includes(wanted),
    text,
  );
}

test('a link brings a query and its variables', async () => {
  const asked = new URLSearchParams({ query: 'query Few($first: Int) { episodes(first: $first) { totalCount } }', variables: '{ "first": 1 }' });
  await page.goto(`${server.url}/playground#${asked}`);
  await page.locator('.graphiql-query-editor .monaco-editor').waitFor();
  await run();
  await answerShows('"totalCount": ');
  assert.equal(new URL(page.url()).hash, '');
});

test('a first visit opens with the main acts', async () => {
  await openPlayground();
  const tabs = await page.getByRole('tab').allInnerTexts();
  assert.deepEqual(tabs.map((tab) => tab.trim()), ['Recall', 'RecordEpisode', 'SubmitFeedback', 'Episodes', 'SearchConcepts', 'RankAgents', 'Guidance']);
});

test('a typed query is completed from the schema, run and answered', async () => {
  await openPlayground();
  await write('query-editor', '');
  await page.keyboard.type('{ episo');
  await page.locator('.suggest-widget').getByText('episodes', { exact: true }).first().waitFor();
  await screenshot('completion');
  await page.keyboard.press('Escape');
  await write('query-editor', '{ episodes(first: 1) { totalCount } }');
  await page.keyboard.press('ControlOrMeta+Enter');
  await answerShows('"totalCount": ');
});

test('what the examples record, they recall', async () => {
  await openPlayground();
  for (const [tab, answer] of [
    ['RecordEpisode', '"id": "episode:playground-1"'],
    ['SubmitFeedback', '"aggregateFeedbackScore": 0.5'],
    ['Episodes', '"title": "Change by way of an upgrade"'],
    ['Recall', '"rank": 1'],
  ]) {
    await page.getByRole('tab', { name: tab, exact: true }).click();
    await run();
    await answerShows(answer);
  }
  await screenshot('recall');
});

test('a mistake is underlined while it is typed', async () => {
  await openPlayground();
  await write('query-editor', '{ noSuchField }');
  await page.locator('.graphiql-query-editor .squiggly-error').first().waitFor();
});

test('the headers editor sends an API key', async () => {
  await openPlayground();
  await write('editor-tool', '{ "Authorization": "Bearer test-key" }');
  const request = page.waitForRequest((sent) => sent.url().endsWith('/graphql') && sent.postData()?.includes('query Recall'));
  await run();
  const sent = await request;
  assert.equal(sent.headers().authorization, 'Bearer test-key');
  assert.equal((await sent.response()).status(), 401, 'nobody made such a key');
  await page.waitForFunction(() => true); // what the console says of it has come
  faults.splice(0, faults.length, ...faults.filter((fault) => !fault.includes('401')));
});

test('prettify tidies the query and the headers', async () => {
  await openPlayground();
  await write('query-editor', '{agents{nodes{name}}}');
  await write('editor-tool', '{"X-Request-Id":"1"}');
  await page.getByRole('button', { name: /prettify/i }).click();
  await lines('query-editor', ['{', 'agents {', 'nodes {', 'name', '}', '}', '}', '']);
  await lines('editor-tool', ['{', '"X-Request-Id": "1"', '}']);
});

test('the documentation of the schema is at hand', async () => {
  await openPlayground();
  await page.getByRole('button', { name: /documentation explorer/i }).click();
  await page.locator('.graphiql-doc-explorer').getByText('Mutation', { exact: true }).waitFor();
  await screenshot('documentation');
});

test('a dark system has a dark playground', async () => {
  const lightness = () =>
    page.evaluate(() => {
      const channels = getComputedStyle(document.querySelector('.graphiql-container')).backgroundColor.match(/\d+/g);
      return channels.slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0) / 3;
    });
  await page.emulateMedia({ colorScheme: 'light' });
  await openPlayground();
  assert.ok((await lightness()) > 200);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.reload();
  await page.locator('.graphiql-query-editor .monaco-editor').waitFor();
  assert.ok((await lightness()) < 80);
  await screenshot('dark');
});

test('the playground follows a system that turns dark, and light again', async () => {
  const colours = () =>
    page.evaluate(() => {
      const lightness = (colour) => colour.match(/\d+/g).slice(0, 3).reduce((sum, channel) => sum + Number(channel), 0) / 3;
      const word = [...document.querySelectorAll('.graphiql-query-editor .view-line span span')].find((one) => one.textContent.includes('recall'));
      return { text: lightness(getComputedStyle(word).color), ground: lightness(getComputedStyle(document.querySelector('.graphiql-editors')).backgroundColor) };
    });
  await page.emulateMedia({ colorScheme: 'light' });
  await openPlayground();
  for (const colorScheme of ['light', 'dark', 'light']) {
    await page.emulateMedia({ colorScheme });
    await page.waitForFunction((dark) => document.querySelector('.graphiql-query-editor .monaco-editor').classList.contains('vs-dark') === dark, colorScheme === 'dark');
    const { text, ground } = await colours();
    assert.ok(Math.abs(text - ground) > 80, `${colorScheme}: a text of lightness ${text} on ${ground}`);
  }
});

test('in a narrow window the answer stands below the query, where it can be read', async () => {
  await page.setViewportSize({ width: 375, height: 812 });
  await openPlayground();
  await run();
  await answerShows('"recall"');
  const box = (selector) => page.locator(selector).first().boundingBox();
  const [query, answer] = [await box('.graphiql-query-editor'), await box('.result-window')];
  assert.ok(answer.width > 250 && answer.height > 150, `the answer has ${answer.width} by ${answer.height} pixels`);
  assert.ok(query.width > 250 && query.height > 100, `the query has ${query.width} by ${query.height} pixels`);
  assert.ok(answer.y > query.y + query.height, 'the answer is not below the query');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, 'wider than the window');
  await screenshot('narrow');
  // Zoomed four times it scrolls.
  await page.setViewportSize({ width: 320, height: 256 });
  const low = await box('.result-window');
  assert.ok(low.height > 150, `the answer has ${low.height} pixels`);
});

for (const colorScheme of ['light', 'dark']) {
  test(`the playground is for everybody, ${colorScheme}`, async () => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await openPlayground();
    // What GraphiQL does itself: buttons that close tabs within these, and its colours of code.
    await accessible(page, { leaving: ['nested-interactive'], exclude: ['.monaco-editor'] });
  });
}
