import type { ResourceAt } from '../import/read-facts.ts';
import { readArchiveMembers, verifyArchive } from '../archive/archive.ts';
import type { FoundResource } from '../../store/found-resource.ts';
import type { Member, Rejection } from '../archive/member.ts';
import { readMember } from '../readers/read-member.ts';
import type { Original, Reader } from '../readers/reader.ts';
import { createMemberScanner, type MemberScan } from '../readers/scan-member.ts';
import type { ArchiveReport } from './complete-batch.ts';

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
  let members = 0;
  for await (const item of readArchiveMembers(file)) {
    report.documents.total++;
    let isRead = false;
    if ('rejection' in item) addRejection(report, item.rejection);
    else {
      const scan = scans[members++];
      if (!scan) throw new Error('the archive has more members than were verified');
      isRead = yield* readMemberResources({ member: item.member, scan }, report, options);
    }
    report.documents[isRead ? 'processed' : 'rejected']++;
    await options.onProgress?.(report);
  }
}

/** Returns whether anything of the member was read; an empty Bundle counts as read. */
async function* readMemberResources(
  { member, scan }: { member: Member; scan: MemberScan },
  report: ArchiveReport,
  options: ReadArchiveOptions,
): AsyncGenerator<ResourceAt, boolean> {
  let found = 0;
  let rejected = 0;
  for await (const memberItem of readMember(member, scan)) {
    if ('found' in memberItem) {
      const refusal = options.refuse?.(memberItem.found) ?? null;
      if (refusal === null) {
        found++;
        yield { path: member.path, found: memberItem.found };
      } else {
        rejected++;
        addRejection(report, { ...refusal, path: formatPath(member.path, memberItem.found.position) });
      }
    } else if ('original' in memberItem) await options.onDocument?.(member.path, memberItem.original);
    else {
      rejected++;
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
