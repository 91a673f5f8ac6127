// Episodes: the list with its filters, and one with all that is known of it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const list = () => here.page.getByRole('list', { name: 'Episodes' }).locator(':scope > li');

async function withLog() {
  const { episodes } = await here.ask('{ episodes(first: 100, filter: {taskType: "service_rollout"}) { nodes { id title events { totalCount } causes { totalCount } } } }');
  return episodes.nodes.find(({ events, causes }) => events.totalCount > 2 && causes.totalCount > 0);
}

const open = async () => {
  const { id, title } = await withLog();
  await here.open(`/episodes/${encodeURIComponent(id)}`, title);
  await here.page.getByRole('region', { name: 'Replay' }).waitFor();
};

test('filters stand in the address, and a fresh page by it shows the same', async () => {
  await here.open('/episodes', 'Episodes');
  await here.page.getByLabel('Outcome').selectOption('FAILURE');
  await here.page.getByLabel('Task type').selectOption('refund_request');
  await here.page.waitForURL(/outcome=FAILURE.*|task=refund_request/);
  await here.settled();
  const { episodes } = await here.ask('{ episodes(first: 20, filter: {outcome: FAILURE, taskType: "refund_request"}) { totalCount nodes { title } } }');
  assert.deepEqual(await list().getByRole('link').allInnerTexts(), episodes.nodes.map(({ title }) => title));
  await here.page.reload();
  await here.page.getByText(`${episodes.totalCount} in all`).waitFor();
  assert.equal(await here.page.getByLabel('Outcome').inputValue(), 'FAILURE');
});

test('more of the list is read by a button, and a refresh keeps it', async () => {
  await here.open('/episodes', 'Episodes');
  assert.equal(await list().count(), 20);
  await here.page.getByRole('button', { name: 'More', exact: true }).click();
  await list().nth(39).waitFor();
  await here.page.getByRole('button', { name: 'Refresh' }).click();
  await here.settled();
  assert.equal(await list().count(), 40);
});

test('an episode is opened from the list, and the back button brings back the list', async () => {
  await here.open('/episodes?outcome=SUCCESS', 'Episodes');
  const first = list().first().getByRole('link');
  const title = await first.innerText();
  await first.click();
  await here.page.getByRole('heading', { level: 1, name: title }).waitFor();
  await here.page.getByRole('region', { name: 'Timeline' }).waitFor();
  await here.page.goBack();
  await list().first().waitFor();
  assert.equal(await here.page.getByLabel('Outcome').inputValue(), 'SUCCESS');
});

test('a log is replayed step by step', async () => {
  await open();
  const { id } = await withLog();
  const { replay } = await here.ask('query ($id: ID!) { replay(episodeId: $id, first: 100) { nodes { sequence type } } }', { id });
  const region = here.page.getByRole('region', { name: 'Replay' });
  for (const { sequence, type } of replay.nodes) {
    await region.getByText(`${sequence}. ${type}`, { exact: true }).waitFor();
    const on = region.getByRole('button', { name: 'Step on' });
    if (await on.isEnabled()) await on.click();
  }
  await here.page.waitForURL(new RegExp(`step=${replay.nodes.length - 1}`));
  assert.equal(await region.getByRole('button', { name: 'Step on' }).isEnabled(), false);
});

test('what an episode caused is a way to follow, and back', async () => {
  await open();
  const follower = here.page.getByRole('region', { name: 'What it caused' }).getByRole('link').first();
  const title = await follower.innerText();
  await follower.click();
  await here.page.getByRole('heading', { level: 1, name: title }).waitFor();
  await here.page.getByRole('region', { name: 'What caused it' }).waitFor();
});

test('what was redacted is told by its kind, never as text', async () => {
  await here.ask(`mutation { recordEpisode(input: {
    id: "explorer-private", agentId: "support", observation: "Call <private>Mrs Noor at home</private> about the parcel", outcome: SUCCESS
  }) { episode { id } } }`);
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent('episode:explorer-private')}`);
  await here.page.getByText('redacted private: 1').waitFor();
  assert.equal(await here.page.getByText('Mrs Noor').count(), 0);
});

test('times are those of the reader, and a canvas says after how long it was closed', async () => {
  await here.ask(`mutation { recordEpisode(input: {id: "explorer-times", agentId: "support", observation: "A chart is shown", outcome: SUCCESS, startedAt: "2026-01-15T22:30:00Z"}) { episode { id } }
    recordCanvasActions(input: {actions: [
      {canvasId: "explorer-times", canvasType: "charts", episodeId: "explorer-times", action: PRESENT, at: "2026-01-15T22:31:00Z"},
      {canvasId: "explorer-times", canvasType: "charts", episodeId: "explorer-times", action: CLOSE, at: "2026-01-15T22:31:22Z"}]}) { result { failed } } }`);
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent('episode:explorer-times')}`);
  const region = here.page.getByRole('region', { name: 'Timeline' });
  await region.getByText('Person closed charts after 22 s').waitFor();
  // 22:30 in London is half past eleven at night in Berlin, where the reader is.
  await region.getByText(/23:30/).first().waitFor();
});

test('an address that names no episode says so', async () => {
  await here.open('/episodes/episode%3Anobody', 'No such episode');
});

meetsTheRules(here, 'episodes', () => here.open('/episodes', 'Episodes'));
meetsTheRules(here, 'episode', open);
