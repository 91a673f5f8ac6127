// Judges and patterns: how judges decide, and what history taught.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from '../browser.mjs';
import { explorer, meetsTheRules } from '../explorer.mjs';

const here = explorer();
const title = 'Judges and patterns';

const items = (name) => here.page.getByRole('list', { name }).locator(':scope > li');

test('verdicts are filtered by the type of section', async () => {
  await here.open('/judges?judge=report-critic', title);
  await here.page.getByLabel('Section type').selectOption('chart');
  await here.page.waitForURL(/section=chart/);
  const { verdicts } = await here.ask('{ verdicts(judgeId: "report-critic", sectionType: "chart", first: 20) { totalCount nodes { section { name } } } }');
  await here.page.getByText(`${verdicts.totalCount} in all`).waitFor();
  assert.equal(await items('Verdicts').count(), verdicts.nodes.length);
  await here.page.goBack();
  await here.page.waitForURL((url) => !url.hash.includes('section='));
});

test('the agreement with people is told with its interval', async () => {
  await here.open('/judges?judge=report-critic', title);
  const { judgeTendencies } = await here.ask('{ judgeTendencies(judgeId: "report-critic") { calibration { reason } humanAgreement { kappa kappaLow kappaHigh } } }');
  const [kappa, low, high] = ['kappa', 'kappaLow', 'kappaHigh'].map((name) => judgeTendencies.humanAgreement[name].toFixed(2));
  await here.page.getByText(`${kappa} (${low} to ${high})`).waitFor();
  await here.page.getByText(`It ${judgeTendencies.calibration.reason}.`).waitFor();
  await here.page.getByRole('note', { name: /^Precision: / }).focus();
  await here.page.getByRole('tooltip').getByText('people approve too', { exact: false }).waitFor();
});

test('the threshold that is proposed says what it would change', async () => {
  await here.open('/judges?judge=report-critic', title);
  const { judgeTendencies } = await here.ask('{ judgeTendencies(judgeId: "report-critic") { thresholdProposal { threshold wouldApprove wouldReject } } }');
  const { threshold, wouldApprove, wouldReject } = judgeTendencies.thresholdProposal;
  assert.ok(threshold > 0 && wouldReject > 0);
  const region = here.page.getByRole('region', { name: 'Threshold' });
  await region.getByText(`Approve from ${threshold} on`, { exact: false }).waitFor();
  await region.getByText(`It would approve ${wouldApprove} that were rejected, and reject ${wouldReject} that were approved.`, { exact: false }).waitFor();
});

test('a threshold is applied once that is confirmed, and taken away again @neo4j', async () => {
  const judge = `applied-${process.pid}`;
  const verdicts = Array.from({ length: 20 }, (_, n) => ({ id: `${judge}-${n}`, runId: judge, sectionId: `s${n}`, sectionType: n < 10 ? 'verse' : 'prose', iteration: 0, status: n < 4 ? 'APPROVE' : 'SOFT_FAIL', judgeId: judge, score: 10 - n / 2 }));
  await here.ask('mutation ($input: RecordVerdictsInput!) { recordVerdicts(input: $input) { result { failed } } }', { input: { verdicts } });
  for (const [n, { id }] of verdicts.entries()) await here.ask('mutation ($id: ID!, $approve: Boolean!) { labelVerdict(input: {verdictId: $id, approve: $approve, labelledBy: "kim"}) { verdict { id } } }', { id, approve: n < 12 });
  const asked = async () => (await here.ask('query ($id: ID!) { judgeTendencies(judgeId: $id) { thresholdProposal { threshold } thresholds { sectionType threshold } } }', { id: judge })).judgeTendencies;
  const { threshold } = (await asked()).thresholdProposal;
  assert.ok(threshold > 0);
  await here.open(`/judges?judge=${judge}`, title);
  const region = here.page.getByRole('region', { name: 'Threshold' });
  const dialog = here.page.getByRole('dialog');
  await region.getByRole('button', { name: 'Apply it…' }).click();
  assert.equal(await dialog.getByLabel('Approve from').inputValue(), String(threshold));
  await here.settled();
  await accessible(here.page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual((await asked()).thresholds, []);
  await region.getByRole('button', { name: 'Apply it…' }).click();
  await dialog.getByLabel('On sections of the type').selectOption('verse');
  await dialog.getByRole('button', { name: `Apply ${threshold}` }).click();
  await region.getByText(`Applied to verse: ${threshold}`, { exact: false }).waitFor();
  assert.deepEqual((await asked()).thresholds, [{ sectionType: 'verse', threshold }]);
  await region.getByRole('button', { name: 'Take away…' }).click();
  await dialog.getByRole('button', { name: 'Take away' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.deepEqual((await asked()).thresholds.filter((applied) => applied.threshold !== null), []);
  assert.equal(await region.getByRole('button', { name: 'Take away…' }).count(), 0);
});

test('a score that cannot be a threshold is refused in the dialog, and nothing is applied', async () => {
  await here.open('/judges?judge=report-critic', title);
  await here.page.getByRole('region', { name: 'Threshold' }).getByRole('button', { name: /^Apply/ }).click();
  const dialog = here.page.getByRole('dialog');
  await dialog.getByLabel('Approve from').fill('');
  assert.equal(await dialog.getByRole('button', { name: 'Apply' }).isDisabled(), true);
  await dialog.getByLabel('Approve from').fill('2000000000');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('INVALID_INPUT').waitFor();
  const { judgeTendencies } = await here.ask('{ judgeTendencies(judgeId: "report-critic") { thresholds { threshold } } }');
  assert.equal(judgeTendencies.thresholds.some(({ threshold }) => threshold === 2e9), false);
});

test('the verdicts with which people disagree are a filter, and lead to their run', async () => {
  await here.open('/judges?judge=report-critic', title);
  await here.page.getByLabel('People', { exact: true }).selectOption('disagree');
  await here.page.waitForURL(/people=disagree/);
  const { verdicts } = await here.ask('{ verdicts(judgeId: "report-critic", disagreed: true, first: 20) { totalCount nodes { run { id } } } }');
  assert.ok(verdicts.totalCount > 0);
  await here.page.getByText(`${verdicts.totalCount} in all`).waitFor();
  assert.equal(await items('Verdicts').count(), verdicts.nodes.length);
  await items('Verdicts').first().getByRole('link', { name: verdicts.nodes[0].run.id }).click();
  await here.page.waitForURL(/view=runs/);
  await here.page.getByRole('heading', { level: 2, name: verdicts.nodes[0].run.id }).waitFor();
});

test('a judge is chosen', async () => {
  await here.ask(`mutation { recordVerdict(input: {id: "other-judge", runId: "other-run", sectionId: "a", sectionType: "verse", iteration: 0, status: APPROVE, judgeId: "other-judge", score: 1}) { verdict { id } } }`);
  const { judges } = await here.ask('{ judges }');
  await here.open('/judges?judge=report-critic', title);
  assert.ok(judges.includes('other-judge'));
  await here.page.getByLabel('Judge', { exact: true }).selectOption('other-judge');
  await here.page.waitForURL((url) => !url.hash.includes('report-critic'));
  const { judgeTendencies } = await here.ask('query ($id: ID!) { judgeTendencies(judgeId: $id) { calibration { reason } } }', { id: 'other-judge' });
  await here.page.getByText(`${judgeTendencies.calibration.reason}.`).waitFor();
});

test('issues that several sections of a run had are told as recurring', async () => {
  const ruling = (section) => `recordVerdict(input: {runId: "recurs", sectionId: "${section}", sectionType: "verse", iteration: 0, status: SOFT_FAIL, judgeId: "other-judge", score: 0.2, issues: [{code: "FLAT", area: "MOOD"}]}) { verdict { id } }`;
  await here.ask(`mutation { a: ${ruling('a')} b: ${ruling('b')} }`);
  await here.open('/judges?view=runs&run=run%3Arecurs', title);
  await here.page.getByText('FLAT in a, b').waitFor();
});

test('a run tells of its iterations, and what each changed', async () => {
  const ruling = (iteration, more) => `recordVerdict(input: {runId: "iterates", sectionId: "a", sectionType: "verse", iteration: ${iteration}, judgeId: "other-judge", ${more}}) { verdict { id } }`;
  await here.ask(`mutation { a: ${ruling(0, 'status: SOFT_FAIL, score: 0.25, issues: [{code: "FLAT"}]')} b: ${ruling(1, 'status: APPROVE, score: 0.75, patterns: ["rhyme"]')} }`);
  await here.open('/judges?view=runs', title);
  await here.page.getByRole('link', { name: 'run:iterates' }).click();
  const [first, second] = [items('Iterations of a').nth(0), items('Iterations of a').nth(1)];
  await first.getByText('once more').waitFor();
  assert.deepEqual(await second.getByRole('list', { name: 'What changed' }).getByRole('listitem').allInnerTexts(), ['score +0.50', 'mended: FLAT', 'now with: rhyme']);
  await here.settled();
  await accessible(here.page);
});

test('what fails most comes first among what fails', async () => {
  await here.open('/judges?view=patterns', title);
  await here.page.getByLabel('Kind').selectOption('DONT');
  await here.page.waitForURL(/kind=DONT/);
  const { patterns } = await here.ask('{ patterns(kind: DONT, first: 20) { nodes { description sectionType } } }');
  const named = patterns.nodes.map(({ description, sectionType }) => `${sectionType} ${description}`);
  await items('Patterns').nth(new Set(named).size).waitFor({ state: 'detached' }); // those of other kinds are gone
  await items('Patterns').first().getByText(patterns.nodes[0].description).waitFor();
});

test('a run tells what became of its sections', async () => {
  await here.open('/judges?judge=report-critic', title);
  await here.page.getByRole('tab', { name: 'Runs' }).click();
  await here.page.waitForURL(/view=runs/);
  await items('Runs').first().waitFor();
  const { runs } = await here.ask('{ runs(first: 10) { nodes { id sections { name } } } }');
  assert.equal(await items('Runs').count(), runs.nodes.length);
  assert.equal(await items('Runs').first().getByRole('listitem').count(), runs.nodes[0].sections.length);
});

for (const view of ['judges', 'patterns', 'runs']) {
  meetsTheRules(here, view, () => here.open(`/judges?view=${view}&judge=report-critic`, title));
}
