// How the steps of two episodes stand beside each other: run with `npm test`.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { transformWithOxc } from 'vite';

const { code } = await transformWithOxc(readFileSync(new URL('./align.ts', import.meta.url), 'utf8'), 'align.ts');
const { aligned } = await import(`data:text/javascript,${encodeURIComponent(code)}`);

for (const [left, right, rows] of [
  ['abc', 'abc', 'aa bb cc'],
  ['abc', 'axc', 'aa b- -x cc'],
  ['abc', 'bc', 'a- bb cc'],
  ['ab', '', 'a- b-'],
  ['', 'ab', '-a -b'],
  ['xaby', 'abz', 'x- aa bb y- -z'],
]) {
  test(`${left} beside ${right} is ${rows}`, () => {
    const found = aligned([...left], [...right], (a, b) => a === b);
    assert.equal(found.map(([a = '-', b = '-']) => a + b).join(' '), rows);
  });
}
