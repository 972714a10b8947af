import type { Located } from '../records/survey.ts';
import { archiveMembers } from './archive.ts';
import { readMember } from './choose-reader.ts';
import type { Member, Rejection } from './reading.ts';
import type { DocumentCounts } from './uploads.sql.ts';

/** What an archive turned out to hold besides resources; complete when it was read to its end. */
export interface Reading {
  documents: DocumentCounts;
  rejections: Rejection[];
}

interface Watcher {
  /** A member of a kind that no reader takes, while it can be opened. */
  keep?(member: Member): Promise<void>;
  /** After each member. */
  progress?(reading: Reading): Promise<void>;
}

/** The resources of an archive, member by member; what could not be read is noted in `reading` and costs no other. */
export async function* resourcesOf(
  file: string,
  reading: Reading,
  watcher: Watcher = {},
): AsyncGenerator<Located> {
  for await (const item of archiveMembers(file)) {
    reading.documents.total++;
    if ('rejection' in item) note(reading, item.rejection);
    const read = 'member' in item ? yield* resourcesOfMember(item.member, reading, watcher) : false;
    reading.documents[read ? 'processed' : 'rejected']++;
    await watcher.progress?.(reading);
  }
}

/** Whether anything of the member was read; an empty Bundle counts as read. */
async function* resourcesOfMember(
  member: Member,
  reading: Reading,
  watcher: Watcher,
): AsyncGenerator<Located, boolean> {
  let found = 0;
  let rejected = 0;
  for await (const finding of readMember(member)) {
    if ('found' in finding) {
      found++;
      yield { path: member.path, found: finding.found };
    } else {
      rejected++;
      note(reading, finding.rejection);
      if (finding.rejection.code === 'unsupported_kind') await watcher.keep?.(member);
    }
  }
  return found > 0 || rejected === 0;
}

/** A batch reports this many places; beyond that only their number. */
const MOST_REJECTIONS = 10_000;

function note(reading: Reading, rejection: Rejection): void {
  if (reading.rejections.length < MOST_REJECTIONS) reading.rejections.push(rejection);
}

export const emptyReading = (): Reading => ({
  documents: { total: 0, processed: 0, rejected: 0 },
  rejections: [],
});
