import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashKey } from '../../identity/tokens/stored-limiter.ts';
import { consumeOrThrow } from '../../platform/http/rate-limit.ts';

/** Counts an address's request; throws 429 when there were too many. */
export type RateLimit = (address: string) => Promise<void>;

/** So many a minute from one address, on this node. Addresses are not kept as such. */
export function limitPerMinute(points: number): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return (address) => consumeOrThrow(limiter, hashKey(address), 'too_many_requests');
}

/** So many a minute from everybody: many addresses are cheap to have. */
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
