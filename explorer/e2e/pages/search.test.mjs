// The search over all kinds, and the sign-in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer } from '../explorer.mjs';

const here = explorer();

async function search(words) {
  await here.open('/', 'Recall');
  await here.page.keyboard.press('Control+k');
  await here.page.getByLabel('Search for').fill(words);
  await here.page.locator('[data-action]').or(here.page.getByText('Nothing was found.')).first().waitFor();
}

test('Ctrl-K finds records of any kind, and leads to the first by the keyboard alone', async () => {
  await search('refund policy');
  const { search: found } = await here.ask('{ search(query: "refund policy", first: 1) { nodes { node { id ... on Concept { name } } } } }');
  assert.match(found.nodes[0].node.id, /^concept:/);
  await here.page.keyboard.press('ArrowDown');
  await here.page.keyboard.press('Enter');
  await here.page.getByRole('region', { name: found.nodes[0].node.name, exact: true }).waitFor();
});

test('what is not found is said, with what to do', async () => {
  await search('xylophone quartz');
  await here.page.getByText('Nothing was found. Try fewer or other words.').waitFor();
  await accessible(here.page);
});
