import { inSpan, type OpenSpan, type Telemetry } from '../../../platform/telemetry/telemetry.ts';
import type { ClaimedRow } from './claims.sql.ts';

interface Outcome {
  fault: string | null;
  excerpt: { status: number } | null;
}

/**
 * Writes a span for an attempt by the semantic conventions of HTTP clients, but for `url.full`: the path of an endpoint may hold
 * a secret. A delivery is a trace of its own, or below the request that asked for it to be sent now.
 */
export const traceAttempt = <Result extends Outcome>(
  telemetry: Telemetry,
  delivery: ClaimedRow,
  attempt: (span: OpenSpan) => Promise<Result>,
): Promise<Result> => {
  const { hostname, port, protocol } = new URL(delivery.url);
  const options = {
    name: 'POST webhook',
    kind: 'CLIENT' as const,
    attributes: {
      'http.request.method': 'POST',
      'url.scheme': protocol.slice(0, -1),
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
      'http.request.resend_count': delivery.attempts,
      'chartgate.webhook.event_type': delivery.type,
    },
  };
  return inSpan(telemetry, options, async (span) => {
    const result = await attempt(span);
    if (result.fault !== null) span.fail(result.fault);
    if (result.excerpt !== null) span.set({ 'http.response.status_code': result.excerpt.status });
    return result;
  });
};
