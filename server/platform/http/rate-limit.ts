import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { tooManyRequests } from '../kernel/refusal.ts';

/** Counts one attempt; returns the limiter's state, with the time to wait, when the limit is exceeded, else null. */
export async function tryConsume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return rejection;
    throw rejection;
  }
}

/** Counts one attempt; throws 429 with `code` when the limit is exceeded. */
export async function consumeOrThrow(limiter: RateLimiterAbstract, key: string, code: string): Promise<void> {
  const exceeded = await tryConsume(limiter, key);
  if (exceeded) throw tooManyRequests(code, exceeded.msBeforeNext);
}
