import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { readMigrations } from '../../server/platform/db/migrate.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { findPostgres, startPostgres, type TestPostgres } from './postgres.ts';
import { ROOT } from './process.ts';
import { storeFolder } from './store-folder.ts';

/** Days after which a template that no run used is removed. */
const MAX_UNUSED_DAYS = 7;

/** The migrated database of the test server, which each test's own is a copy of. */
const DATABASE = 'template_store';

/**
 * What costs a server of hundreds of short-lived databases a tenth of its work and changes no answer: a worker for each
 * database in turn, machine code for plans whose cost is only estimated, and checkpoints.
 */
const SETTINGS = { autovacuum: 'off', jit: 'off', max_wal_size: '8GB', checkpoint_timeout: '1h' };

/** Starts the test server, with the migrated database in it: a copy of the cached server where binaries are installed. */
export async function startTemplateServer(): Promise<TestPostgres> {
  const bin = findPostgres();
  if (bin === null) {
    const server = await startPostgres();
    await createTemplateDatabase(server);
    return server;
  }
  const template = await cached('postgresql', bin, async () => {
    const server = await startPostgres();
    await createTemplateDatabase(server);
    await server.stop({ keepFiles: true });
    return server.data as string;
  });
  return startPostgres({ template, settings: SETTINGS, parent: storeFolder() });
}

/** The folder of the migrated embedded store, which each test's own is a copy of; only ever read. */
export function openEmbeddedTemplate(): Promise<string> {
  return cached('embedded', pgliteVersion(), async () => {
    const folder = fs.mkdtempSync(path.join(cacheFolder(), 'building-'));
    const db = await openDb({ databaseUrl: undefined, dataDirectory: folder, onFatal });
    await db.close();
    return folder;
  });
}

/**
 * The folder that `build` made of this version of the engine and these migrations, by this run or one before. Runs that
 * build it at the same time all end with the same folder: the first to give it its name.
 */
async function cached(engine: string, version: string, build: () => Promise<string>): Promise<string> {
  const hash = createHash('sha256').update(`${engine} ${version}`);
  for (const { name, text } of await readMigrations()) hash.update(name).update(text);
  const folder = path.join(cacheFolder(), `${engine}-${hash.digest('hex').slice(0, 16)}`);
  if (!fs.existsSync(folder)) {
    const built = await build();
    try {
      fs.renameSync(built, folder);
    } catch (error) {
      if (!fs.existsSync(folder)) throw error;
      fs.rmSync(built, { recursive: true, force: true });
    }
  }
  const now = new Date();
  fs.utimesSync(folder, now, now);
  return folder;
}

/** Of this user alone: others could put a database of theirs here. Readable, because PostgreSQL does not run as root. */
function cacheFolder(): string {
  const user = process.getuid?.() ?? 0;
  const folder = path.join(os.tmpdir(), `chartgate-test-templates-${user}`);
  fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (process.getuid && fs.statSync(folder).uid !== user)
    throw new Error(`${folder} belongs to somebody else`);
  return folder;
}

/** Removes the templates of migrations and engines that are no longer in use. */
export function removeUnusedTemplates(): void {
  const oldest = Date.now() - MAX_UNUSED_DAYS * 86_400_000;
  for (const name of fs.readdirSync(cacheFolder())) {
    const folder = path.join(cacheFolder(), name);
    if (fs.statSync(folder).mtimeMs < oldest) fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function createTemplateDatabase(server: TestPostgres): Promise<void> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${DATABASE}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${DATABASE}`;
  const db = await openDb({ databaseUrl: url.href, dataDirectory: os.tmpdir(), onFatal });
  await db.close();
}

function pgliteVersion(): string {
  const file = path.join(ROOT, 'node_modules/@electric-sql/pglite/package.json');
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

function onFatal(error: Error): never {
  throw error;
}
