import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupAttempts } from './attempt-rounds.ts';

it('attempts that were counted from one again, since the delivery was sent again, stand by themselves', () => {
  const log = (...numbers: number[]) => numbers.map((deliveryAttempt) => ({ deliveryAttempt }));
  const group = (...numbers: number[]) =>
    groupAttempts(log(...numbers)).map((round) => round.map(({ deliveryAttempt }) => deliveryAttempt));
  assert.deepEqual(group(), []);
  assert.deepEqual(group(3, 2, 1), [[3, 2, 1]]);
  assert.deepEqual(group(2, 1, 8, 7, 6, 5, 4, 3, 2, 1), [
    [2, 1],
    [8, 7, 6, 5, 4, 3, 2, 1],
  ]);
  assert.deepEqual(group(1, 1, 1), [[1], [1], [1]]);
  // An attempt that killed the process has left no entry.
  assert.deepEqual(group(3, 1, 4, 2), [
    [3, 1],
    [4, 2],
  ]);
});
