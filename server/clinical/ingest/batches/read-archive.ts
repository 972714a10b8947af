import type { ResourceAt } from '../import/read-facts.ts';
import { readArchiveMembers, verifyArchive } from '../archive/archive.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import type { Member, Rejection } from '../archive/member.ts';
import { readOwnDocument } from '../readers/document.ts';
import { createOwnArchives } from '../readers/own-archive.ts';
import { readMember } from '../readers/read-member.ts';
import type { MemberItem, Original, Reader } from '../readers/reader.ts';
import { createMemberScanner, type MemberScan } from '../readers/scan-member.ts';
import type { ArchiveReport } from './complete-batch.ts';
import { createOwnArchiveNote, isMereNote } from './import-notes.ts';

/** Verifies an archive by inflating it once, and returns how each of its members is to be read. Throws ArchiveError. */
export async function scanArchive(
  file: string,
  readers: readonly Reader[],
  signal?: AbortSignal,
): Promise<MemberScan[]> {
  const scans: MemberScan[] = [];
  const observe = (path: string) => createMemberScanner(path, readers, (scan) => scans.push(scan));
  await verifyArchive(file, { signal, observe });
  return scans;
}

interface ReadArchiveOptions {
  /** Called with a document, whose file is there until the promise resolves. */
  onDocument?(path: string, original: Original): Promise<void>;
  /** Called after each member. */
  onProgress?(report: ArchiveReport): Promise<void>;
  /** Says why a resource may not enter the record; null for one that may. */
  refuse?(found: FoundResource): Pick<Rejection, 'code' | 'message'> | null;
}

/**
 * Yields the resources of an archive, member by member, and inflates it once. What could not be read is noted in `report`
 * and costs no other member.
 */
export async function* readResources(
  { file, scans }: { file: string; scans: readonly MemberScan[] },
  report: ArchiveReport,
  options: ReadArchiveOptions = {},
): AsyncGenerator<ResourceAt> {
  const readFound = createMemberReader(scans, report);
  let members = 0;
  for await (const item of readArchiveMembers(file)) {
    report.documents.total++;
    let isRead = false;
    if ('rejection' in item) addRejection(report, item.rejection);
    else {
      const scan = scans[members++];
      if (!scan) throw new Error('the archive has more members than were verified');
      const items = readFound(item.member, scan);
      isRead = yield* readItems({ path: item.member.path, items }, report, options);
    }
    report.documents[isRead ? 'processed' : 'rejected']++;
    await options.onProgress?.(report);
  }
}

/** Creates what reads a member; what an archive of ours holds beside the record gives nothing but one note for all of it. */
function createMemberReader(
  scans: readonly MemberScan[],
  report: ArchiveReport,
): (member: Member, scan: MemberScan) => AsyncIterable<MemberItem> {
  const findOwn = createOwnArchives(scans);
  const noted = new Set<string>();
  return (member, scan) => {
    const own = findOwn(member.path);
    if (own === null) return readMember(member, scan);
    if (!noted.has(own.root)) addRejection(report, createOwnArchiveNote(own.root));
    noted.add(own.root);
    return own.part === 'document' ? readOwnDocument(member, scan, own.documentPath) : readNothing();
  };
}

async function* readNothing(): AsyncGenerator<MemberItem> {}

/** Returns whether anything of the member was read; an empty Bundle counts as read. */
async function* readItems(
  { path, items }: { path: string; items: AsyncIterable<MemberItem> },
  report: ArchiveReport,
  options: ReadArchiveOptions,
): AsyncGenerator<ResourceAt, boolean> {
  let found = 0;
  let rejected = 0;
  for await (const memberItem of items) {
    if ('found' in memberItem) {
      const refusal = options.refuse?.(memberItem.found) ?? null;
      if (refusal === null) {
        found++;
        yield { path, found: memberItem.found };
      } else {
        if (!isMereNote(refusal)) rejected++;
        addRejection(report, { ...refusal, path: formatPath(path, memberItem.found.position) });
      }
    } else if ('original' in memberItem) await options.onDocument?.(path, memberItem.original);
    else {
      if (!isMereNote(memberItem.rejection)) rejected++;
      addRejection(report, memberItem.rejection);
    }
  }
  return found > 0 || rejected === 0;
}

const formatPath = (path: string, position: string): string =>
  position === '' ? path : `${path}#${position}`;

/** A batch reports this many rejections; beyond that only their number. */
const MAX_REJECTIONS = 10_000;

function addRejection(report: ArchiveReport, rejection: Rejection): void {
  if (report.rejections.length < MAX_REJECTIONS) report.rejections.push(rejection);
}
