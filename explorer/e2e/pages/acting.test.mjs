// What people do on the pages: they say how it was, label verdicts, mend concepts, and delete.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer } from '../explorer.mjs';

const here = explorer();

const button = (name) => here.page.getByRole('button', { name, exact: true });
const dialog = () => here.page.getByRole('dialog');

test('an episode is corrected with a thumb, and a canvas of it is rated @neo4j', async () => {
  await here.ask(`mutation { recordEpisode(input: {id: "acted", agentId: "support", observation: "A form is shown", outcome: SUCCESS}) { episode { id } }
    recordCanvasActions(input: {actions: [{canvasId: "acted", canvasType: "forms", episodeId: "acted", action: PRESENT}]}) { result { failed } } }`);
  await here.open('/episodes/episode%3Aacted', 'A form is shown');
  const region = here.page.getByRole('region', { name: 'Say how it was' });
  await region.getByLabel('What it should have been').fill('Ask for the order first');
  await region.getByLabel('Your name').fill('robin');
  await region.getByRole('button', { name: 'Bad' }).click();
  await here.page.getByRole('region', { name: 'Timeline' }).getByText('robin disliked it').waitFor();
  assert.equal(await region.getByLabel('What it should have been').inputValue(), '');
  await region.getByLabel('On', { exact: true }).selectOption({ label: 'canvas forms' });
  await region.getByLabel('Comment').fill('Too long');
  await region.getByRole('button', { name: '2 of 5' }).click();
  await here.page.getByRole('region', { name: 'Timeline' }).getByText('robin gave 2 of 5').waitFor();
  const { episode } = await here.ask('{ episode(id: "acted") { feedbackContext { type rating corrections comment createdBy canvas { id } } } }');
  assert.deepEqual(episode.feedbackContext, [
    { type: 'RATING', rating: 2, corrections: null, comment: 'Too long', createdBy: 'robin', canvas: { id: 'canvas:acted' } },
    { type: 'THUMBS_DOWN', rating: null, corrections: 'Ask for the order first', comment: null, createdBy: 'robin', canvas: null },
  ]);
});

test('ten verdicts are labelled', async () => {
  await here.open('/judges?judge=report-critic', 'Judges and patterns');
  const verdicts = here.page.getByRole('list', { name: 'Verdicts' }).locator(':scope > li');
  await verdicts.nth(9).waitFor();
  for (let place = 0; place < 10; place++) {
    const label = verdicts.nth(place).getByRole('button', { name: 'I would approve' });
    await label.click();
    await label.and(here.page.locator('[aria-pressed=true]')).waitFor();
  }
  const { verdicts: found } = await here.ask('{ verdicts(judgeId: "report-critic", first: 10) { nodes { label } } }');
  assert.deepEqual(found.nodes.map(({ label }) => label), Array(10).fill(true));
});

test('a concept is edited, linked, superseded and deleted', async () => {
  await here.ask(`mutation { createMemoir(input: {id: "acting", name: "Acting"}) { memoir { id } }
    a: addConcept(input: {id: "old-way", memoirId: "acting", name: "Old way of stapling", content: "Staple twice."}) { concept { id } }
    b: addConcept(input: {id: "new-way", memoirId: "acting", name: "New way of stapling", content: "Glue it."}) { concept { id } } }`);
  await here.open('/memory?concept=concept%3Aold-way', 'Memory');
  await button('Edit…').click();
  await dialog().getByLabel('What is known').fill('Staple three times.');
  await here.settled();
  await accessible(here.page);
  await dialog().getByRole('button', { name: 'Save' }).click();
  await here.page.getByText('Before, since').waitFor();
  const find = async (name) => {
    await dialog().getByLabel('Find the other concept').fill(name);
    await dialog().getByRole('button', { name: `${name} (Acting)` }).click();
  };
  await button('Link…').click();
  await dialog().getByLabel('How it relates').selectOption('ALTERNATIVE_TO');
  await find('New way of stapling');
  await dialog().getByRole('button', { name: 'Link', exact: true }).click();
  await here.page.getByRole('list', { name: 'Relations' }).getByText('alternative to').waitFor();
  await button('Supersede…').click();
  await find('New way of stapling');
  await dialog().getByRole('button', { name: 'Supersede', exact: true }).click();
  await here.page.getByRole('region', { name: 'New way of stapling' }).waitFor();
  const { concept } = await here.ask('{ concept(id: "old-way") { content revisions { content } supersededBy { id } relations { type } } }');
  assert.deepEqual(concept, { content: 'Staple three times.', revisions: [{ content: 'Staple twice.' }], supersededBy: { id: 'concept:new-way' }, relations: [{ type: 'ALTERNATIVE_TO' }, { type: 'SUPERSEDED_BY' }] });
  await button('Delete…').click();
  await dialog().getByText('2 relations', { exact: false }).waitFor();
  await dialog().getByRole('button', { name: 'Delete for good' }).click();
  await here.page.getByText('Choose a concept to see').waitFor();
  assert.equal((await here.ask('{ concept(id: "new-way") { id } }')).concept, null);
});

test('an episode is deleted after a preview, and so is what is listed', async () => {
  const episodes = ['one', 'two', 'three'].map((name) => ({ id: `gone-${name}`, agentId: 'gone', taskType: 'to_be_forgotten', observation: `To go: ${name}`, outcome: 'SUCCESS' }));
  await here.ask('mutation ($episodes: [RecordEpisodeInput!]!) { recordEpisodes(input: {episodes: $episodes}) { result { failed } } }', { episodes });
  await here.open('/episodes/episode%3Agone-one', 'To go: one');
  await button('Delete…').click();
  await dialog().getByText('0 canvases and 0 reactions', { exact: false }).waitFor();
  await dialog().getByRole('button', { name: 'Delete for good' }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Episodes' }).waitFor();
  await here.open('/episodes?task=to_be_forgotten', 'Episodes');
  await button('Delete what is listed…').click();
  await here.settled();
  await accessible(here.page);
  await dialog().getByRole('button', { name: 'Delete 2 episodes for good' }).click();
  await here.page.getByText('No episode passes the filters.').waitFor();
  assert.equal((await here.ask('{ episodes(filter: {taskType: "to_be_forgotten"}) { totalCount } }')).episodes.totalCount, 0);
});
