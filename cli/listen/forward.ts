import { request } from 'undici';
import { SIGNED_HEADERS, type Received } from './verify-delivery.ts';

export interface Forwarded {
  url: string;
  /** null: there was no answer. */
  status: number | null;
  /** Why there was none. */
  fault: string | null;
  durationMs: number;
  retryAfter: string | null;
}

/** What the service itself waits. */
const DEADLINE_MS = 10_000;

/** The delivery as it came, to the developer's own server. Redirects are answers, as they are for the service. */
export async function forward({ headers, body }: Received, url: URL): Promise<Forwarded> {
  const started = performance.now();
  const names = ['content-type', ...SIGNED_HEADERS];
  const done = (answer: Pick<Forwarded, 'status' | 'fault' | 'retryAfter'>): Forwarded => ({
    url: url.href,
    durationMs: Math.round(performance.now() - started),
    ...answer,
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  try {
    const answer = await request(url, {
      method: 'POST',
      headers: Object.fromEntries(
        names.flatMap((name) => (headers[name] ? [[name, [...headers[name]]]] : [])),
      ),
      body,
      signal,
    });
    await answer.body.dump({ limit: 1024 * 1024, signal });
    const after = answer.headers['retry-after'];
    return done({
      status: answer.statusCode,
      fault: null,
      retryAfter: typeof after === 'string' ? after : null,
    });
  } catch (error) {
    const fault = signal.aborted ? 'no answer within 10 s' : reasonOf(error);
    return done({ status: null, fault, retryAfter: null });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
