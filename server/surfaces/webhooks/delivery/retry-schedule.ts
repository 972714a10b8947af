/** Jitter is at most this fraction of a delay, to either side, and at most `MAX_JITTER_MS`. */
const JITTER_RATIO = 0.1;
const MAX_JITTER_MS = 15 * 60_000;

/** Delays of the retries, in seconds: the last retry is 33 h 00 m 05 s after the first attempt failed. */
export const RETRY_DELAYS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 55_500];

interface Failure {
  /** Finished attempts, this one included. */
  attempts: number;
  firstFailedAt: Date;
  now: Date;
  /** What the endpoint requested by `Retry-After`, milliseconds. */
  retryAfterMs: number | null;
}

/**
 * Returns when to try again; null when all retries are used up. Each retry has a fixed distance from the first failure, so
 * that a chain does not drift; after a time in which nothing was sent at least half the delay is kept.
 */
export function scheduleRetry(
  delaysSeconds: readonly number[],
  { attempts, firstFailedAt, now, retryAfterMs }: Failure,
  random: () => number = Math.random,
): Date | null {
  const delay = delaysSeconds[attempts - 1];
  if (delay === undefined) return null;
  const delayMs = delay * 1000;
  const offsetMs = delaysSeconds.slice(0, attempts).reduce((sum, seconds) => sum + seconds * 1000, 0);
  const jitterMs = (2 * random() - 1) * Math.min(delayMs * JITTER_RATIO, MAX_JITTER_MS);
  const planned = firstFailedAt.getTime() + offsetMs + jitterMs;
  const requested = now.getTime() + Math.min(retryAfterMs ?? 0, 2 * delayMs);
  return new Date(Math.max(planned, now.getTime() + delayMs / 2, requested));
}
