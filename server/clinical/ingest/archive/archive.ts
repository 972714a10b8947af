import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Entry } from 'yauzl';
import { gunzipMember, isGzip } from './gzip-member.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import {
  isDirectory,
  isSystemFile,
  findMemberFault,
  decodeMemberPath,
  toPrintablePath,
} from './member-path.ts';
import type { Member, Rejection } from './reader.ts';
import { spool } from './spool.ts';
import { ArchiveError, MemberError } from './archive-errors.ts';
import {
  type Budget,
  createBudget,
  claim,
  claimBytes,
  createRatioError,
  isDamage,
  isZip,
  openZipDirectory,
  type ZipDirectory,
} from './zip-directory.ts';
import { createMemberOpener } from './zip-member.ts';

export type ArchiveItem = { member: Member } | { rejection: Rejection };

/** Where the walk is: which archive, how deep, and what the upload has claimed so far. */
interface WalkContext {
  directory: ZipDirectory;
  prefix: string;
  depth: number;
  budget: Budget;
}

/** Judges by the central directory alone, while the client waits; throws ArchiveError. */
export async function inspectArchive(file: string): Promise<void> {
  const budget = await createBudget(file);
  const { zip, zipEntries } = await openZipDirectory(file);
  zip.close();
  claim(budget, zipEntries);
}

/** Inflates everything once and throws ArchiveError at a bomb, so that nothing of one is ever stored. */
export async function verifyArchive(file: string, signal?: AbortSignal): Promise<void> {
  const budget = await createBudget(file);
  for await (const item of walkFile(file, budget)) {
    signal?.throwIfAborted();
    if ('member' in item) await drain(item.member, budget);
    else if (item.rejection.code === 'size_mismatch') throw createSizeMismatchError();
  }
}

/**
 * The files of an archive, in its order, those of nested archives in the place of theirs. A member can be opened
 * until the next one is asked for; whatever streams are still open then are closed.
 */
export async function* readArchiveMembers(file: string): AsyncGenerator<ArchiveItem> {
  yield* walkFile(file, await createBudget(file));
}

async function* walkFile(file: string, budget: Budget): AsyncGenerator<ArchiveItem> {
  const directory = await openZipDirectory(file);
  try {
    yield* walk({ directory, prefix: '', depth: 0, budget });
  } finally {
    directory.zip.close();
  }
}

async function* walk(context: WalkContext): AsyncGenerator<ArchiveItem> {
  const { zipEntries } = context.directory;
  claim(context.budget, zipEntries);
  for (const zipEntry of zipEntries) {
    const name = decodeMemberPath(zipEntry);
    if (isDirectory(zipEntry, name) || isSystemFile(name)) continue;
    const path = toPrintablePath(context.prefix + name);
    const fault = findMemberFault(zipEntry, name);
    if (fault) yield { rejection: { path, ...fault } };
    else yield* readZipEntry(context, zipEntry, path);
  }
}

async function* readZipEntry(
  context: WalkContext,
  zipEntry: Entry,
  path: string,
): AsyncGenerator<ArchiveItem> {
  const streams = new Set<Readable>();
  const openStream = createMemberOpener(context.directory, zipEntry);
  const open = async (): Promise<Readable> => {
    const stream = await openStream();
    streams.add(stream);
    return stream.once('close', () => streams.delete(stream));
  };
  const member = { path, open };
  try {
    if (isZip(await readFirstChunk(member))) yield* readNestedArchive(context, member);
    else yield { member };
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

async function* readNestedArchive(context: WalkContext, member: Member): AsyncGenerator<ArchiveItem> {
  const { path } = member;
  try {
    await using spooled = await spool(member);
    const directory = await openZipDirectory(spooled.file);
    const { zip, zipEntries } = directory;
    try {
      if (isOfficeDocument(zipEntries)) yield { member };
      else if (context.depth < ARCHIVE_LIMITS.nesting) {
        yield* walk({ ...context, directory, prefix: `${path}/`, depth: context.depth + 1 });
      } else {
        refuseNestedArchives(context.budget, zipEntries);
        yield { rejection: { path, code: 'nested_too_deep', message: NESTED_TOO_DEEP } };
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof MemberError) {
      yield { rejection: { path, code: error.code, message: error.message } };
    } else if (isDamage(error)) {
      yield { rejection: { path, code: 'damaged', message: 'The archive inside the archive is damaged.' } };
    } else throw error;
  }
}

const NESTED_TOO_DEEP = 'The archive lies inside an archive that is itself inside the upload.';

/** DOCX, XLSX, ODT and EPUB are zip files too; whoever uploads one means the document, not its parts. */
function isOfficeDocument(zipEntries: readonly Entry[]): boolean {
  return zipEntries.some((zipEntry) =>
    ['[Content_Types].xml', 'mimetype'].includes(decodeMemberPath(zipEntry)),
  );
}

/**
 * An archive two levels down is never opened, so by itself it harms nobody. Only a bomb, though, still branches
 * there (42.zip: 16 archives at each of 5 levels) or declares more than an upload may hold.
 */
function refuseNestedArchives(budget: Budget, zipEntries: readonly Entry[]): void {
  const archives = zipEntries.filter((zipEntry) => decodeMemberPath(zipEntry).toLowerCase().endsWith('.zip'));
  if (archives.length > 1) {
    throw new ArchiveError('nested_too_deep', 'The archive holds archives inside archives inside archives.');
  }
  claim({ ...budget }, zipEntries);
}

/** Up to a chunk; empty when the member can't be read, which its reader will find out and report. */
async function readFirstChunk(member: Member): Promise<Buffer> {
  try {
    for await (const chunk of await member.open()) return chunk as Buffer;
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
  }
  return Buffer.alloc(0);
}

/** Reads to the end; gzip content is inflated as well, since that is what its reader will do. */
async function drain(member: Member, budget: Budget): Promise<void> {
  const gzipped = isGzip(await readFirstChunk(member));
  try {
    await finished((await member.open()).resume());
    if (!gzipped) return;
    for await (const chunk of await gunzipMember(member).open()) {
      claimBytes(budget, (chunk as Buffer).length);
    }
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    if (error.code === 'size_mismatch') throw createSizeMismatchError();
    if (error.code === 'expands_too_far') throw createRatioError();
  }
}

function createSizeMismatchError(): ArchiveError {
  return new ArchiveError('size_mismatch', 'The archive unpacks to more than it declares.');
}
