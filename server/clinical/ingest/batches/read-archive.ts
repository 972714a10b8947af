import type { ResourceAt } from '../import/index-bundle.ts';
import type { ArchiveReport } from '../archive/archive-report.ts';
import { readArchiveMembers } from '../archive/archive.ts';
import { READERS, readMember } from '../readers/read-member.ts';
import type { Member, Reader, Rejection } from '../archive/reader.ts';

interface ReadArchiveOptions {
  /** Reads what is no FHIR JSON; without one it is only kept. */
  documents?: Reader;
  /** A document, while it can be opened. */
  onDocument?(member: Member, original: { contentType: string }): Promise<void>;
  /** After each member. */
  onProgress?(report: ArchiveReport): Promise<void>;
}

/** The resources of an archive, member by member; what could not be read is noted in `reading` and costs no other. */
export async function* readResources(
  file: string,
  report: ArchiveReport,
  options: ReadArchiveOptions = {},
): AsyncGenerator<ResourceAt> {
  for await (const item of readArchiveMembers(file)) {
    report.documents.total++;
    if ('rejection' in item) addRejection(report, item.rejection);
    const isRead = 'member' in item ? yield* readMemberResources(item.member, report, options) : false;
    report.documents[isRead ? 'processed' : 'rejected']++;
    await options.onProgress?.(report);
  }
}

/** Whether anything of the member was read; an empty Bundle counts as read. */
async function* readMemberResources(
  member: Member,
  report: ArchiveReport,
  options: ReadArchiveOptions,
): AsyncGenerator<ResourceAt, boolean> {
  let found = 0;
  let rejected = 0;
  const readers = options.documents ? [...READERS, options.documents] : READERS;
  for await (const memberItem of readMember(member, readers)) {
    if ('found' in memberItem) {
      found++;
      yield { path: member.path, found: memberItem.found };
    } else if ('original' in memberItem) await options.onDocument?.(member, memberItem.original);
    else {
      rejected++;
      addRejection(report, memberItem.rejection);
    }
  }
  return found > 0 || rejected === 0;
}

/** A batch reports this many places; beyond that only their number. */
const MAX_REJECTIONS = 10_000;

function addRejection(report: ArchiveReport, rejection: Rejection): void {
  if (report.rejections.length < MAX_REJECTIONS) report.rejections.push(rejection);
}
