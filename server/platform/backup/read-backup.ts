import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { BackupError, Manifest, MANIFEST_MEMBER, nameTableMember } from './backup-format.ts';

/** A manifest has some twenty thousand characters, a backup some seventy members. */
const MAX_MANIFEST_BYTES = 4 * 1024 * 1024;
const MAX_ARCHIVE_MEMBERS = 10_000;

/**
 * The longest rows hold a resource of 32 MiB, whose every character may be one that the text of a row doubles, and JSON once more.
 * A longer one would fill the memory: one of 250 MB took the embedded engine 3.5 GB.
 */
const MAX_ROW_CHARACTERS = 2 ** 26 + 2 ** 20;
const MAX_LINE_CHARACTERS = 2 * MAX_ROW_CHARACTERS;

/** Rows are inserted by so many characters at a time. */
const INSERT_CHARACTERS = 2 * 1024 * 1024;
const MAX_INSERT_ROWS = 2_000;

export interface OpenBackup {
  manifest: Manifest;
  /** Yields the rows of a table, as many at a time as are inserted at once; throws `BackupError` for what no backup has. */
  readRows(table: string): AsyncGenerator<string[]>;
  close(): void;
}

/** Opens a backup. Throws `BackupError` for what is none, or is cut off. */
export async function openBackup(file: string): Promise<OpenBackup> {
  const zip = await openZip(file);
  try {
    const entries = await listEntries(zip, file);
    const manifest = await readManifest(zip, entries.get(MANIFEST_MEMBER));
    return {
      manifest,
      readRows: (table) => readTableRows(zip, entries.get(nameTableMember(table)), table),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

/** Returns what a backup holds, without its rows. */
export async function readBackupManifest(file: string): Promise<Manifest> {
  const backup = await openBackup(file);
  backup.close();
  return backup.manifest;
}

export const damagedTable = (table: string): BackupError =>
  new BackupError(`the backup is damaged: table ${table} is not what was written`);

async function openZip(file: string): Promise<ZipFile> {
  try {
    return await openPromise(file, { autoClose: false });
  } catch (error) {
    throw unreadable(error, `${file} is no backup, or it is cut off`, file);
  }
}

/** Builds the error of the system that a file cannot be read with; everything else is the fault of what is in it. */
function unreadable(error: unknown, fault: string, file: string): BackupError {
  const { code } = error as NodeJS.ErrnoException;
  return new BackupError(code?.startsWith('E') ? `${file} cannot be read (${code})` : fault);
}

async function listEntries(zip: ZipFile, file: string): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  const damaged = (): BackupError =>
    new BackupError(`${file} is no backup, or it is damaged: its list of members is not what was written`);
  if (zip.entryCount > MAX_ARCHIVE_MEMBERS) throw damaged();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw damaged();
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    throw error instanceof BackupError ? error : unreadable(error, damaged().message, file);
  }
  return entries;
}

async function readManifest(zip: ZipFile, entry: Entry | undefined): Promise<Manifest> {
  if (!entry) throw new BackupError('this zip is no backup of Chartgate');
  const json = entry.uncompressedSize > MAX_MANIFEST_BYTES ? undefined : await readJson(zip, entry);
  if (json === undefined)
    throw new BackupError('the backup is damaged: its manifest is not what was written');
  const result = Manifest.safeParse(json);
  if (!result.success) throw new BackupError(describeForm(json));
  return result.data;
}

/** A form of another number is of a later program; one of this number that does not fit is of none. */
function describeForm(json: unknown): string {
  const format = (json as { format?: unknown } | null)?.format;
  return Number.isInteger(format) && (format as number) > 1
    ? `this backup has form ${format as number}, which a later Chartgate wrote; restore it with that version or a later one`
    : 'the backup is damaged: its manifest has not the form of one';
}

async function readJson(zip: ZipFile, entry: Entry): Promise<unknown> {
  try {
    // No more bytes come than the entry says.
    return JSON.parse(Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray()).toString());
  } catch {
    return undefined;
  }
}

async function* readTableRows(
  zip: ZipFile,
  entry: Entry | undefined,
  table: string,
): AsyncGenerator<string[]> {
  if (!entry) throw damagedTable(table);
  try {
    yield* readRows(await zip.openReadStreamPromise(entry));
  } catch {
    throw damagedTable(table);
  }
}

/** Yields rows until there is what no backup has. */
export async function* readRows(stream: Readable): AsyncGenerator<string[]> {
  let rows: string[] = [];
  let characters = 0;
  for await (const line of readLines(stream)) {
    const row: unknown = JSON.parse(line);
    if (typeof row !== 'string' || row.length > MAX_ROW_CHARACTERS) throw new Error('a line is no row');
    rows.push(row);
    characters += row.length;
    if (characters < INSERT_CHARACTERS && rows.length < MAX_INSERT_ROWS) continue;
    yield rows;
    rows = [];
    characters = 0;
  }
  if (rows.length > 0) yield rows;
}

/** Node's readline also ends a line at U+2028, which stands in records. */
async function* readLines(stream: Readable): AsyncGenerator<string> {
  let rest: string[] = [];
  let length = 0;
  for await (const chunk of stream.setEncoding('utf8')) {
    const parts = (chunk as string).split('\n');
    const last = parts.pop() as string;
    for (const part of parts) {
      yield [...rest, part].join('');
      rest = [];
      length = 0;
    }
    rest.push(last);
    length += last.length;
    if (length > MAX_LINE_CHARACTERS) throw new Error('a line has no end');
  }
  const end = rest.join('');
  if (end !== '') yield end;
}
