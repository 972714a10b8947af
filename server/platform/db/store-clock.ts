import type { Clock } from '../kernel/clock.ts';
import { one, type Queryable } from './db.ts';
import { raw, sql, type Sql } from './sql.ts';

/**
 * SQL of the time by which a permission has ended: the node's or the store's, whichever is later, so that a node whose clock
 * is behind reads nothing on after the end. The store's is that of the statement; `now()` would be the transaction's start.
 */
export const latestNow = (now: Date): Sql => sql`greatest(${now}::timestamptz, statement_timestamp())`;

/** The same in a statement that may wait for a lock: the time when it got it. */
export const latestNowAfterLock = (now: Date): Sql => sql`greatest(${now}::timestamptz, clock_timestamp())`;

/** A condition: the store's clock has not come to this time, in a statement that runs anyway; the caller has asked its own. */
export const isAheadOfStore = (time: Date | Sql): Sql => sql`${time}::timestamptz > statement_timestamp()`;

/** How far the clocks of a node and its store may be apart, milliseconds. */
export const MAX_CLOCK_DIFFERENCE_MS = 2000;

const MAX_AHEAD = raw(`interval '${MAX_CLOCK_DIFFERENCE_MS} milliseconds'`);

/** SQL of the time from which something is due that is due at once: by the store's clock where that of the node is ahead, which may be a year. */
export const dueNow = (now: Date): Sql =>
  sql`least(${now}::timestamptz, statement_timestamp() + ${MAX_AHEAD})`;

/** The same of what is due later, by as much later than the node's own time. */
export const dueAt = (
  at: Date,
  now: Date,
): Sql => sql`case when ${now}::timestamptz > statement_timestamp() + ${MAX_AHEAD}
  then statement_timestamp() + (${at}::timestamptz - ${now}::timestamptz) else ${at}::timestamptz end`;

/** Selects the later of the two times, when the statement runs. */
export const selectLatestNow = (now: Date) => sql<{ now: Date }>`select ${latestNowAfterLock(now)} as now`;

/** Changes nothing, and fails where nothing may be changed: on a standby, or in a session that takes no writes. */
const selectNowIfWritable = sql<{ now: Date }>`
  with written as (update migration set name = name where false) select clock_timestamp() as now`;

/**
 * Measures by how many milliseconds the store's clock is ahead (negative: behind); 0 for what the way there and back explains.
 * Fails where the store does not answer, and where it takes no writes.
 */
export async function measureClockDifference({
  db,
  clock,
}: {
  db: Queryable;
  clock: Clock;
}): Promise<number> {
  const before = clock.now().getTime();
  const { now } = await one(db, selectNowIfWritable);
  const after = clock.now().getTime();
  const store = now.getTime();
  if (store > after) return store - after;
  return store < before ? store - before : 0;
}
