// A server that wants a key: the explorer asks for it, and keeps it for the tab.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { explorer, meetsTheRules } from '../explorer.mjs';

const key = 'a-key-of-the-test-only';
const here = explorer({ sample: true, env: { MNEME_API_KEY: key }, refusals: true });

const open = () => here.open('/', 'Sign in');

async function signIn(as) {
  await here.page.getByLabel(/^API key/).fill(as);
  await here.page.getByRole('button', { name: 'Sign in' }).click();
}

test('the right key opens the page that was wanted, and stays for the tab only', async () => {
  await here.open('/episodes?outcome=FAILURE', 'Sign in');
  await signIn(key);
  await here.page.getByRole('heading', { level: 1, name: 'Episodes' }).waitFor();
  await here.page.reload();
  await here.page.getByRole('heading', { level: 1, name: 'Episodes' }).waitFor();
  assert.equal(await here.page.getByLabel('Outcome').inputValue(), 'FAILURE');
  assert.equal(await here.page.evaluate(() => JSON.stringify(localStorage).includes('key-of-the-test')), false);
});

test('a wrong key is said to be wrong', async () => {
  await open();
  await signIn('not-the-key-at-all');
  await here.page.getByText('That key is not the one').waitFor();
});

test('the key is forgotten by a button', async () => {
  await open();
  await signIn(key);
  await here.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await here.page.getByRole('button', { name: 'Forget the key' }).click();
  await here.page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
});

test('a key that cannot be sent is said to be wrong, and not that the server is away', async () => {
  await open();
  await signIn('a-key-with-an-ellipsis…');
  await here.page.getByText('That key is not the one').waitFor();
  await signIn(key);
  await here.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

meetsTheRules(here, 'signin', open);
