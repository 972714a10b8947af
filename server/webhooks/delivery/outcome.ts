import { randomUUID } from 'node:crypto';
import type { Attempted } from './attempt.ts';
import type { ClaimedRow } from './claims.sql.ts';
import type { AttemptRow, Outcome, Result } from './results.sql.ts';
import { nextAttemptAt } from './retry-schedule.ts';

interface Circumstances {
  /** Seconds. */
  retryDelays: readonly number[];
  now: Date;
}

/** What an attempt means for its delivery. */
export function resultOf(
  delivery: ClaimedRow,
  attempted: Attempted,
  circumstances: Circumstances,
): Result & { attempt: AttemptRow } {
  const { fault, excerpt } = attempted;
  return {
    delivery,
    at: circumstances.now,
    outcome: { ...fateOf(delivery, attempted, circumstances), counts: delivery.type !== 'webhook.test' },
    attempt: {
      organization_id: delivery.organization_id,
      webhook_id: delivery.webhook_id,
      event_id: delivery.event_id,
      attempt_id: randomUUID(),
      delivery_attempt: delivery.attempts + 1,
      attempted_at: attempted.at,
      duration_ms: attempted.durationMs,
      url: delivery.url,
      fault,
      status: excerpt?.status ?? null,
      response_headers: excerpt && JSON.stringify(excerpt.headers),
      response_body: excerpt?.body ?? null,
      response_truncated: excerpt?.truncated ?? null,
    },
  };
}

function fateOf(
  delivery: ClaimedRow,
  { fault, retryAfterMs }: Pick<Attempted, 'fault' | 'retryAfterMs'>,
  { retryDelays, now }: Circumstances,
): Omit<Outcome, 'counts'> {
  const attempts = delivery.attempts + 1;
  const ended = { attempts, firstFailedAt: delivery.first_failed_at, dueAt: now };
  if (fault === null) return { ...ended, state: 'delivered', reason: null };
  if (fault === 'gone') return { ...ended, state: 'exhausted', reason: 'gone' };
  const firstFailedAt = delivery.first_failed_at ?? now;
  const dueAt = nextAttemptAt(retryDelays, { attempts, firstFailedAt, now, retryAfterMs });
  return dueAt
    ? { attempts, firstFailedAt, dueAt, state: 'retrying', reason: null }
    : { ...ended, firstFailedAt, state: 'exhausted', reason: 'retries_used_up' };
}

/**
 * The process died over it again and again, for whatever reason: an attempt of which nothing is known, and that failed. The
 * rest of its retries are as good as ever.
 */
export function afterDeaths(delivery: ClaimedRow, circumstances: Circumstances): Result {
  const failed = { fault: 'connection_failed' as const, retryAfterMs: null };
  const { reason, ...fate } = fateOf(delivery, failed, circumstances);
  return {
    delivery,
    at: circumstances.now,
    attempt: null,
    outcome: { ...fate, reason: reason && 'workers_died', counts: false },
  };
}
