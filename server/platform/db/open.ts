import type { Db } from './db.ts';
import { systemClock } from '../kernel/clock.ts';
import { createEmbeddedStore, type CreatedStore } from './create-embedded.ts';
import { openEmbedded, type EmbeddedOptions } from './embedded.ts';
import { hasEmbeddedStore, NoStoreError, requireSchema } from './existing-store.ts';
import { keepReserve } from './keep-reserve.ts';
import { startMaintenance, vacuumIndexes } from './maintenance.ts';
import { migrate, readMigrations } from './migrate.ts';
import { addMonths } from './months.ts';
import { openPostgres, type PoolSize } from './postgres.ts';
import { requireCurrentSchema, type SchemaChange } from './schema-state.ts';

export interface DbOptions extends EmbeddedOptions {
  databaseUrl: string | undefined;
  /** Connections to PostgreSQL, where not as many as a service has. */
  poolSize?: PoolSize;
  /** Called once the schema is up to date, whether that took anything or not. */
  onMigrated?: (change: SchemaChange) => void;
}

/** Opens the store as it is, without a schema where there is none: for what must not change it. */
export const openStore = (options: DbOptions): Promise<Db> => open(options, 'without schema');

/** Opens the store, migrates its schema, and makes what is missing of its partitions. */
export async function openDb(options: DbOptions): Promise<Db> {
  const isCreated = options.databaseUrl === undefined && !hasEmbeddedStore(options.dataDirectory);
  return prepare(await open(options, 'with schema'), async (db) => {
    const applied = await bringUpToDate(db);
    if (options.onMigrated === undefined) return;
    const all = (await readMigrations()).map(({ name }) => name);
    // A new embedded store gets its schema in a process of its own.
    const isNew = isCreated || applied.length === all.length;
    options.onMigrated({ isNew, applied: isNew ? all : applied, newest: all.at(-1) ?? '' });
  });
}

/**
 * Opens a store that is there, and leaves its schema as it is; throws NoStoreError where there is none, and creates nothing. Where
 * `isCurrent` is asked for, one of another schema than this program's is refused: who only looks must not upgrade a store for good.
 */
export async function openExistingDb(options: DbOptions, { isCurrent }: { isCurrent: boolean }): Promise<Db> {
  const { databaseUrl, dataDirectory } = options;
  const where = databaseUrl ? 'The database of DATABASE_URL' : `CHARTGATE_DATA_DIR (${dataDirectory})`;
  if (!databaseUrl && !hasEmbeddedStore(dataDirectory)) throw new NoStoreError(where);
  return prepare(await open(options, 'without schema'), async (db) => {
    await requireSchema(db, where);
    if (isCurrent) await requireCurrentSchema(db);
  });
}

async function bringUpToDate(db: Db): Promise<string[]> {
  const applied = await migrate(db);
  await addMonths(db, systemClock.now());
  await vacuumIndexes(db);
  return applied;
}

async function prepare(db: Db, work: (db: Db) => Promise<void>): Promise<Db> {
  try {
    await work(db);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}

const open = async (options: DbOptions, created: CreatedStore): Promise<Db> =>
  options.databaseUrl
    ? openWithReserve(options.databaseUrl, options)
    : startMaintenance(await createAndOpen(options, created), systemClock);

function openWithReserve(databaseUrl: string, { poolSize, reserve }: DbOptions): Db {
  const db = openPostgres(databaseUrl, poolSize && { size: poolSize });
  return reserve === undefined || reserve.bytes === 0 ? db : keepReserve(db, reserve);
}

async function createAndOpen(options: EmbeddedOptions, created: CreatedStore): Promise<Db> {
  await createEmbeddedStore(options.dataDirectory, created);
  return openEmbedded(options);
}
