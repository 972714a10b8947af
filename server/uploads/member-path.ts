import { isUtf8 } from 'node:buffer';
import { type Entry, getFileNameLowLevel } from 'yauzl';

const UTF8_NAME = 0x800;
const FILE_TYPE = 0o170000;
const REGULAR = 0o100000;
const DIRECTORY = 0o040000;
const SYMBOLIC_LINK = 0o120000;

/**
 * The member's path with `/` between its parts: archives made on Windows may separate by a backslash.
 * Names without the UTF-8 flag are CP437 (APPNOTE appendix D), unless they are valid UTF-8: macOS and many
 * scripts forget the flag, and CP437 text that happens to be UTF-8 beyond ASCII does not occur in practice.
 */
export function memberPath(entry: Entry): string {
  const flags = isUtf8(entry.fileNameRaw) ? UTF8_NAME : entry.generalPurposeBitFlag;
  return getFileNameLowLevel(flags, entry.fileNameRaw, entry.extraFields, false);
}

export function isDirectory(entry: Entry, path: string): boolean {
  return path.endsWith('/') || fileType(entry) === DIRECTORY;
}

/** What operating systems leave behind; nobody means to upload it. */
export function isNoise(path: string): boolean {
  const parts = path.split('/');
  const name = parts.at(-1);
  return parts.includes('__MACOSX') || name === '.DS_Store' || name?.toLowerCase() === 'thumbs.db';
}

/** Why this member is not read, or null. Nothing is ever written to these paths, yet readers show and store them. */
export function memberFault(entry: Entry, path: string): { code: string; message: string } | null {
  if (hasControlCharacters(entry, path)) {
    return { code: 'unsafe_path', message: 'The file name holds control characters.' };
  }
  if (path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').includes('..')) {
    return { code: 'unsafe_path', message: 'The file name points outside the archive.' };
  }
  if (path === '') return { code: 'unsafe_path', message: 'The file has no name.' };
  if (fileType(entry) === SYMBOLIC_LINK) {
    return { code: 'symbolic_link', message: 'The member is a symbolic link, not a file.' };
  }
  if (fileType(entry) !== REGULAR && fileType(entry) !== 0) {
    return { code: 'not_a_file', message: 'The member is a device or a pipe, not a file.' };
  }
  if (entry.isEncrypted()) {
    return { code: 'encrypted', message: 'The file is protected by a password.' };
  }
  if (!entry.canDecodeFileData()) {
    return {
      code: 'unsupported_compression',
      message: 'The file is packed by a method other than store or deflate.',
    };
  }
  return null;
}

/** The path as a rejection may print it. */
export function printablePath(path: string): string {
  return path.replace(/\p{Cc}/gu, '\u{FFFD}');
}

/** The raw bytes are looked at too, since CP437 decodes bytes 1 to 31 as smileys and arrows. */
function hasControlCharacters(entry: Entry, path: string): boolean {
  return /\p{Cc}/u.test(path) || entry.fileNameRaw.some((byte) => byte < 0x20 || byte === 0x7f);
}

/** Of the Unix mode in the external attributes; 0 where the archive was made on another system. */
function fileType(entry: Entry): number {
  return (entry.externalFileAttributes >>> 16) & FILE_TYPE;
}
