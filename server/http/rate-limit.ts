import { RateLimiterRes, type RateLimiterAbstract } from 'rate-limiter-flexible';
import { tooManyRequests } from '../kernel/refusal.ts';

/** Counts one; answers how long to wait when that was one too many. */
export async function overLimit(limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes | null> {
  try {
    await limiter.consume(key);
    return null;
  } catch (rejection) {
    if (rejection instanceof RateLimiterRes) return rejection;
    throw rejection;
  }
}

/** Counts one; throws 429 under `code` when that was one too many. */
export async function countWithin(limiter: RateLimiterAbstract, key: string, code: string): Promise<void> {
  const over = await overLimit(limiter, key);
  if (over) throw tooManyRequests(code, over.msBeforeNext);
}
