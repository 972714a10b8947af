import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasUnquotedId, replaceId } from './references.ts';

describe('the id of a resource', () => {
  for (const [body, replaced] of [
    ['{"id":"a","code":{"id":"b"}}', '{"id":"new","code":{"id":"b"}}'],
    ['{"text":{"id":"x"}, "id" : "a" }', '{"text":{"id":"x"}, "id" : "new" }'],
    ['{"id":null,"status":"final"}', '{"id":"new","status":"final"}'],
    ['{"id":5}', '{"id":"new"}'],
    ['{"id":["a",{"id":"}"}],"x":1}', '{"id":"new","x":1}'],
    ['{"id":{"a":[1,2]},"x":1}', '{"id":"new","x":1}'],
    ['{"kind":"id","x":1}', '{"id":"new","kind":"id","x":1}'],
    ['{}', '{"id":"new"}'],
  ] as const)
    it(`is replaced in ${body}`, () => assert.equal(replaceId(body, 'new'), replaced));

  for (const [body, isUnquoted] of [
    ['{"id":5}', true],
    ['{"code":{"id":"b"},"id" : -5.0}', true],
    ['{"id":"5","code":{"id":5}}', false],
    ['{"code":"\\"id\\":5","id":"5"}', false],
  ] as const)
    it(`is ${isUnquoted ? 'a number' : 'none'} in ${body}`, () =>
      assert.equal(hasUnquotedId(body), isUnquoted));
});
