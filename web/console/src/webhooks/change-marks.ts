import { startOfDay, toDay } from '../../../../contract/time-zone.ts';
import type { Mark } from '../charts/chart-types.ts';
import { getBucketEnd, HOUR_MS, type WebhookStats } from './stats.ts';

export type WebhookChange = WebhookStats['changes'][number];

interface Buckets {
  bucket: 'hour' | 'day';
  /** Of the days. */
  zone: string;
}

/** The beginning of the hour or of the day that holds a time. */
function getBucketStart(at: string, { bucket, zone }: Buckets): string {
  const time = Date.parse(at);
  const start =
    bucket === 'hour' ? new Date(Math.floor(time / HOUR_MS) * HOUR_MS) : startOfDay(toDay(time, zone), zone);
  return start.toISOString();
}

/** The hours or days of a chart: those that have something, and those in which something changed. */
export const listBuckets = (
  filled: readonly { at: string }[],
  changes: readonly WebhookChange[],
  buckets: Buckets,
): string[] =>
  [
    ...new Set([...filled.map(({ at }) => at), ...changes.map(({ at }) => getBucketStart(at, buckets))]),
  ].toSorted();

interface MarkOptions extends Buckets {
  describe: (change: WebhookChange) => string;
}

/** A line for each hour or day in which something changed, where its first change was. */
export function buildMarks(
  ats: readonly string[],
  changes: readonly WebhookChange[],
  { describe, ...buckets }: MarkOptions,
): Mark[] {
  const byBucket = Map.groupBy(changes, ({ at }) => getBucketStart(at, buckets));
  return [...byBucket].map(([start, list], index) => {
    const from = Date.parse(start);
    const until = Date.parse(getBucketEnd(start, buckets.bucket, buckets.zone));
    const first = Date.parse(list[0]?.at ?? start);
    return {
      position: ats.indexOf(start) + (first - from) / (until - from),
      short: String(index + 1),
      text: list.map(describe).join('; '),
    };
  });
}
