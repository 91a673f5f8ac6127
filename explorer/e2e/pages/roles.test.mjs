// Keys of tenants: the pages offer what the key may do, and show nobody else's memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accessible } from '../browser.mjs';
import { explorer, someTenant } from '../explorer.mjs';

const [acme, other] = [someTenant('acme'), someTenant('other')];
const keys = {};
const remark = 'Only acme knows this.';

const here = explorer({
  refusals: true,
  begin: async (server) => {
    for (const role of ['reader', 'writer', 'admin']) keys[role] = await server.keyOf(acme, role);
    keys.other = await server.keyOf(other, 'admin');
    keys.revoked = await server.keyOf(acme, 'admin');
    server.key = keys.admin;
    await server.ask(`mutation { recordObservation(input: {content: "${remark}", importance: LOW}) { observation { id } } }`);
    await server.ask('mutation { recordVerdict(input: {runId: "r", sectionId: "s", sectionType: "verse", iteration: 0, status: APPROVE, judgeId: "critic", score: 1}) { verdict { id } } }');
    await server.ask('mutation { recordEpisode(input: {agentId: "ada", observation: "Work of acme", outcome: SUCCESS}) { episode { id } } }');
  },
});

async function open(path, key) {
  await here.open(path, 'Sign in');
  await here.signIn(key);
  await here.settled();
}

async function preview(key) {
  await open('/memory?view=observations', key);
  await here.page.getByLabel('Those that weigh less than').fill('1');
  await here.page.getByRole('button', { name: 'Preview' }).click();
  const dialog = here.page.getByRole('dialog');
  await dialog.getByText(remark).waitFor();
  return dialog;
}

for (const role of ['reader', 'writer']) {
  test(`a ${role} sees what would be pruned, and is not offered to delete it`, async () => {
    const dialog = await preview(keys[role]);
    await dialog.getByText('Deleting them needs a key of the role admin.').waitFor();
    assert.equal(await dialog.getByRole('button', { name: /for good/ }).count(), 0);
    await here.settled();
    await accessible(here.page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await here.page.getByText(`${acme} · ${role}`).first().waitFor();
  });

  test(`a ${role} is told that only an admin has the memory examined`, async () => {
    await open('/memory?view=health', keys[role]);
    await here.page.getByText('Having the memory examined needs a key of the role admin.').waitFor();
    assert.equal(await here.page.getByRole('button', { name: 'Examine' }).count(), 0);
  });
}

for (const role of ['reader', 'writer', 'admin']) {
  test(`${role}: a threshold is ${role === 'admin' ? '' : 'not '}offered to be applied to a judge`, async () => {
    await open('/judges?judge=critic', keys[role]);
    const region = here.page.getByRole('region', { name: 'Threshold' });
    const refused = region.getByText('Applying one needs a key of the role admin.');
    const offered = region.getByRole('button', { name: 'Apply one…' });
    await (role === 'admin' ? offered : refused).waitFor();
    assert.deepEqual([await offered.count(), await refused.count()], role === 'admin' ? [1, 0] : [0, 1]);
  });
}

test('an admin is offered to delete, and has the memory examined', async () => {
  const dialog = await preview(keys.admin);
  await dialog.getByRole('button', { name: 'Delete 1 for good' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await here.page.getByRole('tab', { name: 'Health' }).click();
  await here.page.getByRole('button', { name: 'Examine' }).click();
  await here.page.getByText(/^All is well in \d+ parts\.$/).waitFor(); // one examination goes at a time
  const { health } = await here.ask('{ health { faults findings { part } } }');
  assert.equal(health.faults, 0);
  await here.page.getByText(`All is well in ${health.findings.length} parts.`).waitFor();
  assert.equal(await here.page.getByRole('list', { name: 'Findings' }).getByRole('listitem').count(), health.findings.length);
  await here.settled();
  await accessible(here.page);
});

test('each role is offered what it may do with an episode and with keys', async () => {
  for (const [role, said, deleted, keyed] of [['reader', 0, 0, 0], ['writer', 1, 0, 0], ['admin', 1, 1, 1]]) {
    await open('/episodes', keys[role]);
    await here.page.getByRole('list', { name: 'Episodes' }).getByRole('link').first().click();
    await here.page.getByRole('region', { name: 'Timeline' }).waitFor();
    await here.page.getByText(`${acme} · ${role}`).first().waitFor();
    assert.equal(await here.page.getByRole('region', { name: 'Say how it was' }).count(), said, role);
    assert.equal(await here.page.getByRole('button', { name: 'Delete…' }).count(), deleted, role);
    await here.page.getByRole('link', { name: 'Memory', exact: true }).click();
    await here.page.getByRole('tab', { name: 'Health' }).waitFor();
    assert.equal(await here.page.getByRole('tab', { name: 'Keys' }).count(), keyed, role);
    if (role !== 'admin') await here.page.getByRole('button', { name: 'Forget the key' }).click();
  }
  await here.page.getByRole('tab', { name: 'Keys' }).click();
  await here.page.getByLabel('What it is for').fill('the robot');
  await here.page.getByRole('button', { name: 'Make', exact: true }).click();
  const secret = await here.page.getByRole('status').filter({ hasText: 'The key is shown this once' }).locator('code').innerText();
  await here.page.getByRole('button', { name: 'I have copied it' }).click();
  const line = here.page.getByRole('list', { name: 'Keys' }).getByRole('listitem').filter({ hasText: 'the robot' });
  await line.getByRole('button', { name: 'Revoke…' }).click();
  await here.settled();
  await accessible(here.page);
  await here.page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await line.getByText('revoked').waitFor();
  while ((await fetch(`${here.url}/graphql?query={__typename}`, { headers: { Authorization: `Bearer ${secret}` } })).status !== 401) await sleep(100);
});

test('nothing of one tenant is left when somebody of another signs in', async () => {
  await open('/episodes', keys.admin);
  await here.page.getByText('Work of acme').first().waitFor();
  await here.page.getByRole('button', { name: 'Forget the key' }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await here.page.evaluate(() => {
    // Whatever is shown from now on, however briefly.
    window.shown_ = '';
    new MutationObserver(() => (window.shown_ += document.body.innerText)).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  await here.signIn(keys.other);
  await here.page.getByText('There are no episodes yet.').waitFor();
  await here.page.getByText(`${other} · admin`).first().waitFor();
  assert.equal((await here.page.evaluate(() => window.shown_)).includes('Work of acme'), false);
});

test('a key that is revoked meanwhile leads to the sign-in, also from what is done by a button @neo4j', async () => {
  await open('/memory?view=observations', keys.revoked);
  await here.mneme('keys', 'revoke', keys.revoked.slice(0, 'mneme_'.length + 8));
  // The server learns of it within a second.
  while ((await fetch(`${here.url}/graphql?query={__typename}`, { headers: { Authorization: `Bearer ${keys.revoked}` } })).status !== 401) await sleep(100);
  await here.page.getByRole('button', { name: 'Preview' }).click();
  await here.page.getByText('That key is not the one').waitFor();
});
