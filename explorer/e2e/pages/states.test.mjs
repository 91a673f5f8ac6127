// What is shown where there is nothing, and where something went wrong: each with what to do.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer, someTenant } from '../explorer.mjs';

let key;
const here = explorer({
  refusals: true,
  begin: async (server) => {
    key = await server.keyOf(someTenant('empty'), 'admin');
  },
});

async function open(path, heading) {
  await here.open(path, 'Sign in');
  await here.signIn(key);
  await here.page.getByRole('heading', { level: 1, name: heading }).waitFor();
  await here.settled();
}

for (const [path, heading, what] of [
  ['/', 'Overview', 'episodes'],
  ['/recall', 'Recall', 'episodes'],
  ['/graph', 'Graph', 'records'],
  ['/episodes', 'Episodes', 'episodes'],
  ['/agents', 'Agents', 'agents'],
  ['/judges', 'Judges and patterns', 'judged runs'],
  ['/judges?view=runs', 'Judges and patterns', 'judged runs'],
  ['/memory', 'Memory', 'memoirs'],
  ['/memory?view=observations', 'Memory', 'observations'],
  ['/memory?view=corrections', 'Memory', 'corrections'],
]) {
  test(`without data ${path} offers the sample`, async () => {
    await open(path, heading);
    await here.page.getByText(`There are no ${what} yet.`).waitFor();
    await here.page.getByRole('button', { name: 'Copy the command' }).first().waitFor();
    await accessible(here.page);
  });
}

test('an empty memory says how to connect an agent, and shows its first record', async () => {
  here.key = await here.keyOf(someTenant('first'), 'admin');
  await here.open('/', 'Sign in');
  await here.listening('episodeRecorded', () => here.signIn(here.key));
  const region = here.page.getByRole('region', { name: 'Connect an agent' });
  for (const [way, text] of [['Python', `Memory("${here.url}", key=`], ['TypeScript', 'new Memory('], ['OTLP', `${here.url}/v1/traces`], ['MCP', `${here.url}/mcp`]]) {
    await region.getByRole('tab', { name: way }).click();
    await region.getByText(text, { exact: false }).first().waitFor();
    await region.getByRole('button', { name: `Copy for ${way}` }).waitFor();
  }
  await here.ask('mutation { recordEpisode(input: {id: "first", agentId: "ada", observation: "The first of all", outcome: SUCCESS}) { episode { id } } }');
  await here.page.getByRole('region', { name: 'Episodes by outcome' }).waitFor();
});

/** Has the API answer a query otherwise, by its name. */
const answering = (name, how) => here.page.route('**/graphql', (route) => (route.request().postData().includes(name) ? how(route) : route.continue()));

const fails = (status, code, headers = {}) => (route) =>
  route.fulfill({ status, headers, contentType: 'application/json', body: JSON.stringify({ errors: [{ message: 'It did not work.', extensions: { code } }] }) });

for (const [says, how] of [
  ['The log of the server says more.', fails(500, 'INTERNAL')],
  ['Too much was asked at once. Try again in 7 s.', fails(429, 'LIMIT_EXCEEDED', { 'Retry-After': '7' })],
  ['The key may not do this.', fails(403, 'FORBIDDEN')],
  ['The server or its store is not there just now.', (route) => route.fulfill({ status: 503, body: 'gone' })],
  ['Look whether the server runs', (route) => route.abort('connectionrefused')],
]) {
  test(`a failure says what to do: ${says}`, async () => {
    here.forgiven = /500|429|403|503|ERR_CONNECTION_REFUSED/;
    await open('/recall', 'Recall');
    await answering('query Episodes', how);
    await here.page.getByRole('link', { name: 'Episodes' }).click();
    await here.page.getByText(says).waitFor();
    await accessible(here.page);
    await here.page.unroute('**/graphql');
    await here.page.getByRole('button', { name: 'Try again' }).click();
    await here.page.getByText('There are no episodes yet.').waitFor();
  });
}

test('a server beside a newer one says what to do, and nobody is told to wait', async () => {
  here.forgiven = /503/;
  await open('/recall', 'Recall');
  const message = 'a newer mneme has migrated the data, and this one may not write to it any more: start the newer one in its place';
  await answering('query Episodes', (route) => route.fulfill({ status: 503, json: { errors: [{ message, extensions: { code: 'UNAVAILABLE' } }] } }));
  await here.page.getByRole('link', { name: 'Episodes' }).click();
  await here.page.getByText('start the newer one in its place').waitFor();
  assert.equal(await here.page.getByText('in a moment').count(), 0);
});

test('where more of a list cannot be read, what was read stays, and it goes on from there', async () => {
  here.forgiven = /503/;
  here.key = await here.keyOf(someTenant('more'), 'admin');
  const episodes = Array.from({ length: 50 }, (_, place) => ({ id: `more-${place}`, agentId: 'ada', observation: `The task ${place}`, outcome: 'SUCCESS' }));
  await here.ask('mutation ($episodes: [RecordEpisodeInput!]!) { recordEpisodes(input: {episodes: $episodes}) { result { failed } } }', { episodes });
  await here.open('/episodes', 'Sign in');
  await here.signIn(here.key);
  const lines = here.page.getByRole('list', { name: 'Episodes' }).locator(':scope > li');
  await lines.nth(19).waitFor();
  const more = here.page.getByRole('button', { name: 'More', exact: true });
  const failure = here.page.getByText('The server or its store is not there just now.');
  const moreFails = async () => {
    await answering('query Episodes', (route) => route.fulfill({ status: 503, body: 'gone' }));
    await more.click();
    await failure.waitFor();
  };
  await moreFails();
  assert.equal(await lines.count(), 20);
  await here.page.unroute('**/graphql');
  await here.page.getByRole('button', { name: 'Try again' }).click();
  await lines.nth(39).waitFor();
  // It stays also while all of it is read anew, and where that fails.
  await moreFails();
  await here.page.getByRole('button', { name: 'Refresh' }).click();
  await here.settled();
  await failure.waitFor();
  assert.equal(await lines.count(), 40);
  await here.page.unroute('**/graphql');
  let answer;
  const wanted = new Promise((resolve) => (answer = resolve));
  await answering('query Episodes', (route) => wanted.then(() => route.continue()));
  await here.page.getByRole('button', { name: 'Try again' }).click();
  await here.page.locator('[role=alert] button[data-loading]').waitFor();
  assert.equal(await lines.count(), 40);
  answer();
  await failure.waitFor({ state: 'detached' });
  await more.click();
  await lines.nth(49).waitFor();
});

test('a page is shown where the machine has no network, as its server may be on it', async () => {
  await open('/recall', 'Recall');
  await here.page.evaluate(() => window.dispatchEvent(new Event('offline')));
  await here.page.getByRole('link', { name: 'Episodes' }).click();
  await here.page.getByText('There are no episodes yet.').waitFor();
});

test('a record that is not there any more leads on', async () => {
  await open('/graph?root=concept%3Agone', 'Graph');
  await here.page.getByText('It may have been deleted.').waitFor();
});

test('names of one long word make no page wider than its window', async () => {
  const name = 'x'.repeat(200);
  here.key = await here.keyOf(someTenant('long'), 'admin');
  await here.ask(`mutation ($name: String!, $id: ID!) {
    recordEpisode(input: {id: "e", agentId: "a", agentName: $name, title: $name, taskType: $name, observation: "A long name", outcome: SUCCESS}) { episode { id } }
    createMemoir(input: {id: "m", name: $name, description: $name}) { memoir { id } }
    addConcept(input: {id: "c", memoirId: "m", name: $name, content: $name}) { concept { id } }
    recordCorrection(input: {topic: $name, prediction: $name, correction: $name, createdBy: $name}) { correction { id } }
    recordObservation(input: {content: $name}) { observation { id } }
    recordCanvasActions(input: {actions: [{canvasId: "c", episodeId: "e", canvasType: "generic", componentType: $name, action: PRESENT}]}) { result { failed } }
    recordVerdict(input: {runId: $id, sectionId: $id, sectionType: $name, iteration: 0, status: SOFT_FAIL, judgeId: $id, score: 1, feedback: $name, issues: [{code: $name}]}) { verdict { id } }
  }`, { name, id: name });
  await here.page.setViewportSize({ width: 390, height: 844 });
  await here.open('/recall', 'Sign in');
  await here.signIn(here.key);
  for (const [path, shown] of [
    ['/recall?q=name', 'article, h2, h3'],
    ['/graph?root=agent%3Aa', 'section'],
    ['/episodes', 'li'],
    ['/episodes/episode%3Ae', 'dl'],
    ['/agents', 'table'],
    ['/agents/agent%3Aa', 'table'],
    ['/judges', 'li'],
    ['/judges?view=runs', 'li'],
    ['/memory?concept=concept%3Ac', 'section'],
    ['/memory?view=observations', 'li'],
    ['/memory?view=corrections', 'li'],
  ]) {
    await here.page.goto(`${here.url}/#${path}`);
    await here.page.locator(`main :is(${shown})`).filter({ hasText: 'xxxxxxxxxxxxxxx' }).first().waitFor();
    await here.settled();
    assert.equal(await here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, `${path} is wider than the window`);
  }
});

test('what is very long takes little of the pages that list it', async () => {
  const long = 'x'.repeat(9_990) + ' \n\n\n\nend';
  here.key = await here.keyOf(someTenant('very-long'), 'admin');
  await here.ask(`mutation ($long: String!) {
    recordEpisode(input: {id: "e", agentId: "a", agentName: $long, title: $long, taskType: "t", observation: $long, insight: $long, outcome: SUCCESS}) { episode { id } }
    recordCanvasActions(input: {actions: [{canvasId: "c", episodeId: "e", canvasType: "forms", action: PRESENT}]}) { result { failed } }
    submitFeedback(input: {episodeId: "e", type: THUMBS_DOWN, comment: $long, corrections: $long}) { feedback { id } }
  }`, { long });
  await here.page.setViewportSize({ width: 390, height: 844 });
  await here.open('/recall', 'Sign in');
  await here.signIn(here.key);
  for (const [path, shown] of [
    ['/recall?q=end', 'li'],
    ['/graph', 'li'],
    ['/episodes', 'li'],
    ['/agents', 'table'],
  ]) {
    await here.page.goto(`${here.url}/#${path}`);
    await here.page.locator(`main ${shown}`).filter({ hasText: 'xxxxxxxxxxxxxxx' }).first().waitFor();
    await here.settled();
    const tallest = await here.page.evaluate((each) => Math.max(...[...document.querySelectorAll(`main ${each}, main h2, main button`)].map((one) => one.getBoundingClientRect().height)), shown);
    assert.ok(tallest < 1200, `${path}: something is ${tallest} pixels high`);
  }
  // Their own pages have all of them, below a heading that leaves room.
  for (const [path, whole] of [
    ['/episodes/episode%3Ae', 'The whole title'],
    ['/agents/agent%3Aa', 'The whole name'],
  ]) {
    await here.page.goto(`${here.url}/#${path}`);
    await here.page.getByRole('heading', { level: 1, name: 'xxxxxxxxxxxxxxx' }).waitFor();
    await here.settled();
    const height = await here.page.locator('h1').evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(height < 400, `${path}: the heading is ${height} pixels high`);
    const text = await here.page.getByRole('region', { name: whole }).textContent();
    assert.ok(text.includes(long), `${path} lacks the whole`);
  }
});

test('an address that names no page says so, and leads on', async () => {
  await open('/nowhere', 'Nothing here');
  await accessible(here.page);
  await here.page.getByRole('link', { name: 'overview', exact: true }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('a page whose files are gone after an upgrade asks to be loaded again', async () => {
  here.forgiven = /404|assets|imported module|console error/;
  await open('/recall', 'Recall');
  await here.page.route('**/assets/MemoryPage-*', (route) => route.fulfill({ status: 404, body: '' }));
  await here.page.getByRole('link', { name: 'Memory' }).click();
  await here.page.getByText('This page cannot be shown').waitFor();
  await accessible(here.page);
  await here.page.unroute('**/assets/MemoryPage-*');
  await here.page.getByRole('button', { name: 'Reload' }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
});

test('without WebGL the graph says that it cannot be drawn', async () => {
  here.forgiven = /console error|uncaught/;
  await here.page.addInitScript(() => {
    HTMLCanvasElement.prototype.getContext = () => null;
  });
  await open('/recall', 'Recall');
  await here.ask('mutation { recordEpisode(input: {id: "drawn", agentId: "ada", observation: "Something to draw", outcome: SUCCESS}) { episode { id } } }');
  await here.page.goto(`${here.url}/#/graph?root=episode%3Adrawn`);
  await here.page.getByText('This page cannot be shown').waitFor();
  assert.equal(await here.page.getByRole('button', { name: 'Reload' }).count(), 1);
});
