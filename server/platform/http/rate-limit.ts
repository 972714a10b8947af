import {
  RateLimiterCluster,
  RateLimiterMemory,
  RateLimiterRes,
  type RateLimiterAbstract,
} from 'rate-limiter-flexible';
import { tooManyRequests } from '../kernel/refusal.ts';
import { isOneOfSeveral } from '../processes/served-process.ts';

/** Creates a limiter that counts on this node, over all of its processes; `name` is its own among them. */
export const createNodeLimiter = (
  name: string,
  limit: { points: number; duration: number },
): RateLimiterAbstract =>
  isOneOfSeveral ? new RateLimiterCluster({ keyPrefix: name, ...limit }) : new RateLimiterMemory(limit);

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
