import { request } from 'undici';
import { SIGNED_HEADERS, type ReceivedDelivery } from './verify-delivery.ts';

export interface ForwardResult {
  url: string;
  /** null: there was no answer. */
  status: number | null;
  /** Why there was no answer. */
  fault: string | null;
  durationMs: number;
  retryAfter: string | null;
}

/** How long the service itself waits. */
const DEADLINE_MS = 10_000;

/** Sends the delivery as it came to the developer's own server. Redirects are answers, as they are for the service. */
export async function forward({ headers, body }: ReceivedDelivery, url: URL): Promise<ForwardResult> {
  const started = performance.now();
  const names = ['content-type', ...SIGNED_HEADERS];
  const toResult = (response: Pick<ForwardResult, 'status' | 'fault' | 'retryAfter'>): ForwardResult => ({
    url: url.href,
    durationMs: Math.round(performance.now() - started),
    ...response,
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const response = await request(url, {
      method: 'POST',
      headers: Object.fromEntries(
        names.flatMap((name) => (headers[name] ? [[name, [...headers[name]]]] : [])),
      ),
      body,
      signal,
    });
    await response.body.dump({ limit: 1024 * 1024, signal });
    const retryAfter = response.headers['retry-after'];
    return toResult({
      status: response.statusCode,
      fault: null,
      retryAfter: typeof retryAfter === 'string' ? retryAfter : null,
    });
  } catch (error) {
    const fault = signal.aborted ? 'no answer within 10 s' : describeError(error);
    return toResult({ status: null, fault, retryAfter: null });
  }
}

function describeError(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
