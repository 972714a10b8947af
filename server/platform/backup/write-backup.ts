import fs from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { VERSION } from '../../../contract/version.ts';
import type { Db, Tx } from '../db/db.ts';
import { listDetached } from '../db/detach-months.ts';
import { MONTHLY_TABLES, type MonthlyTable } from '../db/months.ts';
import { describeNewerStore, readSchemaState } from '../db/schema-state.ts';
import { systemClock, type Clock } from '../kernel/clock.ts';
import { explainFileFault } from '../kernel/file-fault.ts';
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
import { namePartial, removePartials } from './remove-partials.ts';

/** Rows are fetched by so many bytes at a time, going by the largest before. */
const FETCH_BYTES = 4 * 1024 * 1024;
const MAX_FETCH_ROWS = 4096;

/** A backup that is being written, under another name until it is complete. */
export interface BackupFile {
  name: string;
  partial: string;
  handle: FileHandle;
}

/**
 * Runs `write` with a file of 0600 that did not exist. The file gets its name once `write` has ended and all of it is on disk;
 * where that fails nothing is left of it. It is there before anything is asked of the store: a path that takes no file costs
 * no copy.
 */
export async function withBackupFile<T>(name: string, write: (file: BackupFile) => Promise<T>): Promise<T> {
  if (fs.existsSync(name)) throw new BackupError(`${name} exists; a backup never replaces a file`);
  const partial = namePartial(name);
  const handle = await open(partial, 'w', 0o600).catch(throwFileFault(name));
  await removePartials(name, systemClock.now());
  try {
    const result = await write({ name, partial, handle });
    await handle.sync().catch(throwFileFault(name));
    await handle.close();
    await rename(partial, name).catch(throwFileFault(name));
    return result;
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(partial, { force: true });
    throw error;
  }
}

const throwFileFault =
  (name: string) =>
  (error: unknown): never => {
    const fault = explainFileFault(error);
    throw fault === null ? error : new BackupError(`${name} cannot be written: ${fault}`);
  };

interface BackupDeps {
  db: Db;
  clock: Clock;
  /** Ends the backup before it is complete. */
  signal?: AbortSignal;
}

/**
 * Writes all rows as of one moment, and returns what they were. Others read and write meanwhile (on the embedded engine, where
 * one transaction has the engine at a time, they wait: see `takeSnapshot`).
 */
export const writeBackupInto = ({ db, ...deps }: BackupDeps, file: BackupFile): Promise<Manifest> =>
  db.tx((tx) => writeRows(tx, { engine: db.engine, file, ...deps }), { plans: 'kept' });

/** Writes a backup under a name that nothing has. */
export const writeBackup = (deps: BackupDeps, name: string): Promise<Manifest> =>
  withBackupFile(name, (file) => writeBackupInto(deps, file));

async function writeRows(
  tx: Tx,
  {
    engine,
    clock,
    file,
    signal,
  }: { engine: Db['engine']; clock: Clock; file: BackupFile; signal?: AbortSignal },
): Promise<Manifest> {
  await tx.script(`set transaction isolation level repeatable read, read only; ${SESSION_FORMAT}`);
  const names = await listTables(tx);
  await requireKnownSchema(tx);
  await requireWholeTables(tx);
  const manifest: Manifest = {
    format: 1,
    takenAt: clock.now().toISOString(),
    engine,
    program: VERSION,
    migrations: await tx.query(findAppliedMigrations()),
    tables: [],
  };
  // Members are opened one after another, each when the one before it is written; so the last one holds the counts of all.
  await writeMembers(file, signal, [
    ...names.map((name) => ({
      name: nameTableMember(name),
      read: (stopped: AbortSignal) => readTable(tx, name, { manifest, stopped }),
    })),
    { name: MANIFEST_MEMBER, read: () => [JSON.stringify(manifest)] },
  ]);
  return manifest;
}

interface Member {
  name: string;
  /** Ends before its next statement once `stopped` is aborted: the transaction is over then. */
  read(stopped: AbortSignal): Iterable<string> | AsyncIterable<string>;
}

/** Writes a zip. Where the file takes no more, or `signal` is aborted, no member is read on. */
async function writeMembers(
  { name: fileName, handle }: BackupFile,
  signal: AbortSignal | undefined,
  members: readonly Member[],
): Promise<void> {
  const zip = new ZipFile();
  const stop = new AbortController();
  const { promise: failed, reject } = Promise.withResolvers<never>();
  zip.on('error', reject);
  for (const { name, read } of members)
    zip.addReadStreamLazy(name, { compress: true, mode: 0o600 }, (done) => {
      const rows = Readable.from(read(stop.signal));
      // `yazl` listens to no errors of what it is given.
      rows.on('error', reject);
      done(null, rows);
    });
  zip.end();
  const write = async (chunks: AsyncIterable<string | Buffer>): Promise<void> => {
    for await (const chunk of chunks) await handle.writeFile(chunk);
  };
  const written = pipeline(zip.outputStream, write, { signal: signal ?? stop.signal });
  try {
    await Promise.race([failed, written.catch(throwFileFault(fileName))]);
  } catch (error) {
    stop.abort();
    throw signal?.aborted === true ? signal.reason : error;
  }
}

/** Refuses a store of a newer program: which of its tables are whole, and how their rows are written, is not for this one to know. */
async function requireKnownSchema(tx: Tx): Promise<void> {
  const { newest, unknown } = await readSchemaState(tx);
  if (unknown.length > 0)
    throw new BackupError(
      `${describeNewerStore(newest)}, whose tables this one may not know; back up with that version or a later one`,
    );
}

/** Refuses while a month is dropped, which is a table of its own for a moment: its rows would be in no table of the backup. */
async function requireWholeTables(tx: Tx): Promise<void> {
  for (const table of Object.keys(MONTHLY_TABLES) as MonthlyTable[])
    if ((await tx.query(listDetached(table))).length > 0)
      throw new BackupError('a month of the store is being dropped just now; try again in a minute');
}

/** Yields the lines of a table by a cursor, and adds what they were to the manifest. */
async function* readTable(
  tx: Tx,
  name: string,
  { manifest, stopped }: { manifest: Manifest; stopped: AbortSignal },
): AsyncGenerator<string> {
  if (stopped.aborted) return;
  const digest = createRowDigest();
  await tx.script(declareRows(name));
  let count = 1;
  for (;;) {
    const rows = await tx.query(fetchRows(count));
    if (stopped.aborted) return;
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
  if (stopped.aborted) return;
  await tx.script('close backup_rows');
  manifest.tables.push({ name, rows: digest.rows, digest: digest.digest });
}
