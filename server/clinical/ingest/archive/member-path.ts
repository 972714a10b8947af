import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';
import { EXPANDS_TOO_FAR } from './archive-errors.ts';
import { isRatioTooHigh } from './limits.ts';

/** Originals are found by their path, in an index that takes 2,704 bytes; a byte of CP437 may become three. */
const MAX_PATH_BYTES = 1000;

const UTF8_NAME = 0x800;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const SYMBOLIC_LINK = 0o120000;

/**
 * Decodes the member's path, with `/` between its parts: archives made on Windows may separate by a backslash.
 * Names without the UTF-8 flag are CP437 (APPNOTE appendix D), unless they are valid UTF-8: macOS and many
 * scripts omit the flag, and CP437 text that happens to be UTF-8 beyond ASCII does not occur in practice.
 */
export function decodeMemberPath(zipEntry: Entry): string {
  const flags = isUtf8(zipEntry.fileNameRaw) ? UTF8_NAME : zipEntry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, zipEntry.fileNameRaw, zipEntry.extraFields, false);
}

export function isDirectory(zipEntry: Entry, path: string): boolean {
  return path.endsWith('/') || getFileType(zipEntry) === DIRECTORY;
}

/** True for files that operating systems add to archives. */
export function isSystemFile(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1);
  return parts.includes('__MACOSX') || name === '.DS_Store' || name?.toLowerCase() === 'thumbs.db';
}

/** Whether a member says that it unpacks as only a bomb does; it is never inflated. */
export const isBomb = ({ uncompressedSize, compressedSize }: Entry): boolean =>
  isRatioTooHigh(uncompressedSize, compressedSize);

/** Returns why this member is not read, or null. Nothing is ever written to these paths, but they are stored and shown. */
export function findMemberFault(zipEntry: Entry, path: string): { code: string; message: string } | null {
  if (hasControlCharacters(zipEntry, path)) {
    return { code: 'unsafe_path', message: 'The file name holds control characters.' };
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
    return { code: 'unsafe_path', message: 'The file name points outside the archive.' };
  }
  if (path === '') return { code: 'unsafe_path', message: 'The file has no name.' };
  if (zipEntry.fileNameRaw.length > MAX_PATH_BYTES)
    return { code: 'unsafe_path', message: 'The file name is longer than 1,000 bytes.' };
  return findContentFault(zipEntry);
}

/** Returns why the content of a member is not read, whatever its name, or null. */
export function findContentFault(zipEntry: Entry): { code: string; message: string } | null {
  if (getFileType(zipEntry) === SYMBOLIC_LINK) {
    return { code: 'symbolic_link', message: 'The member is a symbolic link, not a file.' };
  }
  if (getFileType(zipEntry) !== REGULAR && getFileType(zipEntry) !== 0) {
    return { code: 'not_a_file', message: 'The member is a device or a pipe, not a file.' };
  }
  if (zipEntry.isEncrypted()) {
    return { code: 'encrypted', message: 'The file is protected by a password.' };
  }
  if (!zipEntry.canDecodeFileData()) {
    return {
      code: 'unsupported_compression',
      message: 'The file is packed by a method other than store or deflate.',
    };
  }
  if (isBomb(zipEntry)) return { code: 'expands_too_far', message: EXPANDS_TOO_FAR };
  return null;
}

/** Returns the path as a rejection may print it. */
export function toPrintablePath(path: string): string {
  return path.replace(/\p{Cc}/gu, '\u{FFFD}');
}

/** Returns the path under which a member with a refused one is kept: inside of its folder, without its first folders where it is too long. */
export function toSafePath(path: string): string {
  const parts = toPrintablePath(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..' && !/^[a-z]:$/i.test(part));
  const letters = Array.from(parts.join('/').replace(/^[a-z]:/i, ''));
  let size = 0;
  const cutIndex = letters.findLastIndex((letter) => (size += Buffer.byteLength(letter)) > MAX_PATH_BYTES);
  return letters.length === 0 ? 'document' : letters.slice(cutIndex + 1).join('');
}

/** Checks the raw bytes too, since CP437 decodes bytes 1 to 31 as smileys and arrows. */
function hasControlCharacters(zipEntry: Entry, path: string): boolean {
  return /\p{Cc}/u.test(path) || zipEntry.fileNameRaw.some((byte) => byte < 0x20 || byte === 0x7f);
}

/** Returns the file type of the Unix mode in the external attributes; 0 where the archive was made on another system. */
function getFileType(zipEntry: Entry): number {
  return (zipEntry.externalFileAttributes >>> 16) & FILE_TYPE;
}
