import type { AttemptFault } from '../../../contract/webhook-deliveries.ts';
import type { Egress } from '../../egress/egress.ts';
import { EgressFailed, EgressRefused } from '../../egress/egress-error.ts';
import type { EgressAnswer } from '../../egress/request.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { ClaimedRow } from './claims.sql.ts';
import { envelope } from './envelope.ts';
import { excerptOf, KEPT_BYTES, type Excerpt } from './response-excerpt.ts';
import { retryAfterMs } from './retry-schedule.ts';
import { signedHeaders } from './sign.ts';

/** DNS, TLS and the answer together. */
export const ACKNOWLEDGED_WITHIN_MS = 10_000;

export interface AttemptDeps {
  clock: Clock;
  egress: Egress;
  /** Endpoints in private networks and on this machine too. */
  allowPrivate: boolean;
}

export interface Attempted {
  at: Date;
  durationMs: number;
  /** null: acknowledged. */
  fault: AttemptFault | null;
  excerpt: Excerpt | null;
  /** What the endpoint asked for, milliseconds. */
  retryAfterMs: number | null;
}

/** One request, and what came of it. Rejects only with `signal`'s reason and for faults of our own. */
export async function attemptDelivery(
  { clock, egress, allowPrivate }: AttemptDeps,
  delivery: ClaimedRow,
  signal: AbortSignal,
): Promise<Attempted> {
  const at = clock.now();
  const began = performance.now();
  const ended = (fault: AttemptFault | null, answer: EgressAnswer | null): Attempted => ({
    at,
    durationMs: Math.round(performance.now() - began),
    fault,
    excerpt: answer && excerptOf(answer),
    retryAfterMs: answer && retryAfterMs(answer.headers['retry-after'], clock.now()),
  });
  const body = envelope(delivery, delivery.attempts + 1);
  try {
    const answer = await egress.request({
      method: 'POST',
      url: delivery.url,
      headers: signedHeaders(delivery.secrets, { id: delivery.event_id, body, at }),
      body,
      timeoutMs: ACKNOWLEDGED_WITHIN_MS,
      maxBytes: KEPT_BYTES,
      longer: 'cut',
      allowPrivate,
      signal,
    });
    return ended(faultOf(answer.status), answer);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof EgressRefused || error instanceof EgressFailed)) throw error;
    // A longer answer is cut, not refused.
    return ended(error.reason === 'answer_too_large' ? 'malformed_answer' : error.reason, null);
  }
}

function faultOf(status: number): AttemptFault | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'status';
}
