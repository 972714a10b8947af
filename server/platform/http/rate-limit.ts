import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { tooManyRequests } from '../kernel/refusal.ts';

/** Counts one; answers how long to wait when that was one too many. */
export async function tryConsume(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return rejection;
    throw rejection;
  }
}

/** Counts one; throws 429 under `code` when that was one too many. */
export async function consumeOrThrow(limiter: RateLimiterAbstract, key: string, code: string): Promise<void> {
  const exceeded = await tryConsume(limiter, key);
  if (exceeded) throw tooManyRequests(code, exceeded.msBeforeNext);
}
