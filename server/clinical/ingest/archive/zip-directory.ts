import { open, stat } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { CachedFileReader } from './cached-file-reader.ts';
import { ARCHIVE_LIMITS, isRatioTooHigh } from './limits.ts';
import { ArchiveError, toMemberError } from './archive-errors.ts';
import { locateZip } from './locate-zip.ts';
import { decodeMemberPath, isBomb, toPrintablePath } from './member-path.ts';

/** An open zip file and its central directory. The caller closes `zip`. */
export interface ZipDirectory {
  zip: ZipFile;
  reader: CachedFileReader;
  zipEntries: Entry[];
}

const MiB = 1024 * 1024;

/** What one upload has claimed so far, over all its archives. */
export interface Budget {
  packedBytes: number;
  members: number;
  unpackedBytes: number;
  /** Of these, what a GZIP file unpacked to before it was refused: work, but nothing that is kept. */
  refusedBytes: number;
}

/** Codes for a zip file that is not valid, as opposed to one that is too large. */
const DAMAGE = new Set(['not_an_archive', 'truncated_archive', 'damaged_archive', 'encrypted_archive']);

export function isDamage(error: unknown): error is ArchiveError {
  return error instanceof ArchiveError && DAMAGE.has(error.code);
}

/** Creates the budget of the upload in `file`; throws ArchiveError when the file itself is too large. */
export async function createBudget(file: string): Promise<Budget> {
  const { size } = await stat(file);
  if (size > ARCHIVE_LIMITS.compressedBytes) {
    throw new ArchiveError(
      'archive_too_large',
      `The archive is larger than ${ARCHIVE_LIMITS.compressedBytes / MiB} MiB.`,
    );
  }
  return { packedBytes: size, members: 0, unpackedBytes: 0, refusedBytes: 0 };
}

/** Reads the central directory only. */
export async function openZipDirectory(file: string): Promise<ZipDirectory> {
  const { size } = await stat(file);
  const reader = new CachedFileReader(file);
  try {
    const zipFile = await locateZip(reader, size);
    reader.skip(zipFile.offset);
    const zip = await fromRandomAccessReaderPromise(reader, zipFile.size, YAUZL_OPTIONS);
    const zipEntries = await readZipEntries(zip);
    await requireNoMoreEntries(zip, reader);
    return { zip, reader, zipEntries };
  } catch (error) {
    // yauzl closes what it opened itself, but not a reader that was passed to it.
    reader.close(() => {});
    throw error instanceof ArchiveError ? error : await toArchiveError(file, error as Error);
  }
}

const YAUZL_OPTIONS = {
  autoClose: false,
  // Names are decoded by member-path.ts: yauzl's own check fails the whole archive at the first bad name.
  decodeStrings: false,
  // Sizes are checked while bytes flow, member by member, for the same reason.
  validateEntrySizes: false,
};

async function readZipEntries(zip: ZipFile): Promise<Entry[]> {
  if (zip.entryCount > ARCHIVE_LIMITS.members) throw createTooManyMembersError();
  const zipEntries: Entry[] = [];
  for await (const zipEntry of zip.eachEntry()) {
    zipEntries.push(zipEntry);
    // Entries from a cached block don't yield to the event loop: 20,000 at once would block the service for 0.1 s.
    if (zipEntries.length % 1_000 === 0) await setImmediate();
  }
  return zipEntries;
}

const ENTRY_SIGNATURE = Buffer.from('PK\x01\x02');

/**
 * Throws where entries follow those that the archive says it holds: a program that counts in 16 bits says 4,464 of 70,000
 * files, and the others would be left out without a word.
 */
async function requireNoMoreEntries(zip: ZipFile, reader: CachedFileReader): Promise<void> {
  // Where the next entry would begin; the types call it a boolean.
  const { readEntryCursor: next } = zip as unknown as { readEntryCursor: number };
  if ((await reader.readBytes(next, ENTRY_SIGNATURE.length)).equals(ENTRY_SIGNATURE))
    throw new ArchiveError('damaged_archive', 'The archive is damaged: it holds more files than it says.');
}

/**
 * Adds what a directory declares to the budget, before a byte is inflated. Members are later held to their
 * declared size byte by byte (zip-member.ts), so no more than what is declared here can be inflated; bombs never are.
 */
export function claim(budget: Budget, zipEntries: readonly Entry[], prefix = ''): void {
  budget.members += zipEntries.length;
  if (budget.members > ARCHIVE_LIMITS.members) throw createTooManyMembersError(prefix.slice(0, -1));
  for (const zipEntry of zipEntries) {
    if (isBomb(zipEntry)) continue;
    const path = toPrintablePath(prefix + decodeMemberPath(zipEntry));
    claimBytes(budget, zipEntry.uncompressedSize, path);
    if (isBudgetStrained(budget)) throw createRatioError(path);
  }
}

/** Adds bytes of a file to the budget, and throws at the limit of all. */
export function claimBytes(budget: Budget, bytes: number, path: string): void {
  budget.unpackedBytes += bytes;
  if (budget.unpackedBytes <= ARCHIVE_LIMITS.unpackedBytes) return;
  const most = `${ARCHIVE_LIMITS.unpackedBytes / (1024 * MiB)} GiB`;
  throw new ArchiveError('unpacks_too_large', `The archive unpacks to more than ${most}.`, path);
}

/** Whether the whole archive unpacks to more times its size than any but a bomb does. */
export const isBudgetStrained = ({ unpackedBytes, refusedBytes, packedBytes }: Budget): boolean =>
  isRatioTooHigh(unpackedBytes - refusedBytes, packedBytes);

function createTooManyMembersError(path = ''): ArchiveError {
  return new ArchiveError(
    'too_many_members',
    `The archive holds more than ${ARCHIVE_LIMITS.members.toLocaleString('en-US')} files.`,
    path,
  );
}

export function createRatioError(path = ''): ArchiveError {
  return new ArchiveError(
    'ratio_too_high',
    `The archive unpacks to more than ${ARCHIVE_LIMITS.ratio} times its size.`,
    path,
  );
}

async function toArchiveError(file: string, error: Error): Promise<Error> {
  if (toMemberError(error) === error) return error;
  if (error.message.includes('encryption')) {
    return new ArchiveError('encrypted_archive', 'The archive is protected by a password.');
  }
  if (!(await hasZipSignature(file)))
    return new ArchiveError('not_an_archive', 'The file is not a zip archive.');
  if (error.message.startsWith('End of central directory')) {
    return new ArchiveError('truncated_archive', 'The archive is cut off: its end is missing.');
  }
  return new ArchiveError('damaged_archive', 'The archive is damaged: its list of files cannot be read.');
}

async function hasZipSignature(file: string): Promise<boolean> {
  await using handle = await open(file);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
  return isZip(buffer.subarray(0, bytesRead));
}

/** Checks for a local file header (APPNOTE §4.3.7), or the end record of an archive without members (§4.3.16). */
export function isZip(head: Buffer): boolean {
  if (head.length < 4) return false;
  const signature = head.readUInt32LE(0);
  return signature === 0x04034b50 || signature === 0x06054b50;
}
