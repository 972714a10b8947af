import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { locateMembers, spellBytes, type Pointer } from './locate-members.ts';
import { removeRanges } from './redact.ts';
import { removeMembers } from './remove-members.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

/** Members at these places, and what is empty then, left out of the value itself. */
function without(value: Json, left: ReadonlySet<Json>): Json | undefined {
  if (typeof value !== 'object' || value === null) return value;
  const isList = Array.isArray(value);
  const all = Object.entries(value);
  const kept = all.flatMap(([key, inner]) => {
    const rest = left.has(inner) ? undefined : without(inner, left);
    return rest === undefined ? [] : [[key, rest] as const];
  });
  if (kept.length === 0 && all.length > 0) return undefined;
  return isList ? kept.map(([, inner]) => inner) : Object.fromEntries(kept);
}

function listObjects(value: Json, pointer: Pointer = []): { pointer: Pointer; value: Json }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = [...pointer, Array.isArray(value) ? Number(key) : key];
    const own = typeof inner === 'object' && inner !== null ? [{ pointer: at, value: inner }] : [];
    return [...own, ...listObjects(inner, at)];
  });
}

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>('a"\\', 'é,{}[]', 1.5, true, null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b"', 'ç', 'd\\'), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const object = fc.dictionary(fc.constantFrom('x', 'y', 'z'), json, { minKeys: 1, maxKeys: 3 });

describe('a body without some of its members', () => {
  for (const space of [undefined, 1, '\t'])
    it(`is byte for byte what it would be without them, ${space === undefined ? 'on one line' : `indented by ${JSON.stringify(space)}`}`, () => {
      fc.assert(
        fc.property(object, fc.func(fc.boolean()), (value, isLeft) => {
          const left = listObjects(value).filter(({ pointer }) => isLeft(pointer));
          const text = Buffer.from(JSON.stringify(value, null, space));
          const located = locateMembers(
            spellBytes(text.toString()),
            left.map(({ pointer }) => pointer),
          );
          assert.equal(located.length, left.length);
          const expected = without(value, new Set(left.map((each) => each.value))) ?? {};
          const result = removeRanges(text, located).toString();
          if (result.replace(/\s/g, '') === '{}') assert.deepEqual(expected, {});
          else assert.equal(result, JSON.stringify(expected, null, space));
          const parsed: unknown = JSON.parse(text.toString());
          const copy = removeMembers(
            parsed as object,
            left.map(({ pointer }) => pointer),
          );
          assert.deepEqual(copy, JSON.parse(result), 'the parsed body without them');
          assert.deepEqual(parsed, JSON.parse(text.toString()), 'the parsed body itself stays as it was');
        }),
        { numRuns: 300 },
      );
    });

  it('lacks both members of a name that stands there twice', () => {
    const text = Buffer.from('{"a":1, "b" : {"c":2},"b":3 }');
    assert.equal(removeRanges(text, locateMembers(text.toString(), [['b']])).toString(), '{"a":1 }');
  });
});
