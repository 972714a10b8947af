import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { hashedKey } from '../auth/stored-limiter.ts';
import { tooManyRequests } from '../kernel/refusal.ts';

/** Counts an address's request; throws 429 when there were too many. */
export type Limit = (address: string) => Promise<void>;

/** So many a minute from one address, on this node. Addresses are not kept as such. */
export function perMinute(points: number): Limit {
  const limiter = new RateLimiterMemory({ points, duration: 60 });
  return async (address) => {
    try {
      await limiter.consume(hashedKey(address));
    } catch (rejection) {
      if (rejection instanceof RateLimiterRes)
        throw tooManyRequests('too_many_requests', rejection.msBeforeNext);
      throw rejection;
    }
  };
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
