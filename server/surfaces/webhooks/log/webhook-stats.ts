import type { z } from 'zod';
import type { AttemptAnswer } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { MAX_STATS_BUCKETS, type getWebhookStats } from '../../../../contract/webhooks/webhook-stats.ts';
import { maybeOne, type Db } from '../../../platform/db/db.ts';
import { findWholeDays } from '../../../platform/db/whole-days.ts';
import { invalidInput } from '../../../platform/kernel/refusal.ts';
import type { WebhookKey } from '../webhooks.sql.ts';
import { findPercentile, type Histogram } from './histogram.ts';
import * as statements from './stats.sql.ts';
import type { AttemptSumRow, SplitRange, StatsRange } from './stats.sql.ts';

type Stats = z.infer<(typeof getWebhookStats)['response']>;

const HOUR_MS = 3_600_000;
const BUCKET_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const;

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
export async function measureWebhook(
  db: Db,
  webhook: WebhookKey,
  range: StatsRange,
): Promise<Omit<Stats, 'changes'>> {
  const progress = await maybeOne(db, statements.findSummedUntil(webhook));
  // What is summed up to here stays as it is, so the statements agree.
  const split = splitRange(range, progress?.summed_until ?? null);
  const [deliveries, sums] = await Promise.all([
    db.query(statements.countDeliveries(webhook, split)),
    db.query(statements.sumAttempts(webhook, split)),
  ]);
  return {
    deliveries: [...Map.groupBy(deliveries, ({ at }) => at.toISOString())].map(([at, rows]) => ({
      at,
      ...NONE,
      ...Object.fromEntries(rows.map(({ state, total }) => [state, total])),
    })),
    attempts: [...Map.groupBy(sums, ({ at }) => at.toISOString())].map(([at, rows]) => ({
      at,
      delivered: rows.find(({ what }) => what === 'delivered')?.total ?? 0,
      failed: rows.find(({ what }) => what === 'failed')?.total ?? 0,
      durationMs: findQuantiles(toHistogram(rows, 'duration')) ?? { p50: 0, p95: 0 },
      delayMs: findQuantiles(toHistogram(rows, 'delay')),
    })),
    answers: sumAnswers(sums),
  };
}

const NONE = { delivered: 0, pending: 0, retrying: 0, exhausted: 0, dropped: 0 };

/** Splits a range into the whole hours that are summed, the days of these, and what is before and after them. */
function splitRange(range: StatsRange, summedUntil: Date | null): SplitRange {
  const { from, to } = range;
  const first = new Date(Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS);
  const last = new Date(
    Math.min(
      Math.floor(to.getTime() / HOUR_MS) * HOUR_MS,
      summedUntil?.getTime() ?? Number.NEGATIVE_INFINITY,
    ),
  );
  const none = { from, to: from };
  if (!(last > first)) return { ...range, summed: none, days: none, live: [range] };
  const summed = { from: first, to: last };
  return {
    ...range,
    summed,
    days: findWholeDays({ ...summed, bucket: range.bucket, zone: range.zone }),
    live: [
      { from, to: first },
      { from: last, to },
    ],
  };
}

const toHistogram = (rows: readonly AttemptSumRow[], what: 'duration' | 'delay'): Histogram =>
  new Map(rows.filter((row) => row.what === what).map(({ key, total }) => [Number(key), total]));

function findQuantiles(histogram: Histogram): { p50: number; p95: number } | null {
  const [p50, p95] = [findPercentile(histogram, 0.5), findPercentile(histogram, 0.95)];
  return p50 === null || p95 === null ? null : { p50, p95 };
}

/** Most frequent first. */
const sumAnswers = (sums: readonly AttemptSumRow[]): Stats['answers'] =>
  [
    ...Map.groupBy(
      sums.filter(({ what }) => what === 'answer'),
      ({ key }) => key,
    ),
  ]
    .map(([answer, rows]) => ({
      answer: answer as AttemptAnswer,
      attempts: rows.reduce((sum, { total }) => sum + total, 0),
    }))
    .sort((one, other) => other.attempts - one.attempts || (one.answer < other.answer ? -1 : 1));
