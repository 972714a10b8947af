import { setTimeout } from 'node:timers/promises';
import type { SourceLimits } from './limits.ts';
import { SourceFault } from './source-fault.ts';

/**
 * Makes a request in the middle of a sync, and again where the server asks us to slow down (RFC 6585 §4, RFC 9110 §15.6.4), after
 * the time that it names: what was fetched before would otherwise be fetched anew by each attempt, as far as the same limit. Throws
 * what the server said where it asks for more than is waited for here; the sync is then tried again later.
 */
export async function withRetryAfter<T>(
  { limits, signal }: { limits: SourceLimits; signal: AbortSignal },
  request: () => Promise<T>,
): Promise<T> {
  for (let waits = 0; ; waits++) {
    try {
      return await request();
    } catch (error) {
      const ms = getWaitMs(error, limits);
      if (ms === null || ms > limits.retryAfterMs || waits >= limits.retries) throw error;
      await setTimeout(ms, undefined, { signal });
    }
  }
}

/** Returns how long the server asks us to wait; null: it does not. A 503 without a time is an error of its own. */
function getWaitMs(error: unknown, { unnamedRetryAfterMs }: SourceLimits): number | null {
  if (!(error instanceof SourceFault)) return null;
  if (error.code === 'too_many_requests') return error.retryAfterMs ?? unnamedRetryAfterMs;
  return error.code === 'unavailable' ? error.retryAfterMs : null;
}
