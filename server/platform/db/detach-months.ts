import { one, type Db } from './db.ts';
import { listPartitions, MONTHLY_TABLES, type MonthlyTable, type Partition } from './months.ts';
import { raw, sql, type Sql } from './sql.ts';

/** Lists the partitions that end with a time or before it. */
export const listMonthsBefore = async (
  db: Db,
  tables: readonly MonthlyTable[],
  before: Date,
): Promise<Partition[]> =>
  (await listPartitions(db, tables)).filter(({ table, to }) => to <= MONTHLY_TABLES[table].toBound(before));

/** Lists what was detached of a table and is not dropped yet. */
export const listDetached = (table: MonthlyTable) => sql<{ name: string }>`
  select c.relname as name from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
    and c.relname ~ ${`^${table}_(first|\\d{4,6}_\\d\\d)$`} order by c.relname`;

/**
 * Detaches partitions of a table. On PostgreSQL beside readers and writers, which takes a connection out of its transaction; on the
 * embedded engine nobody runs meanwhile. One whose detaching was interrupted is finished first.
 */
export async function detachMonths(
  db: Db,
  { table, months }: { table: MonthlyTable; months: readonly Partition[] },
  signal: AbortSignal,
): Promise<void> {
  const detach = (name: string, how = ''): string => `alter table ${table} detach partition ${name} ${how}`;
  if (db.engine === 'embedded') {
    for (const { name } of months) await db.query(raw(detach(name)));
    return;
  }
  const interrupted = await db.query(selectInterrupted(table));
  for (const statement of [
    ...interrupted.map(({ name }) => detach(name, 'finalize')),
    ...months.map(({ name }) => detach(name, 'concurrently')),
  ]) {
    signal.throwIfAborted();
    await runBeside(db, statement);
  }
}

const selectInterrupted = (table: MonthlyTable) => sql<{ name: string }>`
  select p.relname as name from pg_class t join pg_inherits i on i.inhparent = t.oid join pg_class p on p.oid = i.inhrelid
  where t.relname = ${table} and t.relnamespace = 'public'::regnamespace and i.inhdetachpending`;

/** Runs what PostgreSQL does in no transaction: this one is ended, and its connection used. */
const runBeside = (db: Db, statement: string): Promise<void> =>
  db.tx(async (tx) => {
    await tx.script('commit');
    try {
      // It waits for whoever uses the table, whom nothing hurries.
      await tx.script('set statement_timeout = 0');
      await tx.script(statement);
    } finally {
      await tx.script('reset statement_timeout');
      await tx.script('begin');
    }
  });

/** Drops the months that ended with a time or before it and of which none of the tables, which go together, holds anything. */
export async function dropEmptyMonths(
  db: Db,
  { tables, before }: { tables: readonly MonthlyTable[]; before: Date },
  signal: AbortSignal,
): Promise<void> {
  const due = await listMonthsBefore(db, tables, before);
  const held = new Set<string>();
  for (const { name, to } of due) if ((await one(db, hasRows(name))).found) held.add(to);
  for (const table of tables) {
    const months = due.filter((month) => month.table === table && !held.has(month.to));
    await detachMonths(db, { table, months }, signal);
    for (const { name } of await db.query(listDetached(table))) {
      signal.throwIfAborted();
      await db.tx(async (tx) => {
        // A row that came in between is put where it belongs.
        await tx.query(raw(`insert into ${table} select * from ${name}`));
        await tx.query(raw(`drop table ${name}`));
      });
    }
  }
}

const hasRows = (name: string): Sql<{ found: boolean }> =>
  raw(`select exists (select from ${name}) as found`) as Sql<{ found: boolean }>;
