import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { one, type Db, type Tx } from './db.ts';
import { sql } from './sql.ts';

const DIRECTORY = new URL('./migrations/', import.meta.url);

/** An arbitrary constant: the node that holds this advisory lock migrates, the others wait for it. */
const LOCK = 4_736_281;

/** How long a migration waits for a table, and with it whoever asks for the table after it. */
const LOCK_TIMEOUT_MS = 1000;

/** Between two attempts, so that those who waited behind the first are served. */
const RETRY_MS = 250;

const CONCURRENTLY = /\bindex concurrently\b/i;
const CONCURRENTLY_ALL = /\b(index) concurrently\b/gi;

export interface Migration {
  name: string;
  text: string;
}

/** Reads `0001-organizations.sql` and so on, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await fs.readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, text: await fs.readFile(new URL(name, DIRECTORY), 'utf8') })),
  );
}

/** The store and the program do not fit; the message is for the operator. */
export class SchemaError extends Error {
  readonly code = 'schema';
}

/**
 * Brings the schema up to date: forward only, each file once, wholly or not at all. An empty store gets everything in one
 * transaction. In one that others serve each file has a transaction of its own, which waits a second for a table and then steps
 * back, since whoever asks for the table after it waits behind it. Nodes that start at the same time wait for the first. Returns
 * the names applied here. Throws when a newer program migrated the store, when a file that was applied has changed since, or when a
 * new one comes before it.
 */
export async function migrate(db: Db, migrations?: Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  const names: string[] = [];
  for (;;) {
    const step = await applyNext(db, wanted).catch((error: unknown) => {
      if (isLockedOut(error)) return 'again' as const;
      throw error;
    });
    if (step === 'again') await sleep(RETRY_MS);
    else if (step === 'up to date') return names;
    else names.push(...step);
  }
}

/** Applies the next file, or on an empty store all; 'again' where another node migrates. */
async function applyNext(
  db: Db,
  wanted: readonly Migration[],
): Promise<readonly string[] | 'again' | 'up to date'> {
  return db.tx(async (tx) => {
    // A migration of a large table may take long.
    await tx.script('set local statement_timeout = 0');
    // Asked again and again instead of waited for: who waits has a snapshot, which an index that is built beside waits for.
    // Before the bookkeeping table, since "create … if not exists" itself races between nodes.
    const { held } = await one(
      tx,
      sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${LOCK}::bigint) as held`,
    );
    if (!held) return 'again';
    const { pending, isNew } = await listPending(tx, wanted);
    const [next] = pending;
    if (next === undefined) return 'up to date';
    if (!isNew && db.engine === 'postgresql' && CONCURRENTLY.test(next.text)) {
      await buildBeside(tx, next);
      return [next.name];
    }
    if (!isNew) await tx.script(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const step = isNew ? pending : [next];
    for (const migration of step) {
      await tx.script(migration.text.replaceAll(CONCURRENTLY_ALL, '$1'));
      await record(tx, migration);
    }
    return step.map(({ name }) => name);
  });
}

/** The files that are to be applied, in order; throws where store and program do not fit. */
async function listPending(
  tx: Tx,
  wanted: readonly Migration[],
): Promise<{ pending: Migration[]; isNew: boolean }> {
  await tx.script(
    'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null)',
  );
  const rows = await tx.query(sql<{ name: string; checksum: string }>`select name, checksum from migration`);
  const applied = new Map(rows.map((row) => [row.name, row.checksum]));
  const newest = [...applied.keys()].sort().at(-1) ?? '';
  if ([...applied.keys()].some((name) => !wanted.some((migration) => migration.name === name)))
    throw new SchemaError(
      `the store was brought up to date by a newer Chartgate (${newest}), which this one cannot serve; start that version or a later one`,
    );
  const changed = wanted.find(
    (migration) => applied.has(migration.name) && applied.get(migration.name) !== digest(migration),
  );
  if (changed) throw new SchemaError(`migration ${changed.name} was changed after it was applied`);
  const pending = wanted.filter(({ name }) => !applied.has(name));
  const late = pending.find(({ name }) => name < newest);
  if (late) throw new SchemaError(`migration ${late.name} comes before ${newest}, which is applied already`);
  return { pending, isNew: applied.size === 0 };
}

/**
 * Builds the indexes of a file while others read and write their tables, which PostgreSQL does in no transaction: this one is
 * ended, and its connection keeps the lock.
 */
async function buildBeside(tx: Tx, migration: Migration): Promise<void> {
  await tx.script(`select pg_advisory_lock(${LOCK})`);
  await tx.script('commit');
  await tx.script('set statement_timeout = 0');
  try {
    for (const statement of splitStatements(migration.text)) await buildIndex(tx, statement);
    await record(tx, migration);
  } finally {
    await tx.script('reset statement_timeout');
    await tx.script(`select pg_advisory_unlock(${LOCK})`);
    await tx.script('begin');
  }
}

const BUILT_BESIDE = /^create (unique )?index\s+concurrently\s+if not exists\s+(\w+)\s+on\s+(\w+)\s*(.+)$/is;

/**
 * Builds one index. Of a partitioned table PostgreSQL builds none beside: each partition gets its own, and the table's becomes
 * valid with the last. A partition that is added meanwhile has it from the beginning.
 */
async function buildIndex(tx: Tx, statement: string): Promise<void> {
  const built = BUILT_BESIDE.exec(statement);
  if (!built) return tx.script(statement);
  const [, unique = '', name = '', table = '', columns = ''] = built;
  const partitioned = sql`select from pg_partitioned_table where partrelid = to_regclass(${table})`;
  if ((await tx.query(partitioned)).length === 0) return buildPlainIndex(tx, name, statement);
  if ((await tx.query(sql`select where to_regclass(${name}) is not null`)).length === 0)
    await withLockTimeout(tx, `create ${unique}index ${name} on only ${table} ${columns}`);
  const without = sql<{ partition: string }>`
    select p.relname as partition from pg_inherits i join pg_class p on p.oid = i.inhrelid
    where i.inhparent = ${table}::regclass and not exists (
      select from pg_inherits x join pg_index own on own.indexrelid = x.inhrelid
      where x.inhparent = ${name}::regclass and own.indrelid = p.oid)
    order by 1`;
  for (const { partition } of await tx.query(without)) {
    const own = `${partition}_${name}`;
    const build = `create ${unique}index concurrently if not exists ${own} on ${partition} ${columns}`;
    await buildPlainIndex(tx, own, build);
    await withLockTimeout(tx, `alter index ${name} attach partition ${own}`);
  }
}

/** An index that an earlier attempt left unfinished is dropped first. */
async function buildPlainIndex(tx: Tx, name: string, statement: string): Promise<void> {
  const unfinished = sql`select from pg_index where indexrelid = to_regclass(${name}) and not indisvalid`;
  if ((await tx.query(unfinished)).length > 0) await tx.script(`drop index concurrently ${name}`);
  await tx.script(statement);
}

/** For what takes no time, and a lock that others use: it steps back as a file does. */
async function withLockTimeout(tx: Tx, statement: string): Promise<void> {
  await tx.script(`set lock_timeout = ${LOCK_TIMEOUT_MS}`);
  try {
    await tx.script(statement);
  } finally {
    await tx.script('reset lock_timeout');
  }
}

/** Splits a file that holds no quoted semicolon. */
const splitStatements = (text: string): string[] =>
  text
    .replaceAll(/--.*$/gm, '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');

const digest = ({ text }: Migration): string => createHash('sha256').update(text).digest('hex');

const record = (tx: Tx, migration: Migration): Promise<unknown> =>
  tx.query(sql`insert into migration values (${migration.name}, ${digest(migration)}, clock_timestamp())`);

/** lock_not_available, and a deadlock with a node of a version that waits for the lock. */
const isLockedOut = (error: unknown): boolean =>
  error instanceof Error && ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');
