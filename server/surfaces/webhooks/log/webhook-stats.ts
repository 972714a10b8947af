import type { z } from 'zod';
import { MAX_STATS_BUCKETS, type getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import type { Db } from '../../../platform/db/db.ts';
import { invalidInput } from '../../../platform/kernel/refusal.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import { countAnswers, countDeliveries, measureAttempts, type StatsRange } from './stats.sql.ts';

type Stats = z.infer<(typeof getWebhookStats)['response']>;

const BUCKET_MS = { hour: 3_600_000, day: 24 * 3_600_000 } as const;

/** Throws 400 for a range that ends before it begins, or has more points of time than one answer. */
export function requireStatsRange({ from, to, bucket }: Pick<StatsRange, 'from' | 'to' | 'bucket'>): void {
  const length = to.getTime() - from.getTime();
  if (length <= 0) throw invalidInput([{ path: 'to', message: 'is not after from' }]);
  if (length / BUCKET_MS[bucket] > MAX_STATS_BUCKETS)
    throw invalidInput([
      { path: 'bucket', message: `makes more than ${MAX_STATS_BUCKETS} points of this time` },
    ]);
}

/** Measures a webhook's deliveries and attempts of a time. */
export async function measureWebhook(db: Db, webhook: WebhookKey, range: StatsRange): Promise<Stats> {
  const [deliveries, attempts, answers] = await Promise.all([
    db.query(countDeliveries(webhook, range)),
    db.query(measureAttempts(webhook, range)),
    db.query(countAnswers(webhook, range)),
  ]);
  return {
    deliveries: [...Map.groupBy(deliveries, ({ at }) => at.toISOString())].map(([at, rows]) => ({
      at,
      ...NONE,
      ...Object.fromEntries(rows.map(({ state, total }) => [state, total])),
    })),
    attempts: attempts.map((row) => ({
      at: row.at.toISOString(),
      delivered: row.delivered,
      failed: row.failed,
      durationMs: { p50: row.duration_p50, p95: row.duration_p95 },
      delayMs: row.delay_p50 === null ? null : { p50: row.delay_p50, p95: row.delay_p95 ?? row.delay_p50 },
    })),
    answers: answers.map(({ answer, total }) => ({ answer, attempts: total })),
  };
}

const NONE = { delivered: 0, pending: 0, retrying: 0, exhausted: 0, dropped: 0 };
