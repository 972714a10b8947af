import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Db } from '../../server/platform/db/db.ts';
import { isLong } from './long.ts';
import { openDb, openStore } from '../../server/platform/db/open.ts';
import type { ReserveOptions } from '../../server/platform/db/store-capacity.ts';
import { keepStore, lendDb, readCatalog, takeStore, type KeptStore } from './kept-stores.ts';
import type { TestPostgres } from './postgres.ts';
import { storeFolder } from './store-folder.ts';
import { startTemplateServer } from './templates.ts';

export type Engine = 'postgresql' | 'embedded';
export const ENGINES: readonly Engine[] = ['postgresql', 'embedded'];

/**
 * What a long journey runs on. Every statement of the service is played on both engines by `test/storage/partitions.test.ts`,
 * so a second run of a journey costs much and finds what only the order of its calls could bring out: the long run looks for it.
 */
export const JOURNEY_ENGINES: readonly Engine[] = isLong ? ENGINES : ['postgresql'];

export interface TestStore {
  db: Db;
  /** For opening it again: what a server process would be given. */
  databaseUrl: string | undefined;
  dataDirectory: string;
  /** Closes it and removes its files. */
  remove(): Promise<void>;
}

const requireSetup = (name: string): string => {
  const value = process.env[name];
  if (value === undefined)
    throw new Error('run tests by `npm test`, or node --test --test-global-setup=test/setup.ts FILE');
  return value;
};

/** What is used here of a global that the types of Node leave to those of browsers. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<object> };

let compiled: Promise<object> | undefined;

/**
 * Keeps the embedded engine's code for the life of this process: V8 shares a WebAssembly module among threads as long as
 * one of them holds it, so that each further store starts with what was compiled and optimized for those before. It starts
 * at half the cost (0.4 s of a core), and its first 300 queries take 0.5 s instead of 1.2.
 */
export function keepEngineCompiled(): Promise<object> {
  const file = path.join(
    path.dirname(fileURLToPath(import.meta.resolve('@electric-sql/pglite'))),
    'pglite.wasm',
  );
  return (compiled ??= WebAssembly.compile(fs.readFileSync(file)));
}

interface StoreOptions {
  /**
   * Where its files are, PostgreSQL's too; a folder of its own by default. Such a database has a server of its own: a
   * backend that needs a buffer writes out whatever that holds, so a full disk would fail tests on other databases.
   */
  disk?: string;
  reserve?: ReserveOptions;
  /** Without a schema: for what makes one of its own. */
  isEmpty?: boolean;
  /**
   * Connections to PostgreSQL that take statements in turn, each of which learns every table and plans every statement for
   * itself: a service has eight, which cost a third more. A statement that waits for a lock holds up those behind it.
   */
  pipelines?: number;
  /** Made for this test, and of nobody after it: for what is about the files of a store, its statistics or its process. */
  isNew?: boolean;
}

/**
 * Opens a migrated, empty store that belongs to the caller; on PostgreSQL by default. It may be one that an earlier test of
 * this process gave back (`kept-stores.ts`), unless `isNew`.
 */
export async function openTestStore(
  engine: Engine = 'postgresql',
  options: StoreOptions = {},
): Promise<TestStore> {
  const { disk, reserve, isEmpty = false, isNew = false, pipelines = 2 } = options;
  if (disk !== undefined || reserve !== undefined || isEmpty || isNew) return createStore(engine, options);
  const kind = `${engine} ${pipelines}`;
  return lendStore(kind, takeStore(kind) ?? (await openKeptStore(engine, pipelines)));
}

async function createStore(
  engine: Engine,
  { disk, reserve = { bytes: 0 }, isEmpty = false, pipelines = 2 }: StoreOptions,
): Promise<TestStore> {
  const dataDirectory = makeDataDirectory(disk);
  if (engine === 'embedded') {
    await keepEngineCompiled();
    if (!isEmpty) copyEmbeddedTemplate(dataDirectory);
  }
  const server = engine === 'postgresql' && disk !== undefined ? await startTemplateServer() : undefined;
  const databaseUrl = await createStoreDatabase(engine, { disk, server, isEmpty });
  const db = await (isEmpty ? openStore : openDb)({
    databaseUrl,
    dataDirectory,
    reserve,
    poolSize: { pipelines, separatesLookUps: true, transactions: 10 },
    onFatal: (error) => {
      throw error;
    },
  });
  return {
    db,
    databaseUrl,
    dataDirectory,
    async remove() {
      await db.close();
      if (server) await server.stop();
      else if (databaseUrl !== undefined) await dropDatabase(databaseUrl);
      fs.rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

async function openKeptStore(engine: Engine, pipelines: number): Promise<KeptStore> {
  const store = await createStore(engine, { pipelines });
  return { ...store, catalog: await readCatalog(store.db) };
}

/** Lends a store to one test: what it does after it gave it back fails, as on a store that is closed. */
function lendStore(kind: string, kept: KeptStore): TestStore {
  const { db, end } = lendDb(kept.db);
  // That of the embedded engine holds the store.
  const dataDirectory = db.engine === 'embedded' ? kept.dataDirectory : makeDataDirectory();
  let mayBeOpenElsewhere = false;
  return {
    db,
    get databaseUrl() {
      mayBeOpenElsewhere = true;
      return kept.databaseUrl;
    },
    dataDirectory,
    async remove() {
      await end();
      if (mayBeOpenElsewhere || !(await keepStore(kind, kept))) await kept.remove();
      if (dataDirectory !== kept.dataDirectory) fs.rmSync(dataDirectory, { recursive: true, force: true });
    },
  };
}

const makeDataDirectory = (disk = storeFolder()): string =>
  fs.mkdtempSync(path.join(disk, 'chartgate-test-'));

async function createStoreDatabase(
  engine: Engine,
  { disk, server, isEmpty }: { disk: string | undefined; server: TestPostgres | undefined; isEmpty: boolean },
): Promise<string | undefined> {
  if (engine === 'embedded') return undefined;
  return createDatabase({
    ...(disk !== undefined && server !== undefined && { disk, serverUrl: server.url }),
    ...(isEmpty && { template: 'template0' }),
  });
}

/** Puts a migrated, empty embedded store into a data directory. */
export function copyEmbeddedTemplate(dataDirectory: string): void {
  const template = path.join(requireSetup('CHARTGATE_TEST_TEMPLATES'), 'store');
  fs.mkdirSync(dataDirectory, { recursive: true });
  // 1,200 files: `cpSync` takes half a second of a core for them, `cp` a fifteenth of it.
  if (process.platform === 'win32')
    fs.cpSync(template, path.join(dataDirectory, 'store'), { recursive: true });
  else execFileSync('cp', ['-R', template, path.join(dataDirectory, 'store')]);
}

/** Creates a database on the test server, a copy of the migrated template, and returns its URL. */
export async function createDatabase(
  options: { template?: string; disk?: string; serverUrl?: string } = {},
): Promise<string> {
  const server = new URL(options.serverUrl ?? requireSetup('CHARTGATE_TEST_POSTGRES'));
  const name = `store_${process.pid}_${Math.random().toString(36).slice(2, 10)}`;
  const admin = new pg.Client({ connectionString: server.href });
  await admin.connect();
  try {
    // Template copies exclude each other; test files that start at once wait in turn.
    await admin.query('select pg_advisory_lock(1)');
    const tablespace = options.disk === undefined ? '' : await createTablespace(admin, name, options.disk);
    await admin.query(
      // The other strategy reads and logs every page: it costs twice as much without fsync.
      `create database ${name} template ${options.template ?? 'template_store'} strategy file_copy ${tablespace}`,
    );
  } finally {
    await admin.end();
  }
  server.pathname = `/${name}`;
  return server.href;
}

/** Gives back its memory; a process that a test left behind may still be connected. */
async function dropDatabase(databaseUrl: string): Promise<void> {
  const url = new URL(databaseUrl);
  const admin = new pg.Client({ connectionString: requireSetup('CHARTGATE_TEST_POSTGRES') });
  await admin.connect();
  try {
    await admin.query(`drop database if exists ${url.pathname.slice(1)} with (force)`);
  } finally {
    await admin.end();
  }
}

/** Puts a database's files into a folder on another disk; returns the clause of `create database`. */
async function createTablespace(admin: pg.Client, name: string, disk: string): Promise<string> {
  const { rows } = await admin.query<{ folder: string }>(
    "select current_setting('data_directory') as folder",
  );
  const { uid, gid } = fs.statSync(rows[0]?.folder ?? '');
  const folder = path.join(disk, name);
  fs.mkdirSync(folder);
  fs.chownSync(folder, uid, gid);
  // The server's user must pass through it.
  fs.chmodSync(disk, 0o755);
  await admin.query(`create tablespace ${name} location '${folder}'`);
  return `tablespace ${name}`;
}
