import { createHash } from 'node:crypto';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Sql } from '../../platform/db/sql.ts';
import { deleteExpiredCounts } from './rate-limit.sql.ts';

interface LimitOptions {
  /** Tells one limit's counts from another's. */
  keyPrefix: string;
  points: number;
  /** Seconds. */
  duration: number;
}

/** A limit that is counted in the store, so for all nodes together. It runs on the real clock. */
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
    ...limit,
  });

/** Addresses and e-mails are not kept as such. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('base64url');

/** Forgets counts whose time is over. */
export async function purgeCounts({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  await db.query(deleteExpiredCounts(clock.now()));
}
