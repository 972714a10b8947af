import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseLosslessly } from './parse-resource.ts';
import { hasRepeatedMember } from './repeated-members.ts';

const isRepeated = (text: string): boolean => hasRepeatedMember(text, parseLosslessly(text));

describe('a JSON text with two members of one name', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":{"b":[{"c":1,"d":2,"c":3}]}}',
    '[{},{"a":"x:y","b":":","a":null}]',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":{"a":1}}',
    '{"a":[{"\\u005f_proto__":1}]}',
    '{"":1,"":2}',
  ])
    it(`is found: ${text}`, () => assert.ok(isRepeated(text)));

  for (const text of [
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"\\"b\\":1,\\"b\\":2","A":"::"}',
    '{"a:":1.00,":a":-2e5}',
    '[[],{},"",":",null,7]',
    '7',
  ])
    it(`is not seen in others: ${text}`, () => assert.ok(!isRepeated(text)));

  it('is found wherever it is put into any JSON', () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 4, noUnicodeString: false }), fc.nat(), (json, where) => {
        const text = JSON.stringify(JSON.parse(json), (key, value: unknown) =>
          key === '__proto__' ? undefined : value,
        );
        assert.ok(!isRepeated(text));
        // Where an object with members begins; a brace within a string is none.
        const objects = [...text.matchAll(/"(?:[^"\\]|\\.)*"|\{(?=(")((?:[^"\\]|\\.)*)":)/g)].filter(
          ([, quote]) => quote !== undefined,
        );
        const found = objects[where % Math.max(objects.length, 1)];
        if (found === undefined) return;
        const at = found.index + 1;
        assert.ok(isRepeated(`${text.slice(0, at)}"${found[2]}":[{"x":":"}],${text.slice(at)}`));
      }),
    ));
});
