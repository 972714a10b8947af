import { RateLimiterMemory } from 'rate-limiter-flexible';
import { hashedKey } from '../auth/stored-limiter.ts';
import { countWithin } from '../http/rate-limit.ts';

/** Counts an address's request; throws 429 when there were too many. */
export type Limit = (address: string) => Promise<void>;

/** So many a minute from one address, on this node. Addresses are not kept as such. */
export function perMinute(points: number): Limit {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return (address) => countWithin(limiter, hashedKey(address), 'too_many_requests');
}

/** So many a minute from everybody: many addresses are cheap to have. */
export function allTogether(points: number): Limit {
  const limit = perMinute(points);
  return () => limit('everybody');
}

export const both =
  (first: Limit, second: Limit): Limit =>
  async (address) => {
    await first(address);
    await second(address);
  };
