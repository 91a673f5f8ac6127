// Memory: what agents know and noticed, and what keeps it in order.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const items = (name) => here.page.getByRole('list', { name, exact: true }).locator(':scope > li');

const light = (id, content) =>
  here.ask('mutation ($input: RecordObservationInput!) { recordObservation(input: $input) { observation { id } } }', { input: { id, content, importance: 'LOW' } });

test('a superseded concept says so, and leads to the one in its place', async () => {
  await here.open('/memory', 'Memory');
  await here.page.getByRole('button', { name: 'Refund policy of 2023' }).click();
  const region = here.page.getByRole('region', { name: 'Refund policy of 2023' });
  await region.getByText('superseded', { exact: true }).waitFor();
  await region.getByText('In its place holds').getByRole('link').click();
  await here.page.getByRole('region', { name: 'Refund policy', exact: true }).getByText('contradicted', { exact: true }).waitFor();
});

test('what a concept says stands beside what it said before', async () => {
  await here.open('/memory?concept=concept%3Ademo-canary', 'Memory');
  const { concept } = await here.ask('{ concept(id: "demo-canary") { content revisions { content } } }');
  const region = here.page.getByRole('region', { name: 'Canary' });
  for (const { content } of [concept, ...concept.revisions]) await region.getByText(content, { exact: true }).waitFor();
});

test('a link to a concept of another memoir shows it among the concepts of that', async () => {
  const made = async (memoir, concept) => {
    await here.ask('mutation ($input: CreateMemoirInput!) { createMemoir(input: $input) { memoir { id } } }', { input: { id: memoir, name: `Memoir ${memoir}` } });
    await here.ask('mutation ($input: AddConceptInput!) { addConcept(input: $input) { concept { id } } }', { input: { id: concept, memoirId: memoir, name: concept, content: 'Something.' } });
  };
  await made('aaa-first', 'explorer-first');
  await made('zzz-last', 'explorer-last');
  for (const [memoir, concept] of [['aaa-first', 'explorer-first'], ['zzz-last', 'explorer-last']]) {
    await here.open(`/memory?view=concepts&concept=concept%3A${concept}`, 'Memory');
    await here.page.getByRole('region', { name: concept }).waitFor();
    await here.page.getByRole('button', { name: concept, pressed: true }).waitFor();
    assert.equal(await here.page.getByLabel('Memoir').locator('option:checked').innerText(), `Memoir ${memoir}`);
  }
});

test('of many relations of a concept the first are shown, and it is said where there are more than are asked for', async () => {
  await here.ask('mutation { createMemoir(input: {id: "many", name: "Many"}) { memoir { id } } addConcept(input: {id: "hub", memoirId: "many", name: "The hub", content: "Has many."}) { concept { id } } }');
  const spokes = Array.from({ length: 1001 }, (_, place) => `spoke-${place}`);
  for (let place = 0; place < spokes.length; place += 10) {
    const some = spokes.slice(place, place + 10);
    const each = (what) => `mutation { ${some.map((id, of) => `a${of}: ${what(id)}`).join(' ')} }`;
    await here.ask(each((id) => `addConcept(input: {id: "${id}", memoirId: "many", name: "${id}", content: "One of many."}) { concept { id } }`));
    await here.ask(each((id) => `linkConcepts(input: {sourceId: "${id}", type: PART_OF, targetId: "hub"}) { relation { id } }`));
  }
  await here.open('/memory?concept=concept%3Ahub', 'Memory');
  const relations = here.page.getByRole('list', { name: 'Relations' }).getByRole('listitem');
  await relations.nth(29).waitFor();
  assert.equal(await relations.count(), 30);
  await accessible(here.page);
  await here.page.getByRole('button', { name: 'All 1000 relations' }).click();
  await relations.nth(999).waitFor();
  await here.page.getByText('It may have more; the graph has all.').waitFor();
});

test('pruning shows what would be deleted, and cancelling deletes nothing', async () => {
  await light('explorer-kept', 'Somebody may need this.');
  const count = async () => (await here.ask('{ observations { totalCount } }')).observations.totalCount;
  const before = await count();
  await here.open('/memory?view=observations', 'Memory');
  await here.page.getByRole('button', { name: 'Preview' }).click();
  const dialog = here.page.getByRole('dialog');
  const { prune } = await here.ask('mutation { prune(input: {minWeight: 0.3, dryRun: true}) { candidates } }');
  assert.ok(prune.candidates > 0);
  await dialog.getByRole('list', { name: 'What would be deleted' }).waitFor();
  assert.equal(await dialog.getByRole('listitem').count(), prune.candidates);
  await here.settled();
  await accessible(here.page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(await count(), before);
});

test('what weighs little is deleted once that is said @neo4j', async () => {
  await light('explorer-light', 'Nobody needs this.');
  await here.open('/memory?view=observations', 'Memory');
  await here.page.getByLabel('Those that weigh less than').fill('0.25');
  await here.page.getByRole('button', { name: 'Preview' }).click();
  await here.page.getByRole('dialog').getByText('Nobody needs this.').waitFor();
  await here.page.getByRole('button', { name: /for good/ }).click();
  await here.page.getByRole('dialog').waitFor({ state: 'detached' });
  await here.settled();
  assert.equal((await here.ask('{ node(id: "observation:explorer-light") { id } }')).node, null);
});

test('of long observations and corrections the beginning is shown, which unfolds', async () => {
  const long = 'What was noticed is told at length. '.repeat(500);
  await here.ask('mutation ($long: String!) { recordObservation(input: {id: "long", content: $long, importance: CRITICAL}) { observation { id } } recordCorrection(input: {id: "long", topic: "length", prediction: $long, correction: $long}) { correction { id } } }', { long });
  const height = () => items('Chosen').first().evaluate((item) => item.clientHeight);
  for (const kind of ['observation', 'correction']) {
    await here.open(`/memory?view=${kind}s&${kind}=${kind}%3Along`, 'Memory');
    await items('Chosen').first().waitFor();
    const folded = await height();
    assert.ok(folded < 400, `${kind} is ${folded} high`);
    await items('Chosen').first().locator('summary').last().click();
    assert.ok((await height()) > 2 * folded);
  }
  const right = items('Chosen').first().locator('details').last();
  assert.equal(await right.locator('summary b').count(), 1);
  assert.equal((await right.innerText()).split('Right: ').length, 2);
  await here.ask('mutation { deleteObservation(input: {id: "long"}) { deletedId } deleteCorrection(input: {id: "long"}) { deletedId } }');
});

test('corrections are filtered by topic', async () => {
  await here.open('/memory?view=corrections', 'Memory');
  const { correctionStats } = await here.ask('{ correctionStats { byTopic { topic count } } }');
  const { topic, count } = correctionStats.byTopic[0];
  await here.page.getByLabel('Topic').selectOption(topic);
  await here.page.waitForURL(/topic=/);
  await here.page.getByText(`${count} in all`).waitFor();
  assert.equal(await items('Corrections').count(), count);
});

test('what waits for its episode is told', async () => {
  await here.ask('mutation { submitFeedback(input: {id: "explorer-waits", episodeId: "explorer-nobody", type: THUMBS_UP, createdBy: "kim"}) { feedback { id } } }');
  await here.open('/memory?view=waiting', 'Memory');
  await here.page.getByText('kim liked it').waitFor();
});

test('a canvas that waits for its episode is told', async () => {
  await here.ask('mutation { recordCanvasActions(input: {actions: [{canvasId: "waiting-canvas", canvasType: "form", componentType: "WaitForm", episodeId: "explorer-nobody", action: PRESENT}]}) { result { failed } } }');
  await here.open('/memory?view=waiting', 'Memory');
  await here.page.getByText('form/WaitForm').waitFor();
});

test('the order of observations stands in the address', async () => {
  await here.open('/memory?view=observations', 'Memory');
  await here.page.getByLabel('Order').selectOption('CREATED_AT_DESC');
  await here.page.waitForURL(/order=CREATED_AT_DESC/);
  const { observations } = await here.ask('{ observations(orderBy: CREATED_AT_DESC, first: 1) { nodes { content } } }');
  await here.page.reload();
  await items('Observations').first().getByText(observations.nodes[0].content).waitFor();
});

test('an admin has the memory examined by a button', async () => {
  await here.open('/memory?view=health', 'Memory');
  await here.page.getByRole('button', { name: 'Examine' }).click();
  await here.page.getByText(/^All is well in \d+ parts/).waitFor();
});

for (const view of ['concepts', 'observations', 'corrections', 'waiting', 'health']) {
  const concept = view === 'concepts' ? '&concept=concept%3Ademo-canary' : '';
  meetsTheRules(here, `memory-${view}`, () => here.open(`/memory?view=${view}${concept}`, 'Memory'));
}
