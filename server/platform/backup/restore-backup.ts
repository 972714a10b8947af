import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { one, type Db, type Tx } from '../db/db.ts';
import { migrate, readMigrations, type Migration } from '../db/migrate.ts';
import { raw } from '../db/sql.ts';
import { findAppliedMigrations, hasRows, hasSchema, insertRows } from './backup.sql.ts';
import {
  BackupError,
  createRowDigest,
  Manifest,
  MANIFEST_MEMBER,
  nameTableMember,
  SESSION_FORMAT,
} from './backup-format.ts';
import { listTables } from './list-tables.ts';

/** Rows are inserted by so many characters at a time. */
const INSERT_CHARACTERS = 2 * 1024 * 1024;
const MAX_INSERT_ROWS = 2_000;

/**
 * Fills an empty store from a backup of either engine: its schema first, then all rows in one transaction, then what migrations
 * are newer than the backup. A backup that is damaged, cut off or of a newer program, and a store that holds anything, are
 * refused, and the store stays empty.
 */
export async function restoreBackup(db: Db, file: string): Promise<Manifest> {
  const zip = await openZip(file);
  try {
    const entries = await listEntries(zip);
    const manifest = await readManifest(zip, entries);
    const migrations = await readMigrations();
    await requireNoNewerSchema(db, manifest);
    await migrate(db, selectMigrations(migrations, manifest));
    await db.tx(async (tx) => {
      await tx.script(SESSION_FORMAT);
      await requireEmpty(tx);
      for (const table of manifest.tables) await fillTable(tx, { zip, entries, table });
    });
    await db.query(raw('analyze'));
    await migrate(db, migrations);
    return manifest;
  } finally {
    zip.close();
  }
}

/** Returns what a backup holds, without its rows. Throws `BackupError` for what is none, or is cut off. */
export async function readBackupManifest(file: string): Promise<Manifest> {
  const zip = await openZip(file);
  try {
    return await readManifest(zip, await listEntries(zip));
  } finally {
    zip.close();
  }
}

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(
      code === undefined ? `${file} is no backup, or it is cut off` : `${file} cannot be read (${code})`,
    );
  }
}

type Entries = ReadonlyMap<string, Entry>;

async function listEntries(zip: ZipFile): Promise<Entries> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  return entries;
}

async function readManifest(zip: ZipFile, entries: Entries): Promise<Manifest> {
  const entry = entries.get(MANIFEST_MEMBER);
  if (!entry) throw new BackupError('this zip is no backup of Chartgate');
  const text = Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()).toString();
  const result = Manifest.safeParse(JSON.parse(text));
  if (!result.success)
    throw new BackupError('this backup has a form that this Chartgate does not read; use a later one');
  return result.data;
}

/** The migrations of the backup, which this program has to have, the same. */
function selectMigrations(ours: readonly Migration[], { migrations }: Manifest): Migration[] {
  const newest = migrations.at(-1)?.name ?? '';
  const selected = ours.filter(({ name }) => name <= newest);
  const isSame =
    selected.length === migrations.length &&
    selected.every(({ name }, index) => name === migrations[index]?.name);
  if (!isSame)
    throw new BackupError(
      `the backup is of a newer Chartgate (${newest}), which this one cannot serve; restore it with that version or a later one`,
    );
  return selected;
}

/** A store that a newer program has prepared, even for no rows, does not go back to the schema of the backup. */
async function requireNoNewerSchema(db: Db, { migrations }: Manifest): Promise<void> {
  if (!(await one(db, hasSchema())).found) return;
  const newest = (await db.query(findAppliedMigrations())).at(-1)?.name ?? '';
  if (newest > (migrations.at(-1)?.name ?? ''))
    throw new BackupError(
      'the store has tables of a later version than the backup; restore into one without any tables, which becomes up to date then',
    );
}

async function requireEmpty(tx: Tx): Promise<void> {
  for (const name of await listTables(tx)) {
    const { found } = await one(tx, hasRows(name));
    if (found) throw new BackupError('the store is not empty; a backup is restored into an empty one');
  }
}

async function fillTable(
  tx: Tx,
  { zip, entries, table }: { zip: ZipFile; entries: Entries; table: Manifest['tables'][number] },
): Promise<void> {
  const damaged = (): BackupError =>
    new BackupError(`the backup is damaged: table ${table.name} is not what was written`);
  const entry = entries.get(nameTableMember(table.name));
  const digest = createRowDigest();
  if (!entry || !(await listTables(tx)).includes(table.name)) throw damaged();
  for await (const rows of readRows(await zip.openReadStreamPromise(entry), damaged)) {
    for (const row of rows) digest.add(row);
    await tx.query(insertRows(table.name, rows));
  }
  if (digest.rows !== table.rows || digest.digest !== table.digest) throw damaged();
}

async function* readRows(stream: Readable, damaged: () => BackupError): AsyncGenerator<string[]> {
  let rows: string[] = [];
  let characters = 0;
  for await (const line of readLines(stream)) {
    const row = parseRow(line);
    if (row === null) throw damaged();
    rows.push(row);
    characters += row.length;
    if (characters < INSERT_CHARACTERS && rows.length < MAX_INSERT_ROWS) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

function parseRow(line: string): string | null {
  try {
    const row: unknown = JSON.parse(line);
    return typeof row === 'string' ? row : null;
  } catch {
    return null;
  }
}

/** Node's readline also ends a line at U+2028, which stands in records. */
async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest: string[] = [];
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = (chunk as string).split('\n');
    const last = parts.pop() as string;
    for (const part of parts) {
      yield [...rest, part].join('');
      rest = [];
    }
    rest.push(last);
  }
  const end = rest.join('');
  if (end !== '') yield end;
}
