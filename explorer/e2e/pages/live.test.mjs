// What is recorded while a page is open is told on it, and moves nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer } from '../explorer.mjs';

const here = explorer();

let recorded = 0;

async function record(more = {}) {
  const id = `live-${process.pid}-${recorded++}`;
  const input = { id, agentId: 'support', observation: `Somebody asks about parcel ${id}`, outcome: 'SUCCESS', startedAt: new Date().toISOString(), ...more };
  await here.ask('mutation ($input: RecordEpisodeInput!) { recordEpisode(input: $input) { episode { id } } }', { input });
  return `episode:${id}`;
}

const list = () => here.page.getByRole('list', { name: 'Episodes' }).locator(':scope > li');
const titles = () => list().getByRole('link').allInnerTexts();
const news = (text) => here.page.getByRole('button', { name: text });

test('an episode that is recorded is told, the place stays, and it is shown when that is wanted @neo4j', async () => {
  await here.listening('episodeRecorded', () => here.open('/episodes', 'Episodes'));
  await list().nth(15).scrollIntoViewIfNeeded();
  const [before, place] = [await titles(), await here.page.evaluate(() => window.scrollY)];
  assert.ok(place > 0);
  const id = await record();
  await news('1 new: show').waitFor();
  await record();
  await news('2 new: show').waitFor();
  assert.deepEqual(await titles(), before);
  assert.equal(await here.page.evaluate(() => window.scrollY), place);
  await news('2 new: show').click();
  await here.settled();
  await list().getByText(id.replace('episode:', '')).waitFor();
  assert.equal(await news(/new: show/).count(), 0);
});

test('an episode that the filters leave out is not told', async () => {
  await here.listening('episodeRecorded', () => here.open('/episodes?outcome=FAILURE', 'Episodes'));
  await record({ outcome: 'SUCCESS' });
  await record({ outcome: 'FAILURE' });
  await news('1 new: show').waitFor();
});

test('feedback on an episode is told on its page', async () => {
  const id = await record();
  await here.listening('feedbackSubmitted', () => here.page.goto(`${here.url}/#/episodes/${encodeURIComponent(id)}`));
  await here.ask('mutation ($id: ID!) { submitFeedback(input: {episodeId: $id, type: THUMBS_UP, createdBy: "robin"}) { feedback { id } } }', { id });
  await news('1 new feedback: show').click();
  await here.page.getByRole('region', { name: 'Timeline' }).getByText('robin liked it').waitFor();
});

test('a verdict is told on the page of its judge, and executions on that of agents', async () => {
  await here.listening('verdictRecorded', () => here.open('/judges?judge=report-critic', 'Judges and patterns'));
  await here.ask(`mutation { recordVerdict(input: {id: "live-${process.pid}", runId: "demo-report-5", sectionId: "live-${process.pid}", sectionType: "chart", iteration: 0, status: APPROVE, judgeId: "report-critic", score: 8}) { verdict { id } } }`);
  await news('1 new: show').waitFor();
  await here.listening('agentRankingChanged', () => here.open('/agents?task=refund_request', 'Agents'));
  await here.ask('mutation { recordExecution(input: {agentId: "support", taskType: "refund_request", success: true, quality: 0.8}) { execution { id } } }');
  await news('The ranking may have changed: show').waitFor();
});

test('after a restart of the server it goes on from the last event @neo4j', async () => {
  here.forgiven = /ERR_|Failed to load resource/;
  await here.listening('episodeRecorded', () => here.open('/episodes', 'Episodes'));
  await record();
  await news('1 new: show').waitFor();
  await here.restart();
  await record();
  await news('2 new: show').waitFor();
});

test('while the server is away a line says so, pages stay, and what was wanted comes when it is back', async () => {
  here.forgiven = /ERR_|Failed to load resource|Failed to fetch/;
  const line = here.page.getByText('The server does not answer. This page stays');
  await here.listening('episodeRecorded', () => here.open('/episodes', 'Episodes'));
  const before = await titles();
  await here.away();
  await line.waitFor();
  await here.page.getByRole('link', { name: 'Memory', exact: true }).click();
  await here.page.waitForTimeout(700);
  assert.deepEqual(await titles(), before);
  await here.back();
  await here.page.getByRole('heading', { level: 1, name: 'Memory' }).waitFor();
  await line.waitFor({ state: 'detached' });
  await here.page.getByRole('region', { name: 'Concepts' }).or(here.page.getByRole('list', { name: 'Concepts' })).first().waitFor();
});

test('recall, graph and an agent tell of new episodes', async () => {
  for (const [path, heading] of [
    ['/recall', 'Recall'],
    ['/graph', 'Graph'],
    ['/agents/agent%3Asupport', 'Customer support'],
  ]) {
    await here.listening('episodeRecorded', () => here.open(path, heading));
    await record();
    await news('1 new episode: show').waitFor();
  }
});

test('a tab that is not seen gives its connection up, and misses nothing', async () => {
  await here.listening('episodeRecorded', () => here.open('/episodes', 'Episodes'));
  await record();
  await news('1 new: show').waitFor();
  const seen = (state) =>
    here.page.evaluate((to) => {
      Object.defineProperty(document, 'visibilityState', { value: to, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  await seen('hidden');
  await record();
  await here.listening('"after":"', () => seen('visible'));
  await news('2 new: show').waitFor();
});

test('after a break before the first event, what may be new is told, and nothing moves', async () => {
  here.forgiven = /ERR_|Failed to load resource/;
  await here.listening('episodeRecorded', () => here.open('/episodes', 'Episodes'));
  const before = await titles();
  await here.listening('episodeRecorded', async () => {
    await here.restart();
    await record();
  });
  await news('There may be more: show').waitFor();
  assert.deepEqual(await titles(), before);
  await news('There may be more: show').click();
  await here.settled();
  assert.notDeepEqual(await titles(), before);
  assert.equal(await news(/: show/).count(), 0);
});
