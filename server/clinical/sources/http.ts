import {
  OutboundFailedError,
  OutboundRefusedError,
  type FailureReason,
  type OutboundRequest,
  type OutboundResponse,
} from '../../platform/outbound/request.ts';
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts';
import { parseRetryAfter } from '../../platform/outbound/retry-after.ts';
import { abortable } from '../../platform/kernel/abortable.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { SourceLimits } from './limits.ts';
import { SourceFault, type FaultCode } from './source-fault.ts';

/** What requests to other servers need. */
export interface HttpContext {
  outbound: OutboundClient;
  clock: Clock;
  limits: SourceLimits;
  /** Whether the operator permits private networks. */
  allowPrivate: boolean;
  /** Aborted when the process stops or the sync has taken too long. */
  signal: AbortSignal;
}

const FAULT_BY_REASON: Readonly<Record<FailureReason, FaultCode>> = {
  name_not_resolved: 'unreachable',
  connection_failed: 'unreachable',
  tls_failed: 'tls_failed',
  malformed_answer: 'malformed_answer',
  answer_too_large: 'answer_too_large',
  deadline: 'timeout',
};

/** Sends one request through the guard; throws a `SourceFault` where there is no response. */
export async function sendRequest(
  { outbound, limits, allowPrivate, signal }: HttpContext,
  request: Omit<OutboundRequest, 'timeoutMs' | 'allowPrivate'> & { timeoutMs?: number },
): Promise<OutboundResponse> {
  try {
    // Whoever stops does not wait for a slow server.
    return await abortable(
      signal,
      outbound.request({ timeoutMs: limits.requestMs, ...request, allowPrivate }),
    );
  } catch (error) {
    if (error instanceof OutboundRefusedError) throw new SourceFault('address_refused');
    if (error instanceof OutboundFailedError) throw new SourceFault(FAULT_BY_REASON[error.reason]);
    throw error;
  }
}

/** Converts a response that is not 2xx; `now` is for a Retry-After that names a date (RFC 9110 §10.2.3). */
export function toSourceFault({ status, headers }: OutboundResponse, now: Date): SourceFault {
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now);
  const fault = (code: FaultCode): SourceFault => new SourceFault(code, { status, retryAfterMs });
  if (status === 429) return fault('too_many_requests');
  // A 501 is permanent, unlike other 5xx.
  if (status === 501) return fault('rejected');
  if (status >= 500) return fault('unavailable');
  if (status === 401) return fault('unauthorized');
  if (status === 403) return fault('forbidden');
  if (status === 404 || status === 410) return fault('gone');
  if (status >= 300 && status < 400) return fault('redirected');
  return fault('rejected');
}
