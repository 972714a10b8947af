import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DURATION_BUCKETS_MS, estimatePercentile, findDurationBucket } from './duration-buckets.ts';

it('a duration falls into the first bucket that holds it', () => {
  for (const [ms, index] of [
    [0, 0],
    [5, 0],
    [5.1, 1],
    [10_000, 10],
    [10_001, 11],
  ] as const)
    assert.equal(findDurationBucket(ms), index, String(ms));
});

it('a percentile is estimated within the bucket that holds it', () => {
  const counts = (filled: Record<number, number>): number[] =>
    DURATION_BUCKETS_MS.map((_bound, index) => filled[index] ?? 0);
  assert.equal(estimatePercentile(counts({}), 0.5), null);
  assert.equal(estimatePercentile(counts({ 4: 100 }), 0.5), 75);
  assert.equal(estimatePercentile(counts({ 0: 90, 6: 10 }), 0.5), 3);
  assert.equal(estimatePercentile(counts({ 0: 90, 6: 10 }), 0.95), 350);
  assert.equal(estimatePercentile(counts({ 0: 1, 11: 99 }), 0.95), 10_000);
});
