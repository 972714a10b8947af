import type { Located } from '../records/survey.ts';
import type { Reading } from './archive-reading.ts';
import { archiveMembers } from './archive.ts';
import { READERS, readMember } from './choose-reader.ts';
import type { Member, Reader, Rejection } from './reading.ts';

interface Watcher {
  /** Reads what is no FHIR JSON; without one it is only kept. */
  documents?: Reader;
  /** A document, while it can be opened. */
  keep?(member: Member, original: { contentType: string }): Promise<void>;
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
  const readers = watcher.documents ? [...READERS, watcher.documents] : READERS;
  for await (const finding of readMember(member, readers)) {
    if ('found' in finding) {
      found++;
      yield { path: member.path, found: finding.found };
    } else if ('original' in finding) await watcher.keep?.(member, finding.original);
    else {
      rejected++;
      note(reading, finding.rejection);
    }
  }
  return found > 0 || rejected === 0;
}

/** A batch reports this many places; beyond that only their number. */
const MOST_REJECTIONS = 10_000;

function note(reading: Reading, rejection: Rejection): void {
  if (reading.rejections.length < MOST_REJECTIONS) reading.rejections.push(rejection);
}
