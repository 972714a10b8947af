import fs from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { Db, Tx } from '../db/db.ts';
import { listDetached } from '../db/detach-months.ts';
import { MONTHLY_TABLES, type MonthlyTable } from '../db/months.ts';
import type { Clock } from '../kernel/clock.ts';
import {
  BackupError,
  createRowDigest,
  MANIFEST_MEMBER,
  nameTableMember,
  SESSION_FORMAT,
  type Manifest,
} from './backup-format.ts';
import { declareRows, fetchRows, findAppliedMigrations } from './backup.sql.ts';
import { listTables } from './list-tables.ts';

/** Rows are fetched by so many bytes at a time, going by the largest before. */
const FETCH_BYTES = 4 * 1024 * 1024;
const MAX_FETCH_ROWS = 4096;

/**
 * Writes all rows as of one moment into a file of 0600 that did not exist, and returns what it holds. Others read and write
 * meanwhile (on the embedded engine, where one transaction has the engine at a time, they wait: see `takeSnapshot`). The file
 * gets its name once it is complete and on disk.
 */
export async function writeBackup({ db, clock }: { db: Db; clock: Clock }, file: string): Promise<Manifest> {
  const partial = `${file}.partial`;
  if (fs.existsSync(file)) throw new BackupError(`${file} exists; a backup never replaces a file`);
  try {
    const manifest = await db.tx((tx) => writeRows(tx, { engine: db.engine, clock, partial }), {
      plans: 'kept',
    });
    const handle = await open(partial, 'r+');
    await handle.sync();
    await handle.close();
    await rename(partial, file);
    return manifest;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeRows(
  tx: Tx,
  { engine, clock, partial }: { engine: Db['engine']; clock: Clock; partial: string },
): Promise<Manifest> {
  await tx.script(`set transaction isolation level repeatable read, read only; ${SESSION_FORMAT}`);
  const names = await listTables(tx);
  await requireWholeTables(tx);
  const manifest: Manifest = {
    format: 1,
    takenAt: clock.now().toISOString(),
    engine,
    migrations: await tx.query(findAppliedMigrations()),
    tables: [],
  };
  const zip = new ZipFile();
  const problem = new Promise<never>((_resolve, reject) => zip.on('error', reject));
  for (const name of names)
    zip.addReadStreamLazy(nameTableMember(name), { compress: true, mode: 0o600 }, (done) =>
      done(null, Readable.from(readTable(tx, name, manifest))),
    );
  // Opened when all tables are written, so it holds their counts.
  zip.addReadStreamLazy(MANIFEST_MEMBER, { compress: true, mode: 0o600 }, (done) =>
    done(null, Readable.from([JSON.stringify(manifest)])),
  );
  zip.end();
  await Promise.race([
    problem,
    pipeline(zip.outputStream, fs.createWriteStream(partial, { mode: 0o600, flags: 'w' })),
  ]);
  return manifest;
}

/** Refuses while a month is dropped, which is a table of its own for a moment: its rows would be in no table of the backup. */
async function requireWholeTables(tx: Tx): Promise<void> {
  for (const table of Object.keys(MONTHLY_TABLES) as MonthlyTable[])
    if ((await tx.query(listDetached(table))).length > 0)
      throw new BackupError('a month of the store is being dropped just now; try again in a minute');
}

/** Yields the lines of a table by a cursor, and adds what they were to the manifest. */
async function* readTable(tx: Tx, name: string, manifest: Manifest): AsyncGenerator<string> {
  const digest = createRowDigest();
  await tx.script(declareRows(name));
  let count = 1;
  for (;;) {
    const rows = await tx.query(fetchRows(count));
    if (rows.length === 0) break;
    let lines = '';
    let largest = 1;
    for (const { row } of rows) {
      digest.add(row);
      largest = Math.max(largest, row.length);
      lines += `${JSON.stringify(row)}\n`;
    }
    yield lines;
    // A power of two, since each number is a statement of its own to prepare.
    const fitting = Math.min(MAX_FETCH_ROWS, 2 * count, Math.max(1, FETCH_BYTES / largest));
    count = 2 ** Math.floor(Math.log2(fitting));
  }
  await tx.script('close backup_rows');
  manifest.tables.push({ name, rows: digest.rows, digest: digest.digest });
}
