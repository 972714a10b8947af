import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createEditCounter } from './edit-distance.ts';

describe('the edits between two words', () => {
  it('are letters inserted, deleted, replaced or swapped, up to a limit', () => {
    const countEdits = createEditCounter();
    for (const [one, other, edits] of [
      ['metformin', 'metformin', 0],
      ['metfromin', 'metformin', 1],
      ['metforman', 'metformin', 1],
      ['metformn', 'metformin', 1],
      ['mettformin', 'metformin', 1],
      ['metfromn', 'metformin', 2],
      ['asthma', 'athsma', 2],
      ['gout', 'metformin', 3],
      ['abcdef', 'uvwxyz', 3],
      ['', 'ab', 2],
      ['a'.repeat(65), 'a'.repeat(65), 3],
    ] as const) {
      assert.equal(countEdits(one, other, 2), edits, `${one} ${other}`);
      assert.equal(countEdits(other, one, 2), edits, `${other} ${one}`);
    }
  });
});
