// Episodes: the list with its filters, and one with all that is known of it.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer({ sample: true, env: { MNEME_TRACE_QUIET: '300ms' } });

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

test('beside a step stands what earlier episodes did next', async () => {
  const asked = `query ($input: NextStepsInput!) { nextSteps(input: $input) { name episodes example { episode { id } } } }`;
  const { episodes } = await here.ask('{ episodes(first: 100, filter: {taskType: "service_rollout"}) { nodes { id title observation startedAt actions { stepName result } } } }');
  const episode = episodes.nodes.find(({ actions }) => actions.length > 1);
  const [{ stepName, result }] = episode.actions;
  const input = { situation: episode.observation, lastStep: `${stepName} ${JSON.stringify(result) ?? ''}`.slice(0, 2000), stepsSoFar: [stepName], filter: { until: episode.startedAt }, topK: 3 };
  const { nextSteps } = await here.ask(asked, { input });
  assert.ok(nextSteps.length > 0);
  await here.open(`/episodes/${encodeURIComponent(episode.id)}`, episode.title);
  await here.page.getByRole('button', { name: 'What earlier episodes did next' }).first().click();
  const said = here.page.getByRole('list', { name: 'What earlier episodes did next' }).getByRole('listitem');
  await said.first().waitFor();
  assert.deepEqual((await said.allInnerTexts()).map((text) => text.slice(0, text.indexOf(':'))), nextSteps.map(({ name }) => name));
  await said.first().getByRole('link').click();
  await here.page.waitForURL((url) => url.hash.includes(encodeURIComponent(nextSteps[0].example.episode.id)));
});

test('whoever opens an episode by the keyboard goes on from its page', async () => {
  await here.open('/episodes', 'Episodes');
  await list().first().getByRole('link').press('Enter');
  await here.page.getByRole('region', { name: 'Timeline' }).waitFor();
  await here.settled();
  await here.page.waitForFunction(() => document.activeElement.id === 'content');
  await here.page.keyboard.press('Tab');
  assert.equal(await here.page.evaluate(() => document.getElementById('content').contains(document.activeElement)), true);
});

test('a page that is opened anew begins at its top', async () => {
  await here.open('/episodes', 'Episodes');
  await here.page.keyboard.press('Tab');
  await here.page.getByRole('link', { name: 'Skip to the content' }).and(here.page.locator(':focus')).waitFor();
});

test('in a narrow window Escape closes the list of pages, and a page that is chosen has the focus', async () => {
  await here.page.setViewportSize({ width: 390, height: 844 });
  await here.open('/episodes', 'Episodes');
  const pages = here.page.getByRole('button', { name: 'Pages', exact: true });
  const agents = here.page.getByRole('link', { name: 'Agents', exact: true });
  await pages.press('Enter');
  await agents.waitFor();
  await here.page.keyboard.press('Escape');
  assert.equal(await pages.getAttribute('aria-expanded'), 'false');
  await pages.and(here.page.locator(':focus')).waitFor();
  await pages.press('Enter');
  await agents.press('Enter');
  await here.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
  assert.equal(await pages.getAttribute('aria-expanded'), 'false');
  assert.equal(await here.page.evaluate(() => document.activeElement.id), 'content');
});

test('words find episodes by their moments, within the filters, and cautions are marked @neo4j', async () => {
  await here.ask('mutation { recordEpisode(input: {id: "explorer-words", agentId: "support", taskType: "odd_words", observation: "Somebody asks", outcome: FAILURE, actions: [{stepName: "call_gateway", result: {error: "ECONNRESET from the quokka gateway"}}]}) { episode { id } } }');
  await here.open('/episodes?task=odd_words', 'Episodes');
  await here.page.getByLabel('Words in them').fill('quokka gateway');
  await here.page.keyboard.press('Enter');
  await here.page.waitForURL(/q=quokka/);
  await list().first().getByText('caution').waitFor();
  await list().getByRole('link', { name: 'call_gateway' }).first().click();
  await here.page.waitForURL(/episodes\/.*\?action=0/);
  await here.page.getByRole('region', { name: 'Timeline' }).locator('mark').waitFor();
});

test('what is listed is saved as CSV', async () => {
  await here.open('/episodes?outcome=FAILURE', 'Episodes');
  const download = here.page.waitForEvent('download');
  await here.page.getByRole('button', { name: 'Save the list as CSV' }).click();
  const lines = String(await buffer(await (await download).createReadStream())).trim().split('\r\n');
  assert.equal(lines.length, 1 + (await list().count()));
  assert.match(lines[1], /^"episode:[^"]+",".*","FAILURE",/);
});

test('two episodes stand side by side, and the first difference is marked', async () => {
  await here.ask(`mutation { a: recordEpisode(input: {id: "side-a", agentId: "support", taskType: "sides", observation: "Roll out one", outcome: FAILURE, actions: [{stepName: "build", result: {ok: true}}, {stepName: "deploy"}]}) { episode { id } }
    b: recordEpisode(input: {id: "side-b", agentId: "support", taskType: "sides", observation: "Roll out two", outcome: SUCCESS, actions: [{stepName: "build", result: {ok: true}}, {stepName: "test"}, {stepName: "deploy"}]}) { episode { id } } }`);
  await here.open('/episodes/episode%3Aside-a', 'Roll out one');
  await here.page.getByRole('link', { name: 'Compare…' }).click();
  await here.page.getByRole('button', { name: 'Roll out two' }).click();
  const rows = here.page.getByRole('table', { name: 'Two episodes' }).locator('tbody tr');
  await rows.first().waitFor();
  await here.settled();
  assert.match(await rows.filter({ hasText: 'first difference' }).innerText(), /first difference\s+did not\s+test/i);
  assert.equal(await rows.count(), 1 + 1 + 3 + 2);
  await accessible(here.page);
});

test('an episode is opened from the list, and the back button brings back the list @neo4j', async () => {
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
  await here.page.getByRole('region', { name: 'Canvases' }).getByText('Shown charts, closed after 22 s').waitFor();
  // 22:30 in London is half past eleven at night in Berlin, where the reader is.
  await region.getByText(/23:30/).first().waitFor();
});

const moments = () => here.page.getByRole('region', { name: 'Timeline' }).locator('.mantine-Timeline-item');

test('thoughts and actions stand at their times among the rest, where the episode has a log', async () => {
  await open();
  const { id } = await withLog();
  const { replay } = await here.ask('query ($id: ID!) { replay(episodeId: $id, first: 100) { nodes { type data at } } }', { id });
  const steps = replay.nodes.flatMap(({ type, data }) => (type === 'agent_thought' ? [data.thought] : type === 'step_completed' ? [`Did ${data.step_name}`] : []));
  assert.ok(steps.length > 1);
  const told = await moments().allInnerTexts();
  assert.deepEqual(told.filter((text) => /^(Thought|Did )/.test(text)).map((text) => steps.find((step) => text.includes(step))), steps);
  const times = await moments().locator('time').evaluateAll((all) => all.map(({ dateTime }) => Date.parse(dateTime)));
  assert.equal(times.length, told.length);
  assert.deepEqual(times, [...times].sort((a, b) => a - b));
});

test('thoughts and actions of which nobody knows when they were stand in their own order, and say so', async () => {
  await here.ask(`mutation { recordEpisode(input: {id: "explorer-untimed", agentId: "support", observation: "Somebody asks", outcome: SUCCESS,
    thoughts: ["First it has to be found", "It is lost"], actions: [{stepName: "find_parcel", result: {found: false}}, {stepName: "send_again"}]}) { episode { id } }}`);
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent('episode:explorer-untimed')}`);
  await here.page.getByText('when they were is not known').waitFor();
  const told = (await moments().allInnerTexts()).map((text) => text.split('\n').filter(Boolean));
  assert.deepEqual(told.slice(1, 5).map(([what]) => what), ['Thought', 'Thought', 'Did find_parcel', 'Did send_again']);
  assert.deepEqual(told.slice(1, 3).map(([, words]) => words), ['First it has to be found', 'It is lost']);
  assert.equal(await moments().nth(3).locator('time').count(), 0);
});

test('of long runs it is said that only the first steps are compared', async () => {
  const long = (id, count) => ({ id, agentId: 'long', observation: 'Something long', outcome: 'SUCCESS', actions: Array.from({ length: count }, (_, n) => ({ stepName: `step-${n}` })) });
  await here.ask('mutation ($episodes: [RecordEpisodeInput!]!) { recordEpisodes(input: {episodes: $episodes}) { result { failed } } }', { episodes: [long('long-501', 501), long('long-2', 2)] });
  await here.open('/compare?a=episode%3Along-501&b=episode%3Along-2', 'Two episodes');
  await here.page.getByText('Only the first 500 steps of each are compared.').waitFor();
});

test('of a trace the timeline tells how long each step took, and what its model read, wrote and cost @neo4j', async () => {
  const nano = (second) => `${Date.UTC(2026, 4, 1, 9, 0, second)}000000`;
  const attributes = (values) => Object.entries(values).map(([key, value]) => ({ key, value: { [typeof value === 'string' ? 'stringValue' : 'doubleValue']: value } }));
  const traceId = randomBytes(16).toString('hex');
  const span = (place, parent, name, from, to, values) => ({ traceId, spanId: `000000000000000${place}`, parentSpanId: parent && `000000000000000${parent}`, name, startTimeUnixNano: nano(from), endTimeUnixNano: nano(to), attributes: attributes(values) });
  const spans = [
    span(1, undefined, 'invoke_agent shop', 0, 9, { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'shop', 'input.value': 'Where is parcel 7?', 'output.value': 'It is in Lyon.' }),
    span(2, 1, 'chat', 1, 3, { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'model-x', 'gen_ai.output.messages': '[{"role":"assistant","content":"I look it up."}]', 'gen_ai.usage.input_tokens': 1200, 'gen_ai.usage.output_tokens': 35, 'gen_ai.usage.cost': 0.0042 }),
    span(3, 1, 'execute_tool', 4, 8, { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'find_parcel', 'gen_ai.tool.call.result': 'Lyon' }),
  ];
  const sent = await fetch(`${here.url}/v1/traces`, { method: 'POST', headers: { 'Content-Type': 'application/json', ...(here.key && { Authorization: `Bearer ${here.key}` }) }, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }) });
  assert.equal(sent.status, 200);
  while (!(await here.ask('query ($id: ID!) { episode(id: $id) { id } }', { id: traceId })).episode) await here.page.waitForTimeout(200);
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent(`episode:${traceId}`)}`);
  await moments().filter({ hasText: 'Thought of model-x' }).getByText('took 2 s, read 1200 tokens, wrote 35, for $0.0042').waitFor();
  await moments().filter({ hasText: 'Did find_parcel' }).getByText('took 4 s').waitFor();
});

test('of a long log the timeline shows the beginning, and more by a button; the replay goes to its end', async () => {
  const type = (n) => (n === 0 ? 'workflow_started' : n === 249 ? 'workflow_completed' : 'agent_thought');
  const events = Array.from({ length: 250 }, (_, n) => ({ type: type(n), data: { thought: `Thought number ${n}.` }, at: new Date(Date.UTC(2026, 0, 5, 9, 0, n)).toISOString() }));
  await here.ask('mutation ($events: [EventInput!]!) { captureRun(input: {runId: "explorer-long", agentId: "support", workflowName: "long_work", events: $events}) { episode { id } } }', { events });
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent('episode:explorer-long')}`);
  const region = here.page.getByRole('region', { name: 'Timeline' });
  await region.getByText('Thought number 39.').waitFor();
  assert.equal(await region.getByText('Thought number 40.').count(), 0);
  assert.match((await moments().last().innerText()), /^Ended/);
  await region.getByRole('button', { name: 'More of 210 steps' }).click();
  await region.getByText('Thought number 139.').waitFor();
  const replay = here.page.getByRole('region', { name: 'Replay' });
  await replay.getByRole('slider').press('End');
  await replay.getByText('249. workflow_completed').waitFor();
  await region.getByRole('button', { name: 'More of 110 steps' }).click();
  await region.getByText('Thought number 239.').waitFor();
});

test('texts of others are shown as texts, long ones folded', async () => {
  const text = '<img src=x onerror="document.title = 1"> مرحبا 👩‍👩‍👧 ';
  await here.ask('mutation ($input: RecordEpisodeInput!) { recordEpisode(input: $input) { episode { id } } }', {
    input: { id: 'explorer-odd', agentId: 'odd', agentName: text, title: text, taskType: text, observation: text, outcome: 'SUCCESS', thoughts: [text, `${text.repeat(40)}the end`], actions: [{ stepName: 'x'.repeat(200), result: text }] },
  });
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent('episode:explorer-odd')}`);
  await moments().nth(2).locator('summary').waitFor();
  await here.page.getByText('the end', { exact: false }).waitFor({ state: 'hidden' });
  await moments().nth(2).locator('summary').click();
  await here.page.getByText('the end', { exact: false }).waitFor();
  assert.equal(await here.page.locator('main img').count(), 0);
  await here.page.setViewportSize({ width: 390, height: 844 });
  assert.equal(await here.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0, 'wider than the window');
});

test('a fact in a script from right to left keeps what stands between the others', async () => {
  await here.ask('mutation { recordEpisode(input: {id: "explorer-rtl", agentId: "rtl", agentName: "Reader", taskType: "استرداد", observation: "Somebody reads", outcome: SUCCESS}) { episode { id } } }');
  await here.open('/episodes?agent=agent%3Artl', 'Episodes');
  const line = here.page.getByRole('list', { name: 'Episodes' }).locator(':scope > li');
  assert.deepEqual(await line.locator('bdi').allInnerTexts(), ['Reader', 'استرداد']);
  assert.match(await line.innerText(), /Reader · استرداد · /);
});

test('a step in the address that is no whole number is taken for the next one', async () => {
  await open();
  const { id } = await withLog();
  await here.page.goto(`${here.url}/#/episodes/${encodeURIComponent(id)}?step=1.6`);
  await here.page.getByRole('region', { name: 'Replay' }).getByText('step 3 of').waitFor();
  await here.page.getByRole('region', { name: 'Replay' }).getByText(/^2\. /).waitFor();
});

test('an address that names no episode says so', async () => {
  await here.open('/episodes/episode%3Anobody', 'No such episode');
});

meetsTheRules(here, 'episodes', () => here.open('/episodes', 'Episodes'));
meetsTheRules(here, 'episode', open);
