import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseLosslessly } from './parse-resource.ts';

/** The definition: the reviver of every value sees the text of its number. */
const parseWithReviver = (text: string): unknown =>
  JSON.parse(text, ((key: string, value: unknown, { source }: { source?: string }) =>
    key === '__proto__' ? undefined : typeof value === 'number' ? source : value) as (
    key: string,
    value: unknown,
  ) => unknown);

const attempt = (parse: (text: string) => unknown, text: string): unknown => {
  try {
    return { parsed: parse(text) };
  } catch {
    return 'no JSON';
  }
};

const CASES = [
  '{"a": 1.00, "b": [-0.5e+10, 2 , 3\n], "c": {"d": 7}}',
  '[1,2.50,-3E-2]',
  '7',
  ' -7.0 ',
  '{"text": "dose: 5, then [6] and \\"7\\"", "n": 8}',
  '{"a": "\\\\", "b": 9}',
  '{"a": "\\\\\\"", "b": 9}',
  '{"__proto__": 1, "b": 2}',
  '{"\\u005f_proto__": {"x": 1}, "b": 2}',
  '{"é": 1, "日": "2", "c": 3}',
  // No JSON, and none may become of it.
  '{1: 2}',
  '{"a": 1, 2: 3}',
  '{"a": 01}',
  '{"a": 1.}',
  '{"a": .5}',
  '{"a": +1}',
  '{"a": --1}',
  '{"a": 1e}',
  '{"a": 0x10}',
  '{"a": 1 2}',
  '{"a": 1"b": 2}',
  '{"a": "x"1}',
  '{"a": tru1e}',
  '{"a": 1, 2}',
  '[1,]',
  '[1\u000b]',
  '[1\u00a0]',
  '{"a": "open, 1}',
  '{"a": "open\\',
  '{"a": 1',
  '1 2',
  '-',
  '',
];

describe('JSON with its numbers as they were written', () => {
  for (const text of CASES)
    it(`is read as with a reviver, or refused as by it: ${JSON.stringify(text)}`, () =>
      assert.deepEqual(attempt(parseLosslessly, text), attempt(parseWithReviver, text)));

  it('is the same as with a reviver for any JSON, in any spacing', () =>
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), fc.constantFrom(undefined, 1, '\t', '\r\n '), (text, spacing) => {
        const spaced = JSON.stringify(JSON.parse(text), null, spacing);
        assert.deepEqual(attempt(parseLosslessly, spaced), attempt(parseWithReviver, spaced));
      }),
    ));

  it('makes nothing of texts that are no JSON: a character of one removed, doubled or replaced', () =>
    fc.assert(
      fc.property(
        fc.json({ maxDepth: 3 }),
        fc.nat(),
        fc.constantFrom('', '"', '\\', ',', ':', '[', ']', '{', '}', '1', '-', '.', 'e', ' ', '\u000b'),
        (text, where, character) => {
          const at = where % (text.length + 1);
          for (const broken of [
            text.slice(0, at) + character + text.slice(at),
            text.slice(0, at) + character + text.slice(at + 1),
          ])
            assert.deepEqual(attempt(parseLosslessly, broken), attempt(parseWithReviver, broken));
        },
      ),
      { numRuns: 2000 },
    ));
});
