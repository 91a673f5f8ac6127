// Long texts by their beginnings: run with `npm test`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transformWithOxc } from 'vite';

const { code } = await transformWithOxc(readFileSync(new URL('./shortened.ts', import.meta.url), 'utf8'), 'shortened.ts');
const { heading, shortened } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

const told = [
  ['abc', 'abc'],
  ['abcd', 'abc…'],
  ['ab cd', 'ab…'],
  ['ab🚚', 'ab🚚'],
  ['ab🚚d', 'ab🚚…'],
  ['🚚🚚🚚', '🚚🚚🚚'],
  ['🚚🚚🚚🚚', '🚚🚚🚚…'],
];

for (const [text, short] of told) {
  test(`${text} in three characters is ${short}`, () => assert.equal(shortened(text, 3), short));
}

for (const [text, short] of [
  ['one two three', 'one two…'],
  ['one two ten', 'one two…'],
  ['onetwothree', 'onetwoth…'],
  ['one two thr', 'one two…'],
  ['one two', 'one two'],
  ['one twos ten', 'one twos…'],
]) {
  test(`${text} in eight characters of whole words is ${short}`, () => assert.equal(shortened(text, 8, true), short));
}

for (const [text, shown] of [
  ['A refund', 'A refund'],
  [' A\n\n\nrefund\twith\r\nlines ', 'A refund with lines'],
  [`A${' '.repeat(900)}refund`, 'A refund'],
  ['x'.repeat(160), 'x'.repeat(160)],
  ['x'.repeat(161), `${'x'.repeat(160)}…`],
]) {
  test(`a heading of ${text.length} characters is ${shown.length} long`, () => assert.equal(heading(text), shown));
}
