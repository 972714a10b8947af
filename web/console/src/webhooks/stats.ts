import type { z } from 'zod';
import type { getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';

export type WebhookStats = z.infer<(typeof getWebhookStats)['response']>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The beginning of a range that ends now: on the hour or the day, so that what was loaded for it is found in the cache. */
export function getRangeStart(lengthMs: number, bucket: 'hour' | 'day'): string {
  const unit = bucket === 'hour' ? HOUR_MS : DAY_MS;
  return new Date(Math.floor((Date.now() - lengthMs) / unit) * unit).toISOString();
}

/** Yesterday, as fields of days write it. */
export const getYesterday = (): string => new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);

type DeliveryCounts = WebhookStats['deliveries'][number];

export const countAll = ({ delivered, pending, retrying, exhausted, dropped }: DeliveryCounts): number =>
  delivered + pending + retrying + exhausted + dropped;

/** The share of deliveries that were acknowledged; null: there was none. */
export function findAcknowledgedShare(deliveries: readonly DeliveryCounts[]): number | null {
  const all = deliveries.reduce((sum, each) => sum + countAll(each), 0);
  return all === 0 ? null : deliveries.reduce((sum, { delivered }) => sum + delivered, 0) / all;
}

export type DayState = 'none' | 'all' | 'some' | 'nothing';

/** How each of the last days went, oldest first. */
export function listDays(deliveries: readonly DeliveryCounts[], count: number, now: number): DayState[] {
  const byDay = new Map(deliveries.map((each) => [each.at.slice(0, 10), each]));
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(now - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    const counts = byDay.get(day);
    if (counts === undefined) return 'none';
    if (counts.delivered === countAll(counts)) return 'all';
    return counts.delivered > 0 ? 'some' : 'nothing';
  });
}
