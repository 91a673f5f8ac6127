// Judges and patterns: how judges decide, and what history taught.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();
const title = 'Judges and patterns';

const items = (name) => here.page.getByRole('list', { name }).locator(':scope > li');

test('verdicts are filtered by the type of section', async () => {
  await here.open('/judges', title);
  await here.page.getByLabel('Section type').selectOption('chart');
  await here.page.waitForURL(/section=chart/);
  const { verdicts } = await here.ask('{ verdicts(judgeId: "report-critic", sectionType: "chart", first: 20) { totalCount nodes { section { name } } } }');
  await here.page.getByText(`${verdicts.totalCount} in all`).waitFor();
  assert.equal(await items('Verdicts').count(), verdicts.nodes.length);
  await here.page.goBack();
  await here.page.waitForURL((url) => !url.hash.includes('section='));
});

test('the agreement with people is told with its interval', async () => {
  await here.open('/judges', title);
  // Of 15 labels 14 agree and κ is 0.865, so chance is 0.507: Wilson's interval of 14/15, 0.702 to 0.988, is 0.396 to 0.976 of κ.
  await here.page.getByText('0.86 (0.40 to 0.98)').waitFor();
});

test('what fails most comes first among what fails', async () => {
  await here.open('/judges?view=patterns', title);
  await here.page.getByLabel('Kind').selectOption('DONT');
  await here.page.waitForURL(/kind=DONT/);
  const { patterns } = await here.ask('{ patterns(kind: DONT, first: 20) { totalCount nodes { description } } }');
  await here.page.getByText(`${patterns.totalCount} in all`).waitFor();
  await items('Patterns').first().getByText(patterns.nodes[0].description).waitFor();
});

test('a run tells what became of its sections', async () => {
  await here.open('/judges', title);
  await here.page.getByRole('tab', { name: 'Runs' }).click();
  await here.page.waitForURL(/view=runs/);
  await items('Runs').first().waitFor();
  const { runs } = await here.ask('{ runs(first: 10) { nodes { id sections { name } } } }');
  assert.equal(await items('Runs').count(), runs.nodes.length);
  assert.equal(await items('Runs').first().getByRole('listitem').count(), runs.nodes[0].sections.length);
});

for (const view of ['judges', 'patterns', 'runs']) {
  meetsTheRules(here, view, () => here.open(`/judges?view=${view}`, title));
}
