// Agents: who should do a task, and what one of them learned.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();

const openOne = async () => {
  await here.open('/agents/agent%3Asupport?task=refund_request', 'Customer support');
  await here.page.getByRole('img', { name: /Expertise/ }).locator('svg').waitFor();
};

test('the ranking for a type of task is the one that the API says, with its reasons @neo4j', async () => {
  await here.open('/agents', 'Agents');
  await here.page.getByLabel('Task type', { exact: true }).selectOption('sales_report');
  await here.page.getByLabel('The task at hand').fill('revenue by product');
  await here.page.getByRole('button', { name: 'Rank', exact: true }).click();
  await here.page.waitForURL(/situation=revenue/);
  await here.settled();
  const { rankAgents } = await here.ask('{ rankAgents(taskType: "sales_report", situation: "revenue by product") { agent { name } reasons } }');
  const ranked = here.page.getByRole('list', { name: 'Agents, best first' });
  await ranked.getByText(rankAgents[0].reasons.at(-1)).waitFor();
  assert.deepEqual(await ranked.getByRole('link').allInnerTexts(), rankAgents.map(({ agent }) => agent.name));
});

test('an agent is opened from the ranking, with its curve', async () => {
  await here.open('/agents?task=refund_request', 'Agents');
  await here.page.getByRole('list', { name: 'Agents, best first' }).getByRole('link').first().click();
  await here.page.getByRole('heading', { level: 1, name: 'Customer support' }).waitFor();
  assert.equal(await here.page.getByLabel('Task type', { exact: true }).inputValue(), 'refund_request');
  await here.page.goBack();
  await here.page.getByRole('heading', { level: 1, name: 'Agents' }).waitFor();
});

test('each criterion of the next level is told with its gap', async () => {
  await openOne();
  const { agent } = await here.ask('{ agent(id: "support") { graduation { criteria { name value required met gap } } } }');
  const weighted = agent.graduation.criteria.find(({ name }) => name === 'qualityWeightedEpisodes');
  const tenth = (number) => String(Math.round(number * 10) / 10);
  await here.page.getByText(`${tenth(weighted.value)} of at least ${tenth(weighted.required)}, ${tenth(weighted.gap)} too few`).waitFor();
});

test('the curve has a dot for each execution, and is a table too', async () => {
  await openOne();
  const { learningProfile } = await here.ask('{ learningProfile(agentId: "support", taskType: "refund_request") { executionsTotal } }');
  const table = here.page.getByRole('table', { name: /Expertise/ });
  await here.page.getByText('As a table').first().click();
  await table.waitFor();
  const qualities = await table.locator('tbody tr td:last-child').allInnerTexts();
  assert.equal(qualities.filter(Boolean).length, learningProfile.executionsTotal);
  // It scrolls by itself in a narrow window, by the keyboard too.
  await here.page.setViewportSize({ width: 375, height: 812 });
  // The chart above is drawn anew a moment after the window has changed.
  await here.page.waitForFunction(() => document.documentElement.scrollWidth === document.documentElement.clientWidth);
  await accessible(here.page);
});

test('a dot of the curve leads to its episode', async () => {
  await openOne();
  await here.page.getByText('As a table').first().click();
  await here.page.getByRole('table', { name: /Expertise/ }).getByRole('link').first().click();
  await here.page.getByRole('region', { name: 'Timeline' }).waitFor();
});

test('each canvas of an agent stands with what people did with it, and in words which they stay with', async () => {
  await openOne();
  const { agent } = await here.ask('{ agent(id: "support") { canvasInsights { engages closesQuickly submits byType { canvasType componentType presentations meanDwellSeconds submits meanReward meanFeedback } } } }');
  const { byType, engages, closesQuickly, submits } = agent.canvasInsights;
  const region = here.page.getByRole('region', { name: 'What people do with its canvases' });
  const rows = region.getByRole('table').locator('tbody tr');
  assert.ok(byType.length > 1);
  assert.equal(await rows.count(), byType.length);
  const signed = (value) => (value === null ? '–' : `${value < 0 && value.toFixed(2) !== '-0.00' ? '−' : '+'}${Math.abs(value).toFixed(2)}`);
  for (const [place, type] of byType.entries()) {
    const [name, shown, open, submitted, reward, feedback] = await rows.nth(place).locator('td').allInnerTexts();
    assert.equal(name, type.componentType ? `${type.canvasType}/${type.componentType}` : type.canvasType);
    assert.deepEqual([shown, submitted, reward, feedback], [String(type.presentations), String(type.submits), signed(type.meanReward), signed(type.meanFeedback)]);
    assert.equal(open === '–', type.meanDwellSeconds === null);
  }
  const words = await region.getByText(/^People /).innerText();
  for (const name of [...engages, ...closesQuickly, ...submits]) assert.ok(words.includes(name), `${name} in ${words}`);
});

test('what people dislike most of all that is shown comes first', async () => {
  await here.open('/agents', 'Agents');
  const { agents } = await here.ask('{ agents(first: 100) { nodes { canvasInsights { byType { canvasType componentType meanFeedback } } } } }');
  const types = agents.nodes.flatMap(({ canvasInsights }) => canvasInsights.byType).filter(({ meanFeedback }) => meanFeedback !== null);
  const [worst] = types.sort((a, b) => a.meanFeedback - b.meanFeedback);
  const table = here.page.getByRole('table', { name: 'Canvases of all agents' });
  await table.waitFor();
  const first = table.locator('tbody tr').first();
  await first.getByText(worst.componentType ? `${worst.canvasType}/${worst.componentType}` : worst.canvasType, { exact: true }).waitFor();
});

test('alerts say what is the matter and what to do', async () => {
  await here.open('/agents', 'Agents');
  const { alerts } = await here.ask('{ alerts { subject happened do } }');
  const region = here.page.getByRole('region', { name: 'Alerts' });
  assert.ok(alerts.length > 0);
  for (const { subject, do: what } of alerts) {
    await region.getByText(subject, { exact: false }).first().waitFor();
    await region.getByText(what, { exact: false }).first().waitFor();
  }
});

meetsTheRules(here, 'agents', () => here.open('/agents', 'Agents'));
meetsTheRules(here, 'agent', openOne);
