// The example tabs must hold against the API as it is: run with `npm test`.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildSchema, parse, validate } from 'graphql';

const schema = buildSchema(read('../../../schema/schema.graphql'));
const examples = readdirSync(new URL('./examples/', import.meta.url));

function read(path) {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

test('there are examples', () => assert.notEqual(examples.length, 0));

for (const name of examples) {
  test(`${name} is valid`, () => {
    assert.deepEqual(validate(schema, parse(read(`./examples/${name}`))), []);
  });
  test(`${name} is a tab`, () => {
    assert.ok(read('./examples.ts').includes(`'./examples/${name}?raw'`), 'not imported by examples.ts');
  });
}
