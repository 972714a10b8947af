import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashKey } from '../../identity/tokens/stored-limiter.ts';
import { consumeOrThrow } from '../../platform/http/rate-limit.ts';

/** Counts a request of an address; throws 429 when there were too many. */
export type RateLimit = (address: string) => Promise<void>;

/** Limits requests per minute from one address, on this node. It stores hashes of addresses. */
export function limitPerMinute(points: number): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return (address) => consumeOrThrow(limiter, hashKey(address), 'too_many_requests');
}

/** Limits requests per minute from all addresses together, since addresses are cheap to obtain. */
export function limitTotalPerMinute(points: number): RateLimit {
  const limit = limitPerMinute(points);
  return () => limit('everybody');
}

export const combineLimits =
  (first: RateLimit, second: RateLimit): RateLimit =>
  async (address) => {
    await first(address);
    await second(address);
  };
