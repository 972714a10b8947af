import { randomUUID } from 'node:crypto';
import type { AttemptResult } from './attempt.ts';
import type { ClaimedRow } from './claims.sql.ts';
import type { AttemptRow, DeliveryOutcome, DeliveryResult } from './results.sql.ts';
import { scheduleRetry } from './retry-schedule.ts';

interface RetryContext {
  /** Seconds. */
  retryDelays: readonly number[];
  now: Date;
}

/** Returns the result of an attempt: the delivery's next state and the row of the attempt. */
export function buildResult(
  delivery: ClaimedRow,
  attemptResult: AttemptResult,
  context: RetryContext,
): DeliveryResult & { attempt: AttemptRow } {
  const { fault, excerpt } = attemptResult;
  return {
    delivery,
    at: context.now,
    outcome: {
      ...nextState(delivery, attemptResult, context),
      affectsHealth: delivery.type !== 'webhook.test',
    },
    attempt: {
      organization_id: delivery.organization_id,
      webhook_id: delivery.webhook_id,
      event_id: delivery.event_id,
      attempt_id: randomUUID(),
      delivery_attempt: delivery.attempts + 1,
      attempted_at: attemptResult.at,
      duration_ms: attemptResult.durationMs,
      url: delivery.url,
      fault,
      status: excerpt?.status ?? null,
      response_headers: excerpt && JSON.stringify(excerpt.headers),
      response_body: excerpt?.body ?? null,
      response_truncated: excerpt?.truncated ?? null,
    },
  };
}

function nextState(
  delivery: ClaimedRow,
  { fault, retryAfterMs }: Pick<AttemptResult, 'fault' | 'retryAfterMs'>,
  { retryDelays, now }: RetryContext,
): Omit<DeliveryOutcome, 'affectsHealth'> {
  const attempts = delivery.attempts + 1;
  const settled = { attempts, firstFailedAt: delivery.first_failed_at, dueAt: now };
  if (fault === null) return { ...settled, state: 'delivered', reason: null };
  if (fault === 'gone') return { ...settled, state: 'exhausted', reason: 'gone' };
  const firstFailedAt = delivery.first_failed_at ?? now;
  const dueAt = scheduleRetry(retryDelays, { attempts, firstFailedAt, now, retryAfterMs });
  return dueAt
    ? { attempts, firstFailedAt, dueAt, state: 'retrying', reason: null }
    : { ...settled, firstFailedAt, state: 'exhausted', reason: 'retries_used_up' };
}

/**
 * Returns the result for a delivery during which the process has crashed too often: one failed attempt without a row, after
 * which the remaining retries follow as usual.
 */
export function onWorkerCrash(delivery: ClaimedRow, context: RetryContext): DeliveryResult {
  const failed = { fault: 'connection_failed' as const, retryAfterMs: null };
  const { reason, ...next } = nextState(delivery, failed, context);
  return {
    delivery,
    at: context.now,
    attempt: null,
    outcome: { ...next, reason: reason && 'workers_died', affectsHealth: false },
  };
}
