import type { Readable } from 'node:stream';
import type { Entry } from 'yauzl';
import { detectCodings, type Coding } from './codings.ts';
import { decodeStream } from './decode-member.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import {
  isBomb,
  isDirectory,
  isSystemFile,
  findMemberFault,
  decodeMemberPath,
  toPrintablePath,
} from './member-path.ts';
import {
  createNestedContainer,
  createUploadContainer,
  rejectEmpty,
  rejectEntry,
  type Container,
  type RejectedItem,
} from './kept-members.ts';
import type { Member, MemberObserver } from './member.ts';
import { peek } from './peek.ts';
import { spool } from './spool.ts';
import { ArchiveError, MemberError } from './archive-errors.ts';
import {
  type Budget,
  createBudget,
  claim,
  claimBytes,
  createRatioError,
  isBudgetStrained,
  isDamage,
  isZip,
  openZipDirectory,
  type ZipDirectory,
} from './zip-directory.ts';
import { createMemberOpener } from './zip-member.ts';

export type ArchiveItem = { member: Member } | RejectedItem;

/** The position of the walk: which archive, how deep, and what the upload has claimed so far. */
interface WalkContext {
  directory: ZipDirectory;
  prefix: string;
  depth: number;
  container: Container;
  budget: Budget;
}

/** The paths that name an archive to people. */
const MAX_PATHS = 5;

/** Checks the central directory alone, while the client waits; throws ArchiveError. Returns the first paths of files. */
export async function inspectArchive(file: string): Promise<string[]> {
  const budget = await createBudget(file);
  const { zip, zipEntries } = await openZipDirectory(file);
  zip.close();
  requireNoBombAlone(zipEntries);
  claim(budget, zipEntries);
  return listFiles(zipEntries)
    .filter(({ zipEntry, name }) => findMemberFault(zipEntry, name) === null)
    .slice(0, MAX_PATHS)
    .map(({ name }) => name);
}

const listFiles = (zipEntries: readonly Entry[]): { zipEntry: Entry; name: string }[] =>
  zipEntries
    .map((zipEntry) => ({ zipEntry, name: decodeMemberPath(zipEntry) }))
    .filter(({ zipEntry, name }) => !isDirectory(zipEntry, name) && !isSystemFile(name));

/** Throws where everything in the archive is a bomb: then nothing is left to be read. */
function requireNoBombAlone(zipEntries: readonly Entry[]): void {
  const others = zipEntries.filter(
    (zipEntry) => !isBomb(zipEntry) && !isDirectory(zipEntry, decodeMemberPath(zipEntry)),
  );
  if (others.length === 0 && zipEntries.some(isBomb)) throw createRatioError();
}

interface VerifyOptions {
  signal?: AbortSignal | undefined;
  /** Called for each member in the order of `readArchiveMembers`, before its bytes are read. */
  observe?(path: string): MemberObserver;
}

/**
 * Inflates everything once and throws ArchiveError where all of it is too much, so that nothing of it is ever stored. What has to
 * be known of a member before it is read is observed here: its CRC-32 stands at its end, and nothing of a file with a flipped
 * bit, a wrong size or a bomb in it may reach a health record. Such a file costs no other.
 */
export async function verifyArchive(file: string, { signal, observe }: VerifyOptions = {}): Promise<void> {
  const budget = await createBudget(file);
  for await (const item of walkFile(file, budget)) {
    signal?.throwIfAborted();
    if ('rejection' in item) continue;
    const { path } = item.member;
    let claimed = 0;
    const fault = await drainMember(item.member, observe?.(path), (bytes) => {
      claimed += bytes;
      claimBytes(budget, bytes, path);
      if (isBudgetStrained(budget)) throw new MemberError('expands_too_far');
    });
    if (fault !== null) budget.refusedBytes += claimed;
  }
}

/**
 * Yields the files of an archive in its order, those of a nested archive where that stands. A member can be opened until
 * the next one is asked for; streams that are still open then are closed. A member that is opened once is inflated once.
 */
export async function* readArchiveMembers(file: string): AsyncGenerator<ArchiveItem> {
  yield* walkFile(file, await createBudget(file));
}

async function* walkFile(file: string, budget: Budget): AsyncGenerator<ArchiveItem> {
  const directory = await openZipDirectory(file);
  try {
    requireNoBombAlone(directory.zipEntries);
    const container = await createUploadContainer(file);
    yield* walk({ directory, prefix: '', depth: 0, container, budget });
  } finally {
    directory.zip.close();
  }
}

async function* walk(context: WalkContext): AsyncGenerator<ArchiveItem> {
  const { zipEntries } = context.directory;
  claim(context.budget, zipEntries, context.prefix);
  const files = listFiles(zipEntries);
  // An upload without files is said to have none by its count of documents.
  if (files.length === 0 && context.prefix !== '') yield rejectEmpty(context.prefix);
  for (const { zipEntry, name } of files) {
    const path = toPrintablePath(context.prefix + name);
    const fault = findMemberFault(zipEntry, name);
    if (fault) yield rejectEntry({ ...context, zipEntry, path: context.prefix + name }, { path, ...fault });
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
  let peeked: Readable | null = null;
  const open = async (): Promise<Readable> => {
    const stream = peeked ?? (await openStream());
    peeked = null;
    streams.add(stream);
    return stream.once('close', () => streams.delete(stream));
  };
  const member = { path, open };
  try {
    const head = await unlessFaulty(async () => peek((peeked = await open())));
    if (head !== null && isZip(head)) yield* readNestedArchive(context, member);
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
        const container = createNestedContainer(member);
        yield* walk({ ...context, directory, prefix: `${path}/`, depth: context.depth + 1, container });
      } else {
        refuseNestedArchives(context.budget, zipEntries);
        yield { rejection: { path, code: 'nested_too_deep', message: NESTED_TOO_DEEP }, kept: member };
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof MemberError) {
      yield { rejection: { path, code: error.code, message: error.message } };
    } else if (isDamage(error)) {
      yield { rejection: { path, code: 'damaged', message: NESTED_DAMAGED }, kept: member };
    } else throw nameNested(error, path);
  }
}

/** What refuses all of the upload is said of the archive within it that it was found in. */
const nameNested = (error: unknown, path: string): unknown =>
  error instanceof ArchiveError && error.path === ''
    ? new ArchiveError(error.code, error.message, path)
    : error;

const NESTED_TOO_DEEP =
  'The archive lies inside an archive that is itself inside the upload. It was not read, and is kept as a document.';

const NESTED_DAMAGED =
  'The archive inside the archive is damaged, or locked. It was not read, and is kept as a document.';

/** DOCX, XLSX, ODT and EPUB are zip files too, and are kept as one document. */
function isOfficeDocument(zipEntries: readonly Entry[]): boolean {
  return zipEntries.some((zipEntry) =>
    ['[Content_Types].xml', 'mimetype'].includes(decodeMemberPath(zipEntry)),
  );
}

/**
 * Refuses a bomb: an archive two levels down is never opened, but only a bomb still branches there (42.zip: 16 archives at
 * each of 5 levels) or declares more than an upload may hold.
 */
function refuseNestedArchives(budget: Budget, zipEntries: readonly Entry[]): void {
  const archives = zipEntries.filter((zipEntry) => decodeMemberPath(zipEntry).toLowerCase().endsWith('.zip'));
  if (archives.length > 1) {
    throw new ArchiveError('nested_too_deep', 'The archive holds archives inside archives inside archives.');
  }
  claim({ ...budget }, zipEntries);
}

/** Null when the member can't be read, which its reader will find out and report. */
async function unlessFaulty<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    return null;
  }
}

/**
 * Reads a member once to its end, decoded, since that is what its reader will do; what is inflated is claimed. Returns why the
 * member can't be read, or null.
 */
export async function drainMember(
  member: Member,
  observer?: MemberObserver,
  claimUnpacked?: (bytes: number) => void,
): Promise<MemberError | null> {
  let codings: readonly Coding[] = [];
  let fault: MemberError | null = null;
  try {
    const stream = await member.open();
    codings = detectCodings(await peek(stream));
    let unpackedBytes = 0;
    for await (const chunk of decodeStream(stream, codings, (bytes) => (unpackedBytes += bytes))) {
      claimUnpacked?.(unpackedBytes);
      unpackedBytes = 0;
      observer?.push(chunk as Buffer);
    }
  } catch (error) {
    if (!(error instanceof MemberError)) throw error;
    fault = error;
  }
  observer?.end({ codings, fault });
  return fault;
}
