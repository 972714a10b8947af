import { MAX_EXCERPT_BYTES, type AttemptFault } from '../../../../contract/webhooks/webhook-deliveries.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import {
  OutboundFailedError,
  OutboundRefusedError,
  type OutboundResponse,
} from '../../../platform/outbound/request.ts';
import type { SecretSeal } from '../../../platform/keys/secret-seal.ts';
import type { Telemetry } from '../../../platform/telemetry/telemetry.ts';
import { readMonotonicMs, type Clock } from '../../../platform/kernel/clock.ts';
import type { ClaimedRow } from './claims.sql.ts';
import { serializeEnvelope } from '../events/envelope.ts';
import { buildExcerpt, type ResponseExcerpt } from './response-excerpt.ts';
import { parseRetryAfter } from '../../../platform/outbound/retry-after.ts';
import { buildSignedHeaders, openSecrets } from '../signing.ts';
import { traceAttempt } from './trace-attempt.ts';

/** The limit for DNS, TLS and the answer together. */
export const ATTEMPT_TIMEOUT_MS = 10_000;

/** How long a stop waits for answers; later the attempt is abandoned and made again, here or on another node. */
const STOP_GRACE_MS = 5_000;

export interface AttemptDeps {
  clock: Clock;
  outbound: OutboundClient;
  /** Opens the secrets of webhooks. */
  secrets: SecretSeal;
  /** Permits endpoints in private networks and on this machine. */
  allowPrivate: boolean;
  /** Names the sender, and says where its webhooks are documented. */
  userAgent: string;
  telemetry: Telemetry | null;
}

export interface AttemptResult {
  at: Date;
  durationMs: number;
  /** null: the endpoint acknowledged the delivery. */
  fault: AttemptFault | null;
  excerpt: ResponseExcerpt | null;
  /** What the endpoint requested by `Retry-After`, milliseconds. */
  retryAfterMs: number | null;
}

/** Sends one request and returns its result. Rejects only, some time after it, with `stopping`'s reason and for errors of our own. */
export const attemptDelivery = (
  deps: AttemptDeps,
  delivery: ClaimedRow,
  stopping?: AbortSignal,
): Promise<AttemptResult> =>
  deps.telemetry === null
    ? send(deps, delivery, { stopping })
    : traceAttempt(deps.telemetry, delivery, (span) =>
        send(deps, delivery, { stopping, traceparent: span.traceparent }),
      );

async function send(
  { clock, outbound, secrets, allowPrivate, userAgent }: AttemptDeps,
  delivery: ClaimedRow,
  { stopping, traceparent }: { stopping: AbortSignal | undefined; traceparent?: string },
): Promise<AttemptResult> {
  const signing = await openSecrets(secrets, delivery.webhook_id, delivery.secrets);
  const at = clock.now();
  const startMs = readMonotonicMs();
  const toResult = (fault: AttemptFault | null, response: OutboundResponse | null): AttemptResult => ({
    at,
    durationMs: Math.round(readMonotonicMs() - startMs),
    fault,
    excerpt: response && buildExcerpt(response),
    retryAfterMs: response && parseRetryAfter(response.headers['retry-after'], clock.now()),
  });
  const body = serializeEnvelope(delivery, delivery.attempts + 1);
  try {
    const response = await outbound.request({
      method: 'POST',
      url: delivery.url,
      headers: {
        'user-agent': userAgent,
        ...buildSignedHeaders(signing, { id: delivery.event_id, body, at }),
        ...(traceparent !== undefined && { traceparent }),
      },
      body,
      timeoutMs: ATTEMPT_TIMEOUT_MS,
      maxBytes: MAX_EXCERPT_BYTES,
      overflow: 'cut',
      owner: delivery.webhook_id,
      allowPrivate,
      ...(stopping && { signal: stopping, graceMs: STOP_GRACE_MS }),
    });
    return toResult(faultFromStatus(response.status), response);
  } catch (error) {
    if (!(error instanceof OutboundRefusedError || error instanceof OutboundFailedError)) throw error;
    // A long body is truncated, not refused, so nothing is too large but a malformed answer.
    return toResult(error.reason === 'answer_too_large' ? 'malformed_answer' : error.reason, null);
  }
}

function faultFromStatus(status: number): AttemptFault | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'redirect';
  return status === 410 ? 'gone' : 'status';
}
