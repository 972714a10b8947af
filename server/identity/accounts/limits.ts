import type { RateLimiterPostgres } from 'rate-limiter-flexible';
import { hashKey, createStoredLimiter } from '../tokens/stored-limiter.ts';
import { consumeOrThrow, tryConsume } from '../../platform/http/rate-limit.ts';
import type { Email } from '../../../contract/brands.ts';
import type { Db } from '../../platform/db/db.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';

const HOUR_SECONDS = 3600;

const TOO_MANY = 'too_many_attempts';

/** Limits per hour, counted for all nodes together, besides the one that is a setting. */
export const ACCOUNT_LIMITS = {
  /** Mails to one e-mail address: its owner can be bothered three times, not three hundred. */
  mailsToEmail: 3,
  /** Attempts from one client address to open an unknown, used or expired link. */
  deadLinksFromAddress: 30,
  /** Challenges for signing in by passkey: a page requests one when it opens, and many people may share one address. */
  challengesFromAddress: 600,
} as const;

export interface AccountLimits {
  /** Counts a request for a mail; throws 429 beyond the limit. */
  countLinkRequest(address: string): Promise<void>;
  /** Counts a mail and returns whether it may be sent. */
  countMail(email: Email): Promise<boolean>;
  /** Counts a request for a challenge; throws 429 beyond the limit. */
  countChallenge(address: string): Promise<void>;
  /** Runs `open`, which throws `link_invalid` for a dead link; throws 429 instead after too many dead links from one address. */
  guardLink<T>(address: string, open: () => Promise<T>): Promise<T>;
}

/** `signUpLimit`: requests for a mail from one client address; those who wait in a clinic share it. */
export function createAccountLimits(db: Db, signUpLimit: number): AccountLimits {
  const createLimiter = (keyPrefix: string, points: number): RateLimiterPostgres =>
    createStoredLimiter(db, { keyPrefix, points, duration: HOUR_SECONDS });
  const linkRequests = createLimiter('ask', signUpLimit);
  const mails = createLimiter('mail', ACCOUNT_LIMITS.mailsToEmail);
  const challenges = createLimiter('challenge', ACCOUNT_LIMITS.challengesFromAddress);
  const links = createLimiter('link', ACCOUNT_LIMITS.deadLinksFromAddress);

  return {
    countLinkRequest: (address) => consumeOrThrow(linkRequests, hashKey(address), TOO_MANY),
    countMail: async (email) => (await tryConsume(mails, hashKey(email))) === null,
    countChallenge: (address) => consumeOrThrow(challenges, hashKey(address), TOO_MANY),
    async guardLink(address, open) {
      try {
        return await open();
      } catch (error) {
        // Links are secrets of 256 bits, which nobody guesses: a valid one is never refused for the dead ones of others behind its
        // address. A dead one costs a look-up, and beyond the limit says no more than that there were too many.
        if (error instanceof Refusal && error.code === 'link_invalid')
          await consumeOrThrow(links, hashKey(address), TOO_MANY);
        throw error;
      }
    },
  };
}
