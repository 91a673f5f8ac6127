// The search over all kinds, and the sign-in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer } from '../explorer.mjs';

const here = explorer();

async function search(words) {
  await here.open('/recall', 'Recall');
  await here.page.getByLabel('Search for').waitFor({ state: 'hidden' }); // that of a search before may still be closing
  await here.page.keyboard.press('Control+k');
  await here.page.getByLabel('Search for').fill(words);
  await here.page.locator('[data-action]').or(here.page.getByText('Nothing was found.')).first().waitFor();
}

test('Ctrl-K finds records of any kind, and Enter takes the first @neo4j', async () => {
  const name = 'Marzipan lighthouse';
  await here.ask(`mutation { createMemoir(input: {id: "lighthouses", name: "Lighthouses"}) { memoir { id } }
    addConcept(input: {id: "marzipan", memoirId: "lighthouses", name: "${name}", content: "A lighthouse of marzipan."}) { concept { id } } }`);
  await here.open('/recall', 'Recall');
  await here.page.keyboard.press('Control+k');
  await here.page.getByLabel('Search for').fill('marzipan lighthouse');
  await here.page.keyboard.press('Enter'); // before there is a hit
  await here.page.getByRole('region', { name, exact: true }).waitFor();
});

test('what is not found is said, with what to do', async () => {
  await search('xylophone quartz');
  await here.page.getByText('Nothing was found. Try fewer or other words.').waitFor();
  await accessible(here.page);
});

test('a hit says why it is one, and an observation leads to its place in the memory', async () => {
  await here.ask('mutation { recordObservation(input: {id: "found", content: "The zeppelin kiosk closes early on Fridays"}) { observation { id } } }');
  await search('zeppelin kiosk');
  const { search: found } = await here.ask('{ search(query: "zeppelin kiosk", first: 1) { nodes { reasons } } }');
  const hit = here.page.locator('[data-action]').first();
  for (const reason of found.nodes[0].reasons) await hit.getByText(reason, { exact: false }).waitFor();
  await here.settled();
  await accessible(here.page);
  await hit.click();
  await here.page.waitForURL(/view=observations/);
  await here.page.getByRole('list', { name: 'Chosen' }).getByText('The zeppelin kiosk closes early on Fridays').waitFor();
});

test('agents and runs are found by their names', async () => {
  await search('Customer supp');
  await here.page.locator('[data-action]').filter({ hasText: 'Agent' }).first().click();
  await here.page.getByRole('heading', { level: 1, name: 'Customer support' }).waitFor();
  await search('demo-report-3');
  await here.page.locator('[data-action]').filter({ hasText: 'Run' }).first().click();
  await here.page.waitForURL(/view=runs/);
});

test('of many agents each is found by its name, also those that no list begins with', async () => {
  const episodes = Array.from({ length: 120 }, (_, place) => ({ id: `crowd-${place}`, agentId: `a-crowd-${place}`, agentName: `Member of the crowd ${place}`, observation: 'One of many', outcome: 'SUCCESS' }));
  for (const part of [episodes.slice(0, 60), episodes.slice(60)]) {
    await here.ask('mutation ($episodes: [RecordEpisodeInput!]!) { recordEpisodes(input: {episodes: $episodes}) { result { failed } } }', { episodes: part });
  }
  await search('Customer supp');
  await here.page.locator('[data-action]').filter({ hasText: 'Agent' }).first().click();
  await here.page.getByRole('heading', { level: 1, name: 'Customer support' }).waitFor();
  // Whoever comes from there sees by whom the episodes are, though the choice names the first agents only.
  await here.page.getByRole('link', { name: /^Its / }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Episodes' }).waitFor();
  await here.settled();
  assert.equal(await here.page.getByLabel('Agent', { exact: true }).inputValue(), 'agent:support');
  await here.page.getByLabel('Agent', { exact: true }).selectOption({ label: 'any' });
  await here.page.waitForURL((url) => !url.href.includes('support'));
});

/** Has the API answer the question for the names of agents otherwise. */
const agentsAre = (how) => here.page.route('**/graphql', (route) => (route.request().postData().includes('query AgentNames') ? how(route) : route.continue()));

test('of very many agents the first are looked through, and that there are more is said', async () => {
  let asked = 0;
  await agentsAre((route) => {
    asked++;
    const nodes = Array.from({ length: 100 }, (_, place) => ({ id: `agent:${asked}-${place}`, name: `One of page ${asked}` }));
    return route.fulfill({ json: { data: { agents: { nodes, pageInfo: { hasNextPage: true, endCursor: `${asked}` } } } } });
  });
  await search('of page 1');
  await here.page.locator('[data-action]').filter({ hasText: 'One of page 1' }).first().waitFor();
  assert.equal(asked, 1, 'enough were found on the first page');
  await here.page.getByLabel('Search for').fill('xylophone quartz');
  await here.page.getByText('There are more agents: only the first 2,000 were looked through.').waitFor();
  await here.page.getByText('Nothing was found.').waitFor();
  await accessible(here.page);
  assert.equal(asked, 20);
});

test('where agents cannot be read that is said, and the next word tries it again', async () => {
  here.forgiven = /503/;
  await agentsAre((route) => route.fulfill({ status: 503, body: 'gone' }));
  await here.open('/recall', 'Recall');
  await here.page.keyboard.press('Control+k');
  await here.page.getByLabel('Search for').fill('xylophone quartz');
  await here.page.getByText('That could not be answered: The server answered 503').waitFor();
  await here.page.getByLabel('Search for').fill('refund policy');
  await here.page.getByText('Not all could be looked through: The server answered 503').waitFor();
  await accessible(here.page);
  await here.page.unroute('**/graphql');
  await here.page.getByLabel('Search for').fill('Customer supp');
  await here.page.locator('[data-action]').filter({ hasText: 'Agent' }).first().waitFor();
  await here.page.getByText('Not all could be looked through').waitFor({ state: 'detached' });
});
