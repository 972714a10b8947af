import fs from 'node:fs';
import path from 'node:path';
import { one, type Db, type Queryable } from '../../server/platform/db/db.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { forgetStore } from './kept-threads.ts';
import { onProcessEnd } from './process-end.ts';

/**
 * Stores that are handed on, empty, from a test to the next of this process: a new one costs 65 CPU-milliseconds on PostgreSQL,
 * and as much again to learn every table and plan every statement on each connection; 570 on the embedded engine.
 */
export interface KeptStore {
  db: Db;
  databaseUrl: string | undefined;
  dataDirectory: string;
  /** What its catalog was when it was made. */
  catalog: string;
  remove(): Promise<void>;
}

/** Of one kind: more are open at once in few tests, and each has connections. */
const MAX_IDLE = 2;

/** Of tables with what was deleted from them: beyond it plans could be others than those of a new store. */
const MAX_BYTES = 16 * 1024 * 1024;

/** How long a thread of the service that was stopped may take to leave its connection. */
const MAX_LEAVING_MS = 2000;

const idle = new Map<string, KeptStore[]>();

/** Takes a store of this kind that an earlier test gave back; undefined where there is none. */
export const takeStore = (kind: string): KeptStore | undefined => idle.get(kind)?.pop();

/**
 * Empties a store and keeps it for the next test that asks for one of this kind, until the process has run its last file. False,
 * and nothing is kept, where somebody still uses it, where its schema or the statistics of its tables are no longer those of
 * a new one, or where enough are kept.
 */
export async function keepStore(kind: string, store: KeptStore): Promise<boolean> {
  if (idle.size === 0) onProcessEnd(removeIdle);
  const others = idle.get(kind) ?? [];
  idle.set(kind, others);
  if (others.length >= MAX_IDLE || !(await isLeft(store.db)) || !(await isEmptied(store))) return false;
  if (store.db.engine === 'embedded') removeFiles(store);
  store.db.capacity.set('ample');
  others.push(store);
  return true;
}

async function removeIdle(): Promise<void> {
  const stores = [...idle.values()].flat();
  idle.clear();
  for (const store of stores) await store.remove();
}

/** A store's connections for one test; `end` waits for what is under way. */
export function lendDb(db: Db): { db: Db; end: () => Promise<void> } {
  const running = new Set<Promise<unknown>>();
  let isEnded = false;
  const use = <T>(work: () => Promise<T>): Promise<T> => {
    if (isEnded) return Promise.reject(new Error('the store is closed'));
    const result = work();
    const forget = (): void => void running.delete(result);
    running.add(result);
    result.then(forget, forget);
    return result;
  };
  return {
    db: {
      ...db,
      query: (statement) => use(() => db.query(statement)),
      tx: (work, options) => use(() => db.tx(work, options)),
      queryRowBytes: (statement) => use(() => db.queryRowBytes(statement)),
      async close() {
        isEnded = true;
        await db.close();
      },
    },
    async end() {
      isEnded = true;
      await Promise.allSettled(running);
    },
  };
}

/** Reads what says of a changed schema or gathered statistics: rows of the catalog, the last to write one, and counts of rows. */
export const readCatalog = async (db: Queryable): Promise<string> => (await one(db, selectCatalog)).catalog;

const CATALOGS = [
  'pg_class',
  'pg_attribute',
  'pg_constraint',
  'pg_proc',
  'pg_trigger',
  'pg_statistic',
  // Not emptied.
  'migration',
];

const selectCatalog = sql<{ catalog: string }>`
  select concat_ws(' ', (select sum(reltuples) from pg_class), ${raw(
    CATALOGS.map((name) => `(select concat(count(*), '/', max(xmin::text::bigint)) from ${name})`).join(', '),
  )}) as catalog`;

/** Waits until no other connection executes anything; on the embedded engine until the names of its threads' statements are free. */
async function isLeft(db: Db): Promise<boolean> {
  const deadline = performance.now() + MAX_LEAVING_MS;
  while (performance.now() < deadline) {
    const [other] = await db.query(db.engine === 'embedded' ? selectStatementsOfThreads : selectBusy);
    if (other === undefined) return true;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return false;
}

const selectBusy = sql`
  select 1 from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' limit 1`;

const selectStatementsOfThreads = sql`
  select 1 from pg_prepared_statements where name like 't%' and name not like 't0c%' limit 1`;

/** Deletes every row; without triggers, so that the order of tables says nothing. */
const isEmptied = ({ db, catalog }: KeptStore): Promise<boolean> =>
  db.tx(async (tx) => {
    if ((await readCatalog(tx)) !== catalog) return false;
    const tables = await tx.query(selectUsedTables);
    if (tables.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_BYTES) return false;
    const deletes = tables.map(({ name }) => `delete from ${name};`).join('');
    await tx.script(`set local session_replication_role = replica; ${deletes}`);
    return true;
  });

const selectUsedTables = sql<{ name: string; bytes: number }>`
  select oid::regclass::text as name,
    (pg_relation_size(oid) + case when reltoastrelid = 0 then 0 else pg_relation_size(reltoastrelid) end)::float8 as bytes
  from pg_class
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'migration' and pg_relation_size(oid) > 0`;

/** What a service keeps beside its store: mails, evidence. */
function removeFiles({ db, dataDirectory }: KeptStore): void {
  forgetStore(db.capacity.shared);
  for (const name of fs.readdirSync(dataDirectory))
    if (name !== 'store' && !name.startsWith('owner.'))
      fs.rmSync(path.join(dataDirectory, name), { recursive: true, force: true });
}
