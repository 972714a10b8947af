import { decodeTime, encodeTime, TIME_LEN } from 'ulid';
import pg from 'pg';
import { toIdBound, toIdTime } from '../kernel/ids.ts';
import type { Db, Queryable, Tx } from './db.ts';
import { sql } from './sql.ts';

/** What an id of a partitioned table says of its time: all that begins in a month is one range of ids. */
interface IdKind {
  /** The column that has it. */
  column: string;
  /** Returns the smallest id of a time. */
  toBound(time: Date): string;
  /** Returns milliseconds; null for what is no such id. */
  toTime(id: string): number | null;
}

const ENTRY_ID: IdKind = { column: 'entry_id', toBound: toIdBound, toTime: toIdTime };

const EVENT_ID: IdKind = {
  column: 'event_id',
  toBound: (time) => `evt_${encodeTime(time.getTime(), TIME_LEN)}0000000000000000`,
  toTime: (id) => (/^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id) ? decodeTime(id.slice(4)) : null),
};

/** The tables that are partitioned by the month of their ids. */
export const MONTHLY_TABLES = {
  audit_entry: ENTRY_ID,
  webhook_event: EVENT_ID,
  webhook_attempt: EVENT_ID,
} as const satisfies Readonly<Record<string, IdKind>>;

export type MonthlyTable = keyof typeof MONTHLY_TABLES;

const NAMES = Object.keys(MONTHLY_TABLES) as MonthlyTable[];

export const isMonthlyTable = (name: string): name is MonthlyTable => Object.hasOwn(MONTHLY_TABLES, name);

/** Months after this one that have their partitions already: a node that nobody restarts makes them daily. */
const MONTHS_AHEAD = 3;

/** An arbitrary constant: one node at a time makes partitions, or takes them away. */
const LOCK = 4_736_283;

export interface Partition {
  table: MonthlyTable;
  name: string;
  /** Its smallest id; null in the first, which has all ids from before. */
  from: string | null;
  /** The smallest id after it. */
  to: string;
}

interface PartitionRow {
  table: MonthlyTable;
  name: string;
  bound: string;
}

/** Lists the partitions of the tables, the oldest of each first; none of a table of an earlier schema. */
export async function listPartitions(on: Queryable, tables: readonly MonthlyTable[]): Promise<Partition[]> {
  const rows = await on.query(sql<PartitionRow>`
    select t.relname as table, p.relname as name, pg_get_expr(p.relpartbound, p.oid) as bound
    from pg_class t join pg_inherits i on i.inhparent = t.oid join pg_class p on p.oid = i.inhrelid
    where t.relnamespace = 'public'::regnamespace and t.relkind = 'p' and t.relname = any(${[...tables]}::text[])
      and not i.inhdetachpending`);
  return rows
    .map(({ table, name, bound }) => {
      const [, from, to = ''] = /FROM \((?:'(.+?)'|MINVALUE)\) TO \('(.+?)'\)/.exec(bound) ?? [];
      return { table, name, from: from ?? null, to };
    })
    .sort((one, other) => (one.to < other.to ? -1 : 1));
}

/** Returns when the month of a time begins, or one of the next. */
export const startOfMonth = (time: Date, months = 0): Date =>
  new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + months));

/** Returns the time that is so many months before another. */
export const subtractMonths = (time: Date, months: number): Date => {
  const earlier = new Date(time);
  earlier.setUTCMonth(earlier.getUTCMonth() - months);
  return earlier;
};

/**
 * Makes the partitions of this month and the next ones, where they are not there: at each start before anything is served, since
 * nobody may have been there for a year, and daily. Writers and readers go on: neither `create table … (like …)` nor `attach
 * partition` takes a lock that they wait for.
 */
export async function addMonths(db: Db, now: Date): Promise<void> {
  const months = Array.from({ length: MONTHS_AHEAD + 1 }, (_month, index) => startOfMonth(now, index));
  const wanted = NAMES.flatMap((table) => months.map((month) => ({ table, month })));
  const partitions = await listPartitions(db, NAMES);
  const missing = wanted.filter(
    ({ table, month }) =>
      partitions.some((partition) => partition.table === table) && !findMonth(partitions, table, month),
  );
  if (missing.length === 0) return;
  const isNeededNow = missing.some(({ month }) => month === months[0]);
  await db
    .tx((tx) => addMissing(tx, missing))
    .catch((error: unknown) => {
      // While a month is detached, which waits for whoever reads the table, none is attached. The next ones have time.
      if (isNeededNow || !isLockedOut(error)) throw error;
    });
}

/** lock_not_available */
const isLockedOut = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03';

interface TableMonth {
  table: MonthlyTable;
  /** Its beginning. */
  month: Date;
}

/** Partitions begin and end with months, so one that begins with a month's first id or before, and ends after it, has all of it. */
const findMonth = (
  partitions: readonly Partition[],
  table: MonthlyTable,
  month: Date,
): Partition | undefined => {
  const first = MONTHLY_TABLES[table].toBound(month);
  return partitions.find(
    ({ table: of, from, to }) => of === table && (from === null || from <= first) && first < to,
  );
};

/** Waits two seconds for the lock of a table, which only somebody else who makes or takes away its partitions has. */
async function addMissing(tx: Tx, missing: readonly TableMonth[]): Promise<void> {
  await tx.script("set local lock_timeout = '2s'");
  await tx.query(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`);
  const partitions = await listPartitions(tx, NAMES);
  for (const { table, month } of missing) {
    if (findMonth(partitions, table, month)) continue;
    const name = `${table}_${month.toISOString().slice(0, 7).replace('-', '_')}`;
    const { toBound } = MONTHLY_TABLES[table];
    await tx.script(`
      create table ${name} (like ${table} including defaults including constraints including storage);
      alter table ${table} attach partition ${name}
        for values from ('${toBound(month)}') to ('${toBound(startOfMonth(month, 1))}')`);
  }
}

/**
 * Makes the partition that a statement missed, and says whether there was one to make: then the statement can be run again. Ids
 * are of the clock of whoever makes them, which may be months ahead, or behind what was kept.
 */
export async function addMissedMonth(db: Db, error: unknown): Promise<boolean> {
  if (!(error instanceof pg.DatabaseError) || !isMissedPartition(error)) return false;
  const table = NAMES.find((name) => name === error.table);
  const [, id = ''] = /= \(([^)]+)\)/.exec(error.detail ?? '') ?? [];
  const month = table === undefined ? null : toMonth(table, id);
  if (month === null) return false;
  // Of all tables, since one transaction may write into several.
  await db.tx((tx) =>
    addMissing(
      tx,
      NAMES.map((name) => ({ table: name, month })),
    ),
  );
  return true;
}

/** `no partition of relation found for row`: a violated check that has no name. The text is in the server's language. */
export const isMissedPartition = ({ code, table, constraint }: pg.DatabaseError): boolean =>
  code === '23514' && table !== undefined && constraint === undefined;

/** Returns when the month of an id begins; null for an id that says no time. */
function toMonth(table: MonthlyTable, id: string): Date | null {
  const time = MONTHLY_TABLES[table].toTime(id);
  return time === null ? null : startOfMonth(new Date(time));
}

/**
 * Makes the partitions that rows miss which a transaction is about to write, by their ids: those of a backup may be of later months
 * than those of a store that was prepared long ago. None of a table that has no partitions in its schema.
 */
export async function addMonthsOfIds(tx: Tx, table: MonthlyTable, ids: readonly string[]): Promise<void> {
  const partitions = await listPartitions(tx, [table]);
  if (partitions.length === 0) return;
  const times = new Set(ids.map((id) => toMonth(table, id)?.getTime() ?? null));
  const missing = [...times]
    .filter((time) => time !== null)
    .map((time) => ({ table, month: new Date(time) }))
    .filter(({ month }) => !findMonth(partitions, table, month));
  if (missing.length > 0) await addMissing(tx, missing);
}
