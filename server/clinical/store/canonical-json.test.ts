import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalizeJson, isSameJson } from './canonical-json.ts';

describe('JSON of the same content', () => {
  it('is the same in other indentation, key order and escapes', () => {
    const spelled = [
      '{"a":[1.00,{"b":"é/","c":null}],"d":true}',
      '{\n  "d" : true,\r\n  "a" : [ 1.00, { "c": null, "b": "\\u00e9\\/" } ]\n}',
    ];
    assert.ok(isSameJson(spelled[0] as string, spelled[1] as string));
    assert.equal(canonicalizeJson(spelled[1] as string), spelled[0]);
  });

  it('is another with other digits, values, members or order of members', () => {
    const base = '{"a":[1.0,"2"],"b":{}}';
    for (const other of [
      '{"a":[1.00,"2"],"b":{}}',
      '{"a":["1.0","2"],"b":{}}',
      '{"a":["2",1.0],"b":{}}',
      '{"a":[1.0,"2"],"b":[]}',
      '{"a":[1.0,"2"]}',
      '{"a":[1.0,"2"],"b":{},"c":null}',
    ])
      assert.ok(!isSameJson(base, other), other);
  });

  it('may be deep, and have any key', () => {
    const deep = '['.repeat(500) + ']'.repeat(500);
    assert.equal(canonicalizeJson(deep.replaceAll('[', '[ ')), deep);
    assert.ok(!isSameJson('{"__proto__":1}', '{"__proto__":2}'));
    assert.ok(!isSameJson('{"__proto__":1}', '{}'));
  });
});
