import type { AnswerCache } from './answer-cache.ts';
import { type InputError, Refusal } from './refusal.ts';

export interface SendOptions {
  method: string;
  headers?: Record<string, string>;
  body?: string;
  /** It is sent though the page is left; for small bodies. */
  keepalive?: boolean;
  /** `omit`: the request speaks for whom a bearer token names, not for whoever is signed in. */
  credentials?: 'omit';
  /** Where answers with an `ETag` are kept, so that the same one need not be sent again. */
  answers?: AnswerCache | undefined;
}

/** Browsers give up on a silent service after minutes at the earliest, some never. */
const TIMEOUT_MS = 60_000;
/** Evidence has megabytes, and a phone in the country sends 10 kB a second. */
const MIN_BYTES_PER_MS = 10;

/**
 * Sends one request. Returns the body of the answer, undefined for 204; throws a `Refusal` for an error and for
 * silence.
 */
export async function send(url: string, { answers, ...init }: SendOptions): Promise<unknown> {
  const known = answers?.get(url);
  const controller = new AbortController();
  const timeoutMs = TIMEOUT_MS + (init.body?.length ?? 0) / MIN_BYTES_PER_MS;
  const timer = setTimeout(() => controller.abort(), timeoutMs);
  try {
    const response = await fetch(url, {
      credentials: 'same-origin',
      ...init,
      signal: controller.signal,
      cache: 'no-store',
      headers: {
        accept: 'application/json',
        ...(known && { 'if-none-match': known.etag }),
        ...init.headers,
      },
    });
    const { status, headers } = response;
    if (status === 304 && known) return known.body;
    const text = await response.text();
    const body = parseResponse({ status, text, retry: headers.get('retry-after') });
    const etag = headers.get('etag');
    if (etag !== null) answers?.set(url, { etag, body });
    return body;
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(0, controller.signal.aborted ? 'timed-out' : 'unreachable');
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches a file that the service serves. Throws a `Refusal` for an error and for silence. */
export async function fetchFile(url: string): Promise<Blob> {
  const request = { credentials: 'same-origin', cache: 'no-store' } as const;
  const response = await fetch(url, request).catch(() => {
    throw new Refusal(0, 'unreachable');
  });
  const { status, headers } = response;
  if (!response.ok) parseResponse({ status, text: await response.text(), retry: headers.get('retry-after') });
  return response.blob();
}

export interface RawResponse {
  status: number;
  text: string;
  retry: string | null;
}

/** Returns the body of an answer; throws a `Refusal` for an error. */
export function parseResponse({ status, text, retry }: RawResponse): unknown {
  if (status === 204) return undefined;
  const body = parseJson(text);
  if (status >= 200 && status < 300 && body !== undefined) return body;
  throw new Refusal(status, readErrorCode(body), {
    retryAt: parseRetryAfter(retry),
    errors: readInputErrors(body),
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const readErrorCode = (problem: unknown): string =>
  typeof problem === 'object' && problem !== null && 'code' in problem && typeof problem.code === 'string'
    ? problem.code
    : '';

const readInputErrors = (problem: unknown): InputError[] =>
  typeof problem === 'object' && problem !== null && 'errors' in problem && Array.isArray(problem.errors)
    ? (problem.errors as InputError[])
    : [];

/** RFC 9110 §10.2.3, in seconds. */
const parseRetryAfter = (seconds: string | null): Date | null =>
  seconds !== null && /^\d{1,6}$/.test(seconds) ? new Date(Date.now() + Number(seconds) * 1000) : null;
