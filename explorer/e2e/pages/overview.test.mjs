// The overview: what goes on, what goes wrong, and how an agent is connected to an empty memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const region = (name) => here.page.getByRole('region', { name, exact: true });

test('the first page is small', async () => {
  let bytes = 0;
  const context = await here.page.context().browser().newContext(); // which has nothing yet
  const page = await context.newPage();
  page.on('requestfinished', async (request) => {
    const { responseBodySize } = await request.sizes();
    if (!request.url().endsWith('/graphql')) bytes += responseBodySize;
  });
  await page.goto(here.url);
  await page.getByRole('list', { name: 'Latest feedback' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('main svg').length > 1 && !document.querySelector('[aria-label=Loading], [aria-busy=true]'));
  await context.close();
  assert.ok(bytes > 0 && bytes < 250_000, `${bytes} bytes`);
});

/** How many episodes the table of the chart has, by outcome. */
async function charted() {
  const rows = await region('Episodes by outcome').locator('tbody tr').evaluateAll((all) => all.map((row) => [...row.children].slice(1).map((cell) => Number(cell.textContent))));
  return rows.reduce((sum, row) => sum.map((count, place) => count + row[place]), [0, 0, 0]);
}

/** How many there are by the API, of failures, successes and those of which nobody knows. */
async function counted(filter) {
  const asked = (outcome) => here.ask('query ($filter: EpisodeFilter) { episodes(filter: $filter, first: 0) { totalCount } }', { filter: { ...filter, outcome } });
  const answers = [await asked('FAILURE'), await asked('SUCCESS'), await asked('UNKNOWN')];
  return answers.map(({ episodes }) => episodes.totalCount);
}

test('episodes are counted by outcome; the range and the filters stand in the address, and go along to other pages @neo4j', async () => {
  await here.open('/?range=LAST_90D', 'Overview');
  const since = new Date(Date.now() - 90 * 86_400_000).toISOString();
  const near = (found, wanted) => assert.ok(found.every((count, place) => Math.abs(count - wanted[place]) <= 1), `${found} are not ${wanted}`);
  near(await charted(), await counted({ since }));
  await here.page.getByLabel('Agent', { exact: true }).selectOption('agent:support');
  await here.page.waitForURL(/agent=agent/);
  await here.settled();
  near(await charted(), await counted({ since, agentId: 'support' }));
  await here.page.getByLabel('Lines').selectOption('task');
  // A Neo4j has the types of other tests too, and five lines are drawn.
  if (process.env.E2E_STORE !== 'neo4j') await region('Success and feedback').getByText('refund_request').first().waitFor();
  await here.page.getByRole('link', { name: 'Episodes', exact: true }).click();
  await here.page.waitForURL(/episodes.*range=LAST_90D/);
  assert.equal(await here.page.getByLabel('Began in').inputValue(), 'LAST_90D');
  await here.page.goto(`${here.url}/#/judges?judge=report-critic&range=LAST_7D`);
  await region('Scores over time').waitFor();
});

test('dragging across the bars chooses their time, and the dates do the same', async () => {
  await here.open('/?range=LAST_90D', 'Overview');
  const box = await region('Episodes by outcome').locator('svg').boundingBox();
  const [first, last] = [box.x + box.width * 0.25, box.x + box.width * 0.75];
  await here.page.mouse.move(first, box.y + 60);
  await here.page.mouse.down();
  await here.page.mouse.move(last, box.y + 60, { steps: 4 });
  await here.page.mouse.up();
  await here.page.waitForURL(/from=.*to=/);
  await here.settled();
  const { from, to } = Object.fromEntries(new URLSearchParams(here.page.url().split('?')[1]));
  const [since, until] = [from, to].map((at) => at.replaceAll('"', ''));
  assert.deepEqual(await charted(), await counted({ since, until }));
  await here.page.getByLabel('Until').fill('');
  await here.page.waitForURL((url) => !url.hash.includes('to='));
  await here.settled();
  assert.deepEqual(await charted(), await counted({ since }));
});

test('what fails most leads to the failures, and what is recorded is shown by itself', async () => {
  await here.listening('episodeRecorded', () => here.open('/?range=LAST_90D', 'Overview'));
  await region('What fails most').getByRole('link', { name: 'the latest' }).first().waitFor();
  await here.page.getByRole('list', { name: 'Latest feedback' }).getByRole('listitem').first().waitFor();
  const before = await charted();
  const episodes = Array.from({ length: 40 }, (_, place) => ({ id: `overview-${place}`, agentId: 'support', observation: `Something new ${place}`, outcome: 'FAILURE', actions: [{ stepName: 'stumble' }] }));
  await here.ask('mutation ($episodes: [RecordEpisodeInput!]!) { recordEpisodes(input: {episodes: $episodes}) { result { failed } } }', { episodes });
  await here.page.waitForFunction((count) => [...document.querySelectorAll('[aria-label="Episodes by outcome"] tbody tr')].reduce((sum, row) => sum + Number(row.children[1].textContent), 0) > count, before[0]);
  await region('What fails most').getByText('stumble').waitFor();
  await region('What fails most').getByRole('link', { name: 'All failures' }).click();
  await here.page.waitForURL(/episodes.*outcome=FAILURE/);
  assert.equal(await here.page.getByLabel('Outcome', { exact: true }).inputValue(), 'FAILURE');
});

test('the latest feedback and who changes follow the filters', async () => {
  await here.open('/?range=LAST_90D&agent=agent%3Aanalyst', 'Overview');
  const { agent } = await here.ask('{ agent(id: "analyst") { episodes(first: 100) { nodes { title } } learningProfiles { taskType trend } } }');
  const titles = new Set(agent.episodes.nodes.map(({ title }) => title));
  const said = here.page.getByRole('list', { name: 'Latest feedback' }).getByRole('link');
  await said.first().waitFor();
  for (const title of await said.allInnerTexts()) assert.ok(titles.has(title), title);
  const changed = agent.learningProfiles.filter(({ trend }) => trend !== 'FLAT').length;
  assert.equal(await here.page.getByRole('list', { name: 'Who changes' }).getByRole('listitem').count(), changed);
});

test('types of tasks are compared with as much time before, and what misled a failure is named', async () => {
  await here.ask(`mutation { a: recordEpisode(input: {id: "misled-by", agentId: "support", observation: "A rule of last year", outcome: SUCCESS}) { episode { id } }
    b: recordEpisode(input: {id: "misled", agentId: "support", taskType: "misled", observation: "Went by the rule", outcome: FAILURE, informedBy: ["misled-by"]}) { episode { id } } }`);
  await here.open('/?range=LAST_30D&by=task', 'Overview');
  const rows = region('Success and feedback').getByRole('table', { name: 'Successes now and before' }).locator('tbody tr');
  await rows.filter({ hasText: 'data_cleanup' }).getByText(/^\d+ % of \d+$/).first().waitFor();
  await rows.first().getByRole('link').click();
  await here.page.waitForURL(/episodes.*outcome=FAILURE.*task=.*range=LAST_30D/);
  await here.open('/?task=misled', 'Overview');
  const misled = region('What fails most').getByRole('listitem').filter({ hasText: 'A rule of last year: 1 failure' });
  assert.match(await misled.getByRole('link', { name: 'A rule of last year' }).getAttribute('href'), /misled-by$/);
  assert.match(await misled.getByRole('link', { name: 'the latest' }).getAttribute('href'), /misled$/);
});

test('a memory with records tells how to connect another agent', async () => {
  await here.open('/', 'Overview');
  await here.page.getByRole('button', { name: 'Connect an agent' }).click();
  await region('Connect an agent').getByText(`mneme connect claude-code --server ${here.url}`).waitFor();
});

meetsTheRules(here, 'overview', () => here.open('/?range=LAST_90D', 'Overview'));

meetsTheRules(here, 'overview-by-task', () => here.open('/?range=LAST_7D&by=task&connect=yes', 'Overview'));
