import type { MemberId } from '../../../contract/brands.ts';
import { createKeyedQueue } from '../../platform/kernel/keyed-queue.ts';
import { createRankedLine, type RankedLine } from '../../platform/kernel/ranked-line.ts';
import { tooBusy, tooManyRequests, type Refusal } from '../../platform/kernel/refusal.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import { createCounter, type Counter } from './count-in-progress.ts';
import { FIRST, type PasswordLine } from './password-line.ts';
import * as statements from './rate-limit.sql.ts';
import { hashKey } from './stored-limiter.ts';

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

/**
 * How long an address is known for an account that was signed in to from it. Guesses from elsewhere, however many, keep nobody
 * out who comes from where they came from before, and such a sign-in goes before all guesses.
 */
const KNOWN_MS = 30 * 86_400_000;

/** Written once a day at most. */
const KNOWN_AGAIN_MS = 86_400_000;

/** Whose credentials are tried, and by which request. */
export interface Who {
  account: string;
  address: string;
  requestId: string;
  /** The member whose account it is, where that is known. */
  memberId?: MemberId | undefined;
}

/** Returns null for wrong credentials. `isCounted`: false beyond the limits, where a wrong one leaves no trace. */
type Attempt<T> = (isCounted: boolean) => Promise<T | null>;

export interface LoginThrottle {
  /**
   * Runs an attempt that verifies a password. Throws 429 when any of the limits is reached, whether or not the account
   * exists, and 503 when too many wait. An attempt is counted as a failure before it is made, for all nodes together,
   * and given back when it succeeds: guesses sent at once are not free. Attempts on one account from one address run one
   * after another, so that many correct logins at once are not refused.
   */
  guard<T>(who: Who, attempt: Attempt<T>): Promise<T | null>;
  /**
   * The same for what costs no argon2 and cannot be guessed: secrets of API keys, passkeys. A right one passes beyond the limits,
   * too, so that a job which goes on with a former secret locks nobody out; wrong ones are 429 there, and counted no further.
   */
  guardSecret<T>(who: Who, attempt: Attempt<T>): Promise<T | null>;
}

/** Verifying a secret takes milliseconds. The number at once is below the limit of an address: right ones count, too. */
const SECRETS = { concurrency: 32, maxWaiting: 1000, createError: tooBusy };

interface Deps {
  db: Db;
  clock: Clock;
  passwords: PasswordLine;
  /** Called when the credentials were wrong, before that is said. */
  onFailure(who: Who): void | Promise<void>;
}

export function createLoginThrottle(
  { db, clock, passwords, onFailure }: Deps,
  limits: LoginLimits = LOGIN_LIMITS,
): LoginThrottle {
  const secrets = createRankedLine(SECRETS);
  const runInSequence = createKeyedQueue();
  const inProgress = createCounter();
  const guardIn = <T>({ line, isGuessable }: Kind, who: Who, attempt: Attempt<T>): Promise<T | null> => {
    const counts = buildCounts(who, limits);
    return runInSequence(counts.pair.key, async () => {
      const windowMs = limits.windowSeconds * 1000;
      const deps = { db, clock, line, isGuessable, inProgress, windowMs };
      const result = await waitAndCount(deps, counts, attempt);
      if (result === null) await onFailure(who);
      return result;
    });
  };
  return {
    guard: (who, attempt) => guardIn({ line: passwords, isGuessable: true }, who, attempt),
    guardSecret: (who, attempt) => guardIn({ line: secrets, isGuessable: false }, who, attempt),
  };
}

interface Kind {
  line: RankedLine;
  /** Nothing is tried beyond the limits. */
  isGuessable: boolean;
}

interface Count {
  key: string;
  limit: number;
}

interface Counts extends Record<'pair' | 'account' | 'address', Count> {
  /** Is there while the address is known for the account. */
  knownKey: string;
}

const listCounts = ({ pair, account, address }: Counts): Count[] => [pair, account, address];

function buildCounts({ account, address }: Pick<Who, 'account' | 'address'>, limits: LoginLimits): Counts {
  const pair = hashKey(`${account}\n${address}`);
  return {
    pair: { key: `pair:${pair}`, limit: limits.accountFromAddress },
    account: { key: `account:${hashKey(account)}`, limit: limits.account },
    address: { key: `address:${hashKey(address)}`, limit: limits.address },
    knownKey: `known:${pair}`,
  };
}

interface Line extends Kind {
  db: Db;
  clock: Clock;
  inProgress: Counter;
  windowMs: number;
}

/**
 * Waits for a place in the line. Its rank is the number of failures and of attempts in progress that name its account or
 * its address: who has neither overtakes those who guess, and never waits behind more than is being tried. From an address
 * that is known for the account only the failures of both together count.
 */
async function waitAndCount<T>(deps: Line, counts: Counts, attempt: Attempt<T>): Promise<T | null> {
  const { db, clock, line, isGuessable, inProgress } = deps;
  const keys = [...listCounts(counts).map(({ key }) => key), counts.knownKey];
  const now = clock.now().getTime();
  const stored = await db.query(statements.findCounts(keys, now));
  const knownUntil = stored.find(({ key }) => key === counts.knownKey)?.expire ?? null;
  const limits = knownUntil === null ? listCounts(counts) : [counts.pair];
  const refusal = findReached({ limits, now }, stored, (points, limit) => points >= limit);
  if (refusal && isGuessable) throw refusal;
  const shared = [counts.account.key, counts.address.key];
  const ranked = knownUntil === null ? shared : [counts.pair.key];
  const failures = stored.filter(({ key }) => ranked.includes(key)).reduce((sum, row) => sum + row.points, 0);
  return inProgress.during(shared, (others) =>
    line.run(knownUntil === null ? failures + others : FIRST + failures, () =>
      refusal ? attemptBeyond(refusal, attempt) : countAttempt(deps, { counts, limits, knownUntil }, attempt),
    ),
  );
}

interface Counted {
  counts: Counts;
  /** The limits that apply. */
  limits: readonly Count[];
  knownUntil: number | null;
}

async function countAttempt<T>(
  { db, clock, isGuessable, windowMs }: Line,
  { counts, limits, knownUntil }: Counted,
  attempt: Attempt<T>,
): Promise<T | null> {
  const keys = listCounts(counts).map(({ key }) => key);
  const now = clock.now().getTime();
  const counted = await db.query(statements.countAttempt(keys, now, now + windowMs));
  const giveBack = (forgottenKey: string | null): Promise<unknown> =>
    db.query(statements.uncountAttempt(counted, forgottenKey));
  let result: T | null;
  try {
    const refusal = findReached({ limits, now }, counted, (points, limit) => points > limit);
    if (refusal && isGuessable) throw refusal;
    result = await (refusal ? attemptBeyond(refusal, attempt) : attempt(true));
  } catch (error) {
    // It was not found wrong. Where the store is away the count stays until its window has passed.
    await giveBack(null).catch(() => {});
    throw error;
  }
  if (result === null) return null;
  await giveBack(counts.pair.key);
  if ((knownUntil ?? 0) < now + KNOWN_MS - KNOWN_AGAIN_MS)
    await db.query(statements.keepKnown(counts.knownKey, now + KNOWN_MS));
  return result;
}

/** A right one passes; throws `refusal` for a wrong one, as for one that was not made. */
async function attemptBeyond<T>(refusal: Refusal, attempt: Attempt<T>): Promise<T> {
  const result = await attempt(false);
  if (result === null) throw refusal;
  return result;
}

function findReached(
  { limits, now }: { limits: readonly Count[]; now: number },
  rows: readonly statements.CountRow[],
  isReached: (points: number, limit: number) => boolean,
): Refusal | null {
  for (const { key, limit } of limits) {
    const row = rows.find((other) => other.key === key);
    if (row && isReached(row.points, limit)) return tooManyRequests('too_many_attempts', row.expire - now);
  }
  return null;
}
