import type { z } from 'zod';
import { addDays, startOfDay, toDay } from '../../../../contract/time-zone.ts';
import type { getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';

export type WebhookStats = z.infer<(typeof getWebhookStats)['response']>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** A length of time in hours, or in days of a zone. */
export interface StatsLength {
  lengthMs: number;
  bucket: 'hour' | 'day';
}

/** The beginning of a range that ends now: on the hour or the day, so that what was loaded for it is found in the cache. */
export function getRangeStart({ lengthMs, bucket }: StatsLength, zone: string): string {
  const start = Date.now() - lengthMs;
  const first =
    bucket === 'hour'
      ? new Date(Math.floor(start / HOUR_MS) * HOUR_MS)
      : startOfDay(toDay(start, zone), zone);
  return first.toISOString();
}

/** The end of the hour or of the day that begins at a time. */
export const getBucketEnd = (at: string, bucket: 'hour' | 'day', zone: string): string =>
  (bucket === 'hour'
    ? new Date(Date.parse(at) + HOUR_MS)
    : startOfDay(addDays(toDay(Date.parse(at), zone), 1), zone)
  ).toISOString();

/** Yesterday, as fields of days write it. */
export const getYesterday = (zone: string): string => addDays(toDay(Date.now(), zone), -1);

type DeliveryCounts = WebhookStats['deliveries'][number];

export const countAll = ({ delivered, pending, retrying, exhausted, dropped }: DeliveryCounts): number =>
  delivered + pending + retrying + exhausted + dropped;

/** The share of deliveries that were acknowledged; null: there was none. */
export function findAcknowledgedShare(deliveries: readonly DeliveryCounts[]): number | null {
  const all = deliveries.reduce((sum, each) => sum + countAll(each), 0);
  return all === 0 ? null : deliveries.reduce((sum, { delivered }) => sum + delivered, 0) / all;
}

export type DayState = 'none' | 'all' | 'some' | 'nothing';

/** How each of the last days of a zone went, oldest first. */
export function listDays(
  deliveries: readonly DeliveryCounts[],
  { count, now, zone }: { count: number; now: number; zone: string },
): DayState[] {
  const byDay = new Map(deliveries.map((each) => [toDay(Date.parse(each.at), zone), each]));
  const today = toDay(now, zone);
  return Array.from({ length: count }, (_, index) => {
    const counts = byDay.get(addDays(today, index + 1 - count));
    if (counts === undefined) return 'none';
    if (counts.delivered === countAll(counts)) return 'all';
    return counts.delivered > 0 ? 'some' : 'nothing';
  });
}
