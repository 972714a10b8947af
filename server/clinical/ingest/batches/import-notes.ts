import type { ImportResult } from '../import/import.ts';
import type { Rejection } from '../archive/member.ts';
import { MERE_NOTES } from '../../store/unread-places.sql.ts';

/** Codes of what the record has nevertheless: as it is, in another version, or with what cannot be read in it. */
export const NOTHING_LOST: readonly string[] = [
  ...MERE_NOTES,
  'duplicate_id',
  'class_unknown',
  'embedded_not_read',
  // What may not enter the record of a test patient is not lost by a fault that may pass: asked for again each time, it is refused
  // each time. The Person of another Chartgate has no tag, and is refused in every sync.
  'not_test_data',
];

/** Says whether nothing is lost of what a notice is about. */
export const isMereNote = ({ code }: Pick<Rejection, 'code'>): boolean => MERE_NOTES.includes(code);

/** Says whether everything was read, whatever there is to note of it. */
export const isReadInFull = (notices: readonly Rejection[]): boolean => notices.every(isMereNote);

/** Splits what is stored of a batch into what could not be read, and notes about what was. */
export const splitNotices = (
  notices: readonly Rejection[],
): { rejected: Rejection[]; notes: Rejection[] } => ({
  rejected: notices.filter((notice) => !isMereNote(notice)),
  notes: notices.filter(isMereNote),
});

/** A batch lists so many of each kind. */
const MAX_NOTES = 10_000;

/** Lists what became of resources that the record, or the archive itself, has in another version or under their id. */
export const listNotes = ({ overridden, older, withOwnIds, labeled }: ImportResult): Rejection[] => [
  ...overridden.map(createDuplicateRejection),
  ...older.slice(0, MAX_NOTES).map(createOlderRejection),
  ...[...withOwnIds].slice(0, MAX_NOTES).map(createOwnIdsRejection),
  ...[...labeled].slice(0, MAX_NOTES).map(createLabeledNote),
];

interface Place {
  path: string;
  position: string;
}

const formatPlace = ({ path, position }: Place): string => (position === '' ? path : `${path}#${position}`);

const createDuplicateRejection = (place: Place): Rejection => ({
  path: formatPlace(place),
  code: 'duplicate_id',
  message: 'Another resource of the same type and id in this archive has other content; that one was kept.',
});

const createOlderRejection = (place: Place): Rejection => ({
  path: formatPlace(place),
  code: 'older_version',
  message: 'The record has a newer version of this resource, which stays.',
});

const createOwnIdsRejection = ([path, count]: [string, number]): Rejection => ({
  path,
  code: 'id_in_use',
  message: `Other resources have the ids of ${count === 1 ? '1 resource' : `${count} resources`} in this file, which were stored under ids of their own.`,
});

const createLabeledNote = ([path, count]: [string, number]): Rejection => ({
  path,
  code: 'labels_of_bundle',
  message: `${count === 1 ? '1 resource in this file has' : `${count} resources in this file have`} the security label of the Bundle or document that they came in: a consent that leaves out its class leaves them out.`,
});

/** Notes that an archive, or a folder of it, was made here: it holds more than a record. */
export const createOwnArchiveNote = (root: string): Rejection => ({
  path: root.replace(/\/$/, ''),
  code: 'own_archive',
  message:
    'This archive was made here: what it holds beside the record (its explanation, decisions, receipts and logs) was left out, and its documents were kept without being read once more.',
});
