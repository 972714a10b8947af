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
  { fault, retryAfterMs }: Attempted,
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

/** The process died over it again and again: it is held to be the cause. */
export const givenUp = (delivery: ClaimedRow, now: Date): Result => ({
  delivery,
  at: now,
  attempt: null,
  outcome: {
    state: 'exhausted',
    reason: 'workers_died',
    attempts: delivery.attempts,
    firstFailedAt: delivery.first_failed_at,
    dueAt: now,
    counts: false,
  },
});
