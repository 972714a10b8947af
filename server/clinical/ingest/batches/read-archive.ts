import type { ResourceAt } from '../import/read-facts.ts';
import { readArchiveMembers, verifyArchive, type ArchiveItem } from '../archive/archive.ts';
import type { RejectedItem } from '../archive/kept-members.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import type { Rejection } from '../archive/member.ts';
import { keepUnread } from '../readers/document.ts';
import type { LabeledWhole } from '../../labels/inherited-labels.ts';
import { createOwnArchives, type OwnMember } from '../readers/own-archive.ts';
import { readMember, readOwnDocument } from '../readers/read-member.ts';
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
  /** Called with the labels of a Bundle, after what is in it. */
  onLabeled?(path: string, whole: LabeledWhole): void;
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
  const readItem = createItemReader(scans, report);
  for await (const item of readArchiveMembers(file)) {
    report.documents.total++;
    const isRead = yield* collectResources(readItem(item), report, options);
    report.documents[isRead ? 'processed' : 'rejected']++;
    await options.onProgress?.(report);
  }
}

interface ItemContent {
  path: string;
  items: AsyncIterable<MemberItem>;
}

/** Creates what reads a member; what an archive of ours holds beside the record gives nothing but one note for all of it. */
function createItemReader(
  scans: readonly MemberScan[],
  report: ArchiveReport,
): (item: ArchiveItem) => ItemContent {
  const findOwn = createOwnArchives(scans);
  const noted = new Set<string>();
  let members = 0;
  return (item) => {
    if ('rejection' in item) {
      const { path } = item.kept ?? item.rejection;
      return { path, items: readRejected(item, findOwn(path)) };
    }
    const { member } = item;
    const { path } = member;
    const scan = scans[members++];
    if (!scan) throw new Error('the archive has more members than were verified');
    const own = findOwn(path);
    if (own === null) return { path, items: readMember(member, scan) };
    if (!noted.has(own.root)) addRejection(report, createOwnArchiveNote(own.root));
    noted.add(own.root);
    const isDocument = own.part === 'document';
    return { path, items: isDocument ? readOwnDocument(member, scan, own.documentPath) : readNothing() };
  };
}

async function* readRejected(
  { rejection, kept }: RejectedItem,
  own: OwnMember | null,
): AsyncGenerator<MemberItem> {
  yield { rejection };
  if (kept) yield* keepUnread(kept, own?.documentPath);
}

async function* readNothing(): AsyncGenerator<MemberItem> {}

/** Returns whether anything of the member was read; an empty Bundle counts as read. */
async function* collectResources(
  { path, items }: ItemContent,
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
    else if ('labeled' in memberItem) options.onLabeled?.(path, memberItem.labeled);
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
