import { sql } from '../../platform/db/sql.ts';

/** The limiter keeps milliseconds since 1970. */
export const deleteExpiredCounts = (now: Date) => sql`delete from rate_limit where expire < ${now.getTime()}`;
