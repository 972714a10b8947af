import { createHash } from 'node:crypto';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { deleteExpiredCounts } from './rate-limit.sql.ts';

interface LimitOptions {
  /** Distinguishes the counts of one limit from those of another. */
  keyPrefix: string;
  points: number;
  /** Seconds. */
  duration: number;
}

/** Creates a limit that is counted in the store, hence for all nodes together. It runs on the real clock. */
export const createStoredLimiter = (db: Db, limit: LimitOptions): RateLimiterPostgres =>
  new RateLimiterPostgres({
    storeClient: {
      query: async (query: Sql) => {
        const rows = await db.query(query);
        return { rows, rowCount: rows.length };
      },
    },
    storeType: 'client',
    tableName: 'rate_limit',
    tableCreated: true,
    // `purgeCounts` does, once an hour for all limits; the library's timer would outlive the store.
    clearExpiredByTimeout: false,
    ...limit,
  });

/** Hashes the key of a count, so that the store holds neither client addresses nor e-mail addresses. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Deletes counts whose window has passed. */
export async function purgeCounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredCounts(clock.now()));
}
