/** The upper bounds of the buckets that durations are counted in, milliseconds. */
export const DURATION_BUCKETS_MS = [
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  1000,
  2000,
  5000,
  10_000,
  Number.POSITIVE_INFINITY,
] as const;

/** Returns the index of the first bucket that a duration fits in. */
export const findDurationBucket = (ms: number): number =>
  DURATION_BUCKETS_MS.findIndex((bound) => ms <= bound);

/**
 * Estimates the duration that a share of all did not exceed: within its bucket, durations are taken to be spread evenly. The
 * last bucket has no upper bound, so it answers its lower one. Null where nothing was measured.
 */
export function estimatePercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [index, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const [from, to] = [DURATION_BUCKETS_MS[index - 1] ?? 0, DURATION_BUCKETS_MS[index] ?? 0];
      return Number.isFinite(to) ? Math.round(from + ((to - from) * (rank - below)) / count) : from;
    }
    below += count;
  }
  return null;
}
