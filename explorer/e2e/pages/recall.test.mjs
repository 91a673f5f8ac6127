// Recall, as somebody uses it who would rather look than read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const situation = 'A customer wants a refund for an order that came too late';
const query = `query ($input: RecallInput!) { recall(input: $input) { hits { reasons episode { title } score { total } } lessons } }`;

const hits = () => here.page.getByRole('list', { name: 'Experiences, best first' }).locator(':scope > li:has(h2)');

async function titles() {
  await here.settled();
  return (await hits().locator('h2').allInnerTexts()).map((title) => title.replace(/^\d+\. /, ''));
}

async function recalled(input) {
  const { recall } = await here.ask(query, { input: { situation, ...input } });
  return recall;
}

async function recall() {
  await here.open('/recall', 'Recall');
  await here.page.getByLabel('Situation', { exact: true }).fill(situation);
  await here.page.getByRole('button', { name: 'Recall', exact: true }).click();
  await hits().first().waitFor();
  await here.page.waitForURL(/q=/);
}

test('a situation is typed, and what is recalled is what the API says, in its order @neo4j', async () => {
  await recall();
  const { hits: wanted } = await recalled({ topK: 5 });
  assert.deepEqual(await titles(), wanted.map(({ episode }) => episode.title));
  await hits().first().getByText(wanted[0].score.total.toFixed(2), { exact: true }).waitFor();
  for (const reason of wanted[0].reasons) await hits().first().getByText(reason, { exact: true }).waitFor();
});

test('a moment of a hit opens its episode at the step @neo4j', async () => {
  await recall();
  const moment = here.page.getByRole('list', { name: 'Moments' }).locator('a[href*="?action="], a[href*="?thought="]').first();
  await moment.click();
  await here.page.waitForURL(/episodes\/.*\?(action|thought)=\d+/);
  await here.page.getByRole('region', { name: 'Timeline' }).locator('mark').waitFor();
});

for (const written of ['true', '1e3', '007', 'null', '{"a": 1}', '[1,2]', '"quoted"']) {
  test(`a situation in the address is text: ${written}`, async () => {
    await here.open(`/recall?q=${encodeURIComponent(written)}`, 'Recall');
    assert.equal(await here.page.getByLabel('Situation', { exact: true }).inputValue(), written === '"quoted"' ? 'quoted' : written);
    await here.page.getByLabel('Situation', { exact: true }).fill(written);
    await here.page.getByRole('button', { name: 'Recall', exact: true }).click();
    await here.settled();
    await here.page.reload();
    await here.settled();
    assert.equal(await here.page.getByLabel('Situation', { exact: true }).inputValue(), written, 'the address that the page writes');
  });
}

test('what was recalled stays where it cannot be asked again', async () => {
  here.forgiven = /503/;
  await recall();
  const before = await titles();
  await here.page.route('**/graphql', (route) => route.fulfill({ status: 503, body: 'gone' }));
  await here.page.getByRole('button', { name: 'Refresh' }).click();
  const failure = here.page.getByText('The server or its store is not there just now.');
  await failure.first().waitFor();
  await here.page.getByText('below is what was answered before').first().waitFor();
  assert.deepEqual(await titles(), before);
  await here.page.unroute('**/graphql');
  await here.page.getByRole('button', { name: 'Refresh' }).click();
  await failure.first().waitFor({ state: 'detached' });
  assert.deepEqual(await titles(), before);
});

test('without feedback the order is the one that the API says, and each hit tells where it was', async () => {
  await here.open(`/recall?q=${encodeURIComponent(situation)}&top=20`, 'Recall');
  const before = await titles();
  await here.page.getByRole('switch', { name: 'Feedback counts' }).press('Space');
  await here.page.getByText('from 1', { exact: true }).or(here.page.getByText('same place')).first().waitFor();
  const { hits: wanted } = await recalled({ topK: 20, ranking: { feedback: 'OFF' } });
  const after = await titles();
  assert.deepEqual(after, wanted.map(({ episode }) => episode.title));
  assert.notDeepEqual(after, before);
  const moved = after.findIndex((title, place) => before[place] !== title && before.indexOf(title) === before.lastIndexOf(title) && before.includes(title));
  await hits().nth(moved).getByText(`from ${before.indexOf(after[moved]) + 1}`).waitFor();
});

test('the back button brings back the recall before', async () => {
  await recall();
  const before = await titles();
  await here.page.getByLabel('Outcome').selectOption('FAILURE');
  await here.page.waitForURL(/outcome=FAILURE/);
  await here.settled();
  assert.notDeepEqual(await titles(), before);
  await here.page.goBack();
  await here.settled();
  assert.deepEqual(await titles(), before);
  assert.equal(await here.page.getByLabel('Outcome').inputValue(), '');
});

test('a weight is moved with the keyboard, and stands in the address', async () => {
  await recall();
  await here.page.getByRole('slider', { name: 'Match' }).focus();
  await here.page.keyboard.press('ArrowLeft');
  await here.page.waitForURL(/match=0.65/);
});

test('what went wrong in similar situations stands below, with what another run did @neo4j', async () => {
  await recall();
  const { cautions } = (await here.ask(`query ($input: RecallInput!) { recall(input: $input) { cautions { reasons episode { title } } } }`, { input: { situation } })).recall;
  assert.ok(cautions.length > 0);
  const section = here.page.getByRole('region', { name: 'What went wrong in similar situations' });
  for (const { episode, reasons } of cautions) {
    await section.getByText(episode.title).first().waitFor();
    await section.getByText(reasons.at(-1), { exact: true }).first().waitFor();
  }
});

test('next steps, variants, two settings side by side, and why an episode is not among the hits', async () => {
  const { recall: found } = await here.ask('query ($input: RecallInput!) { recall(input: $input) { hits { times episode { id title } } } }', { input: { situation, topK: 50, variants: 'SEPARATE' } });
  const last = found.hits.at(-1).episode;
  await here.open(`/recall?q=${encodeURIComponent(situation)}&match=0.1`, 'Recall');
  await here.page.getByLabel('Why not this one?').fill(`${here.url}/#/episodes/${encodeURIComponent(last.id)}`);
  await here.page.getByRole('button', { name: 'Explain' }).click();
  const why = here.page.getByRole('region', { name: 'An episode that is missing' });
  await why.getByRole('link', { name: last.title }).waitFor();
  await why.getByText(/^It (has place \d+|is )/).waitFor();
  await here.page.getByLabel('Why not this one?').fill(`${here.url}/#/episodes/100%-sure`);
  await here.page.getByRole('button', { name: 'Explain' }).click();
  await why.getByText('There is no 100%-sure.').waitFor();
  await here.page.getByRole('tab', { name: 'Side by side' }).click();
  await here.page.getByRole('table', { name: 'Two settings side by side' }).waitFor();
  await here.page.getByRole('tab', { name: 'Next steps' }).click();
  const { nextSteps } = await here.ask('query ($input: NextStepsInput!) { nextSteps(input: $input) { name } }', { input: { situation, topK: 8 } });
  const steps = here.page.getByRole('list', { name: 'Next steps' }).getByRole('listitem');
  await steps.first().waitFor();
  assert.deepEqual(await steps.locator('b').allInnerTexts(), nextSteps.map(({ name }) => name));
});

test('where nothing is like it, the page says so', async () => {
  await here.open('/recall?q=qwzx%20zzzqqq%2012345', 'Recall');
  await here.page.getByText('Nothing remembered is like this situation').waitFor();
});

test('the lessons are those that the agent gets', async () => {
  await recall();
  await here.page.getByRole('tab', { name: 'Lessons' }).click();
  const { lessons } = await recalled({ topK: 5 });
  await here.page.getByText(lessons.trim().split('\n')[2]).waitFor();
  await here.page.getByRole('button', { name: 'Copy the lessons' }).waitFor();
});

test('the GraphQL behind it runs in the playground', async () => {
  await recall();
  await here.page.getByRole('tab', { name: 'GraphQL' }).click();
  await here.page.getByRole('link', { name: 'Open in the playground' }).click();
  await here.page.locator('.graphiql-query-editor .monaco-editor').waitFor();
  await here.page.getByRole('button', { name: /execute query/i }).click();
  await here.page.waitForFunction(() => document.querySelector('.result-window')?.textContent.includes('"approximate"'));
});

test('an example is recalled by a click', async () => {
  await here.open('/recall', 'Recall');
  const example = here.page.locator('form').getByRole('button').nth(1);
  const begun = (await example.innerText()).replace(/…$/, '');
  await example.click();
  await here.page.waitForURL(/q=/);
  const asked = await here.page.getByLabel('Situation', { exact: true }).inputValue();
  assert.ok(asked.startsWith(begun) && /^\W|^$/.test(asked.slice(begun.length)), `${begun} is no beginning by whole words of ${asked}`);
  await here.settled();
  assert.ok((await hits().count()) > 0);
});

test('an earlier date answers as of then @neo4j', async () => {
  const asOf = new Date(Date.now() - 40 * 86_400_000).toISOString();
  await here.open(`/recall?q=${encodeURIComponent(situation)}&asOf=${encodeURIComponent(asOf)}`, 'Recall');
  const { hits: wanted } = await recalled({ topK: 5, asOf });
  const { hits: now } = await recalled({ topK: 5 });
  assert.notDeepEqual(wanted, now);
  assert.deepEqual(await titles(), wanted.map(({ episode }) => episode.title));
});

test('weights and the half-life decide the order, as the API says', async () => {
  await here.open(`/recall?q=${encodeURIComponent(situation)}&top=20&match=0.1&recency=0.9&halfLife=3`, 'Recall');
  const { hits: wanted } = await recalled({ topK: 20, ranking: { semanticWeight: 0.1, temporalWeight: 0.9, halfLifeDays: 3 } });
  assert.deepEqual(await titles(), wanted.map(({ episode }) => episode.title));
});

test('the tab stands in the address, and the lessons are copied', async () => {
  await here.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await here.open(`/recall?q=${encodeURIComponent(situation)}`, 'Recall');
  await here.page.getByRole('tab', { name: 'Lessons' }).click();
  await here.page.waitForURL(/tab=lessons/);
  await here.page.reload();
  await here.page.getByRole('button', { name: 'Copy the lessons' }).click();
  await here.page.getByRole('button', { name: 'Copied' }).waitFor();
  const { lessons } = await recalled({ topK: 5 });
  assert.equal(await here.page.evaluate(() => navigator.clipboard.readText()), lessons);
});

test('a card has a bar of its score, and the canvases of its episode', async () => {
  await recall();
  const { recall: found } = await here.ask('query ($input: RecallInput!) { recall(input: $input) { hits { episode { canvasContext { canvasType componentType } } } } }', { input: { situation, topK: 5 } });
  const place = found.hits.findIndex(({ episode }) => episode.canvasContext.length > 0);
  assert.ok(place >= 0);
  const [canvas] = found.hits[place].episode.canvasContext;
  await hits().nth(place).getByText(canvas.componentType ? `${canvas.canvasType}/${canvas.componentType}` : canvas.canvasType, { exact: true }).first().waitFor();
});

test('the keyboard alone goes from the question to an episode', async () => {
  await here.open('/recall', 'Recall');
  const press = async (key, times = 1) => {
    for (let n = 0; n < times; n++) await here.page.keyboard.press(key);
  };
  const focused = () => here.page.evaluate(() => document.activeElement?.innerText ?? '');
  await press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await press('Enter');
  await press('Tab');
  await here.page.keyboard.type(situation);
  await press('Enter');
  await hits().first().waitFor();
  await here.settled();
  for (let n = 0; n < 80 && (await focused()) !== 'The whole episode'; n++) await press('Tab');
  await press('Enter');
  await here.page.getByRole('region', { name: 'Timeline' }).waitFor();
});

meetsTheRules(here, 'recall', recall);
for (const [tab, button] of [
  ['lessons', 'Copy the lessons'],
  ['graphql', 'Copy the query'],
]) {
  meetsTheRules(here, `recall-${tab}`, async () => {
    await here.open(`/recall?q=${encodeURIComponent(situation)}&tab=${tab}`, 'Recall');
    await here.page.getByRole('button', { name: button }).waitFor();
  });
}
