import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { hashedKey, storedLimiter } from '../auth/stored-limiter.ts';
import { countWithin, overLimit } from '../http/rate-limit.ts';
import type { Db } from '../storage/db.ts';

const HOUR_SECONDS = 3600;

const TOO_MANY = 'too_many_attempts';

/** An hour's worth, on all nodes together. */
export const ACCOUNT_LIMITS = {
  /** Mails asked for from one client address. */
  asksFromAddress: 20,
  /** Mails to one e-mail address: whoever it is can be bothered three times, not three hundred. */
  mailsToEmail: 3,
  /** Links opened from one client address that lead nowhere. */
  deadLinksFromAddress: 30,
  /** Challenges for signing in by passkey: a page asks for one when it opens, and many people may have one address. */
  challengesFromAddress: 600,
} as const;

export interface AccountLimits {
  /** Counts a mail asked for; throws 429 beyond the limit. */
  countAsk(address: string): Promise<void>;
  /** Counts a mail and tells whether it may be sent. */
  countMail(email: string): Promise<boolean>;
  /** Counts a challenge asked for; throws 429 beyond the limit. */
  countChallenge(address: string): Promise<void>;
  /** Runs `open`, which throws for a dead link; throws 429 when an address has tried too many. */
  guardLink<T>(address: string, open: () => Promise<T>): Promise<T>;
}

export function accountLimits(db: Db): AccountLimits {
  const limiter = (keyPrefix: string, points: number): RateLimiterPostgres =>
    storedLimiter(db, { keyPrefix, points, duration: HOUR_SECONDS });
  const asks = limiter('ask', ACCOUNT_LIMITS.asksFromAddress);
  const mails = limiter('mail', ACCOUNT_LIMITS.mailsToEmail);
  const challenges = limiter('challenge', ACCOUNT_LIMITS.challengesFromAddress);
  const links = limiter('link', ACCOUNT_LIMITS.deadLinksFromAddress);

  return {
    countAsk: (address) => countWithin(asks, hashedKey(address), TOO_MANY),
    countMail: async (email) => (await overLimit(mails, hashedKey(email))) === null,
    countChallenge: (address) => countWithin(challenges, hashedKey(address), TOO_MANY),
    async guardLink(address, open) {
      // Counted before, so that tries sent at once are not free; a link that lives is given back.
      await countWithin(links, hashedKey(address), TOO_MANY);
      const opened = await open();
      await links.reward(hashedKey(address));
      return opened;
    },
  };
}
