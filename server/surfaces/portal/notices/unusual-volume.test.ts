import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isUnusualVolume } from './unusual-volume.ts';

describe('an unusual volume of reads', () => {
  for (const [reads, usual, isUnusual] of [
    [99, null, false],
    [100, null, true],
    [99, 1, false],
    [100, 1, true],
    [100, 10, false],
    [101, 10, true],
    [400, 40.5, false],
    [406, 40.5, true],
  ] as const)
    it(`is ${isUnusual ? '' : 'not '}${reads} in an hour where ${usual ?? 'nothing'} is usual`, () => {
      assert.equal(isUnusualVolume(reads, usual), isUnusual);
    });
});
