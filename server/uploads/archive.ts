import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Entry } from 'yauzl';
import { gunzippedMember, isGzip } from './gzip-member.ts';
import { ARCHIVE_LIMITS } from './limits.ts';
import { isDirectory, isNoise, memberFault, memberPath, printablePath } from './member-path.ts';
import type { Member, Rejection } from './reading.ts';
import { spool } from './spool.ts';
import { ArchiveRefused, MemberUnreadable } from './unreadable.ts';
import {
  type Budget,
  budgetFor,
  claim,
  claimBytes,
  expandsTooMuch,
  isDamage,
  isZip,
  openDirectory,
  type ZipDirectory,
} from './zip-directory.ts';
import { zipMemberOpener } from './zip-member.ts';

export type ArchiveItem = { member: Member } | { rejection: Rejection };

/** Where the walk is: which archive, how deep, and what the upload has claimed so far. */
interface Place {
  directory: ZipDirectory;
  prefix: string;
  depth: number;
  budget: Budget;
}

/** Judges by the central directory alone, while the client waits; throws ArchiveRefused. */
export async function inspectArchive(file: string): Promise<void> {
  const budget = await budgetFor(file);
  const { zip, entries } = await openDirectory(file);
  zip.close();
  claim(budget, entries);
}

/** Inflates everything once and throws ArchiveRefused at a bomb, so that nothing of one is ever stored. */
export async function verifyArchive(file: string, signal?: AbortSignal): Promise<void> {
  const budget = await budgetFor(file);
  for await (const item of walkFile(file, budget)) {
    signal?.throwIfAborted();
    if ('member' in item) await drain(item.member, budget);
    else if (item.rejection.code === 'size_mismatch') throw sizesLie();
  }
}

/**
 * The files of an archive, in its order, those of nested archives in the place of theirs. A member can be opened
 * until the next one is asked for; whatever streams are still open then are closed.
 */
export async function* archiveMembers(file: string): AsyncGenerator<ArchiveItem> {
  yield* walkFile(file, await budgetFor(file));
}

async function* walkFile(file: string, budget: Budget): AsyncGenerator<ArchiveItem> {
  const directory = await openDirectory(file);
  try {
    yield* walk({ directory, prefix: '', depth: 0, budget });
  } finally {
    directory.zip.close();
  }
}

async function* walk(place: Place): AsyncGenerator<ArchiveItem> {
  const { entries } = place.directory;
  claim(place.budget, entries);
  for (const entry of entries) {
    const name = memberPath(entry);
    if (isDirectory(entry, name) || isNoise(name)) continue;
    const path = printablePath(place.prefix + name);
    const fault = memberFault(entry, name);
    if (fault) yield { rejection: { path, ...fault } };
    else yield* readEntry(place, entry, path);
  }
}

async function* readEntry(place: Place, entry: Entry, path: string): AsyncGenerator<ArchiveItem> {
  const streams = new Set<Readable>();
  const openStream = zipMemberOpener(place.directory, entry);
  const open = async (): Promise<Readable> => {
    const stream = await openStream();
    streams.add(stream);
    return stream.once('close', () => streams.delete(stream));
  };
  const member = { path, open };
  try {
    if (isZip(await firstBytes(member))) yield* readNested(place, member);
    else yield { member };
  } finally {
    for (const stream of streams) stream.destroy();
  }
}

async function* readNested(place: Place, member: Member): AsyncGenerator<ArchiveItem> {
  const { path } = member;
  try {
    await using spooled = await spool(member);
    const directory = await openDirectory(spooled.file);
    const { zip, entries } = directory;
    try {
      if (isOfficeDocument(entries)) yield { member };
      else if (place.depth < ARCHIVE_LIMITS.nesting) {
        yield* walk({ ...place, directory, prefix: `${path}/`, depth: place.depth + 1 });
      } else {
        refuseMultiplying(place.budget, entries);
        yield { rejection: { path, code: 'nested_too_deep', message: NESTED_TOO_DEEP } };
      }
    } finally {
      zip.close();
    }
  } catch (error) {
    if (error instanceof MemberUnreadable) {
      yield { rejection: { path, code: error.code, message: error.message } };
    } else if (isDamage(error)) {
      yield { rejection: { path, code: 'damaged', message: 'The archive inside the archive is damaged.' } };
    } else throw error;
  }
}

const NESTED_TOO_DEEP = 'The archive lies inside an archive that is itself inside the upload.';

/** DOCX, XLSX, ODT and EPUB are zip files too; whoever uploads one means the document, not its parts. */
function isOfficeDocument(entries: readonly Entry[]): boolean {
  return entries.some((entry) => ['[Content_Types].xml', 'mimetype'].includes(memberPath(entry)));
}

/**
 * An archive two levels down is never opened, so by itself it harms nobody. Only a bomb, though, still branches
 * there (42.zip: 16 archives at each of 5 levels) or declares more than an upload may hold.
 */
function refuseMultiplying(budget: Budget, entries: readonly Entry[]): void {
  const archives = entries.filter((entry) => memberPath(entry).toLowerCase().endsWith('.zip'));
  if (archives.length > 1) {
    throw new ArchiveRefused(
      'nested_too_deep',
      'The archive holds archives inside archives inside archives.',
    );
  }
  claim({ ...budget }, entries);
}

/** Up to a chunk; empty when the member can't be read, which its reader will find out and report. */
async function firstBytes(member: Member): Promise<Buffer> {
  try {
    for await (const chunk of await member.open()) return chunk as Buffer;
  } catch (error) {
    if (!(error instanceof MemberUnreadable)) throw error;
  }
  return Buffer.alloc(0);
}

/** Reads to the end; gzip content is inflated as well, since that is what its reader will do. */
async function drain(member: Member, budget: Budget): Promise<void> {
  const gzipped = isGzip(await firstBytes(member));
  try {
    await finished((await member.open()).resume());
    if (!gzipped) return;
    for await (const chunk of await gunzippedMember(member).open()) {
      claimBytes(budget, (chunk as Buffer).length);
    }
  } catch (error) {
    if (!(error instanceof MemberUnreadable)) throw error;
    if (error.code === 'size_mismatch') throw sizesLie();
    if (error.code === 'expands_too_far') throw expandsTooMuch();
  }
}

function sizesLie(): ArchiveRefused {
  return new ArchiveRefused('size_mismatch', 'The archive unpacks to more than it declares.');
}
