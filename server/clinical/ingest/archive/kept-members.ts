import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Entry } from 'yauzl';
import { ARCHIVE_LIMITS } from './limits.ts';
import type { Member, Rejection } from './member.ts';
import { findContentFault, toPrintablePath, toSafePath } from './member-path.ts';
import type { ZipDirectory } from './zip-directory.ts';
import { createMemberOpener } from './zip-member.ts';

/** A file that is not read; `kept` has the bytes that are kept of it for the patient. */
export interface RejectedItem {
  rejection: Rejection;
  kept?: Member;
}

/** The archive around members, which is kept once where one of them cannot be unpacked; null where it is too large for that. */
export interface Container {
  member: Member | null;
  isKept: boolean;
}

/** Under this name an upload is kept as it came. */
const UPLOAD_NAME = 'upload.zip';

export async function createUploadContainer(file: string): Promise<Container> {
  const isSmall = (await stat(file)).size <= ARCHIVE_LIMITS.keptArchiveBytes;
  const member = { path: UPLOAD_NAME, open: async () => createReadStream(file) };
  return { member: isSmall ? member : null, isKept: false };
}

/** Creates the container of what a nested archive holds; it is kept beside that. */
export const createNestedContainer = (member: Member): Container => ({
  member: { ...member, path: `${member.path}/${member.path.slice(member.path.lastIndexOf('/') + 1)}` },
  isKept: false,
});

interface RejectedEntry {
  zipEntry: Entry;
  directory: ZipDirectory;
  container: Container;
  /** As it is stored, where its name does not allow that. */
  path: string;
}

/** What can be unpacked by those who have the password, or the method. */
const PACKED = new Set(['encrypted', 'unsupported_compression']);

/** Rejects an entry of an archive, and says what is kept: its content where only its name is refused, or the archive around it. */
export function rejectEntry(
  { zipEntry, directory, container, path }: RejectedEntry,
  rejection: Rejection,
): RejectedItem {
  const say = (sentence: string): Rejection => ({
    ...rejection,
    message: `${rejection.message} ${sentence}`,
  });
  if (rejection.code === 'unsafe_path' && findContentFault(zipEntry) === null) {
    const kept = { path: toSafePath(path), open: createMemberOpener(directory, zipEntry) };
    return { rejection: say('It was not read, and is kept as a document under another name.'), kept };
  }
  const code = rejection.code === 'unsafe_path' ? findContentFault(zipEntry)?.code : rejection.code;
  if (code === undefined || !PACKED.has(code)) return { rejection: say('It was not kept.') };
  if (container.member === null)
    return { rejection: say('It was not kept, since the archive around it is too large.') };
  const item = { rejection: say('The archive around it is kept as it came.') };
  if (container.isKept) return item;
  container.isKept = true;
  return { ...item, kept: container.member };
}

/** Rejects an archive without files inside of another one. */
export const rejectEmpty = (prefix: string): RejectedItem => ({
  rejection: {
    path: toPrintablePath(prefix.slice(0, -1)),
    code: 'empty',
    message: 'The archive holds no files.',
  },
});
