import { hashKey } from '../../identity/tokens/stored-limiter.ts';
import { consumeOrThrow, createNodeLimiter } from '../../platform/http/rate-limit.ts';

/** Counts a request of an address; throws 429 when there were too many. */
export type RateLimit = (address: string) => Promise<void>;

/** Limits requests per minute from one address, on this node. It stores hashes of addresses. `name` is the limit's own. */
export function limitPerMinute(name: string, points: number): RateLimit {
  const limiter = createNodeLimiter(name, { points, duration: 60 });
  return (address) => consumeOrThrow(limiter, hashKey(address), 'too_many_requests');
}

/** Limits requests per minute from all addresses together, since addresses are cheap to obtain. */
export function limitTotalPerMinute(name: string, points: number): RateLimit {
  const limit = limitPerMinute(name, points);
  return () => limit('everybody');
}

export const combineLimits =
  (first: RateLimit, second: RateLimit): RateLimit =>
  async (address) => {
    await first(address);
    await second(address);
  };
