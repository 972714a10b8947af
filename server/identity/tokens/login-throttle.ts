import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { createKeyedQueue } from '../../platform/kernel/keyed-queue.ts';
import { tooManyRequests } from '../../platform/kernel/refusal.ts';
import type { Db } from '../../platform/db/db.ts';
import { hashKey, createStoredLimiter } from './stored-limiter.ts';

export interface LoginLimits {
  /** Failures of one account from one address. */
  accountFromAddress: number;
  /** Failures of one account from all addresses together. */
  account: number;
  /** Failures of all accounts from one address. */
  address: number;
  windowSeconds: number;
}

/**
 * After ten wrong guesses an address has to wait before it tries that account again. The limit of an account from all
 * addresses is wider, so that a stranger cannot lock its owner out with ten requests.
 */
export const LOGIN_LIMITS: LoginLimits = {
  accountFromAddress: 10,
  account: 100,
  address: 200,
  windowSeconds: 300,
};

export interface LoginThrottle {
  /**
   * Runs `attempt`, which returns null for wrong credentials. Throws 429 when any of the limits is reached, whether or
   * not the account exists. Attempts on one account from one address run one after another, so that guesses sent at
   * once are not free and many correct logins at once are not refused.
   */
  guard<T>(who: { account: string; address: string }, attempt: () => Promise<T | null>): Promise<T | null>;
}

export function createLoginThrottle(db: Db, limits: LoginLimits = LOGIN_LIMITS): LoginThrottle {
  const createLimiter = (keyPrefix: string, points: number): RateLimiterPostgres =>
    createStoredLimiter(db, { keyPrefix, points, duration: limits.windowSeconds });
  const pair = createLimiter('pair', limits.accountFromAddress);
  const account = createLimiter('account', limits.account);
  const address = createLimiter('address', limits.address);
  const runInSequence = createKeyedQueue();

  return {
    guard(who, attempt) {
      const keys: LimitKey[] = [
        [pair, hashKey(`${who.account}\n${who.address}`)],
        [account, hashKey(who.account)],
        [address, hashKey(who.address)],
      ];
      return runInSequence(keys[0]?.[1] as string, () => countFailures(keys, attempt));
    },
  };
}

type LimitKey = [limiter: RateLimiterPostgres, key: string];

async function countFailures<T>(
  keys: readonly LimitKey[],
  attempt: () => Promise<T | null>,
): Promise<T | null> {
  for (const [limiter, key] of keys) {
    const state = await limiter.get(key);
    if (state && state.remainingPoints <= 0 && state.msBeforeNext > 0) {
      throw tooManyRequests('too_many_attempts', state.msBeforeNext);
    }
  }
  const result = await attempt();
  if (result === null) await Promise.all(keys.map(([limiter, key]) => limiter.penalty(key)));
  else await keys[0]?.[0].delete(keys[0][1]);
  return result;
}
