import { raw, type Sql } from '../../../platform/db/sql.ts';

/** So many buckets lie between a time and twice of it: what is read from one is within 5 % of the time. */
const PER_DOUBLING = 8;

/** The bucket of milliseconds, as SQL: 0 holds up to 1 ms, each other one what is above the bound of the one before; null of null. */
export const toBucket = (milliseconds: string): Sql =>
  raw(
    `case when ${milliseconds} <= 1 then 0 else ceil(${PER_DOUBLING} * ln(${milliseconds}::float8) / ln(2::float8))::int end`,
  );

/** How many measurements are in each bucket. */
export type Histogram = ReadonlyMap<number, number>;

/** Returns the milliseconds that a share of all did not exceed, from the middle of the bucket; null where nothing was measured. */
export function findPercentile(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].sort(([one], [other]) => one - other);
  const rank = share * buckets.reduce((sum, [, count]) => sum + count, 0);
  let below = 0;
  for (const [bucket, count] of buckets) {
    below += count;
    if (below >= rank) return bucket === 0 ? 1 : Math.round(2 ** ((bucket - 0.5) / PER_DOUBLING));
  }
  return null;
}
