// How long something took, in words: run with `npm test`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transformWithOxc } from 'vite';

const { code } = await transformWithOxc(readFileSync(new URL('./numbers.ts', import.meta.url), 'utf8'), 'numbers.ts');
const { duration } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const told = [
  [0, '0 s'],
  [0.3, '0.3 s'],
  [4.96, '4.9 s'],
  [4.999, '4.9 s'],
  [0.1 + 0.2 + 4.7, '5 s'],
  [4.999999999, '5 s'],
  [9.97, '9.9 s'],
  [10.9, '10 s'],
  [59.9, '59 s'],
  [60, '1 min 0 s'],
  [119.9, '1 min 59 s'],
  [3599.9, '59 min 59 s'],
  [7199, '1 h 59 min'],
  [11000, '3 h 3 min'],
];

for (const [seconds, words] of told) {
  test(`${seconds} seconds are ${words}`, () => assert.equal(duration(seconds), words));
}
