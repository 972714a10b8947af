import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countNew, isSameRows } from './rows.ts';

const rows = (...ids: string[]) => ids.map((id) => ({ id }));
const getId = ({ id }: { id: string }): string => id;

it('counts the rows above the first that is shown already', () => {
  assert.equal(countNew(rows('d', 'c', 'b'), rows('b', 'a'), getId), 2);
  assert.equal(countNew(rows('b', 'a'), rows('b', 'a'), getId), 0);
  assert.equal(countNew(rows('f', 'e'), rows('b', 'a'), getId), 2);
  assert.equal(countNew(undefined, rows('a'), getId), 0);
});

it('knows rows in their places, which may be shown anew, from those that would jump', () => {
  assert.ok(isSameRows(rows('b', 'a'), rows('b', 'a'), getId));
  for (const newest of [rows('c', 'b'), rows('a', 'b'), rows('b'), rows('b', 'a', 'z'), undefined])
    assert.ok(!isSameRows(newest, rows('b', 'a'), getId));
});
