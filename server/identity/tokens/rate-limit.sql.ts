import { sql } from '../../platform/db/sql.ts';

/** Deletes expired counts; the limiter's library stores `expire` in milliseconds since 1970. */
export const deleteExpiredCounts = (now: Date) => sql`delete from rate_limit where expire < ${now.getTime()}`;
