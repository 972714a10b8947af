import { constants, gunzipSync } from 'node:zlib';
import { createDecoder, type CharacterCoding } from './decoders.ts';
import { isGzip } from './gzip-member.ts';

/** A way in which the bytes of a file may be written instead of as UTF-8. */
export type Coding = 'gzip' | 'base64' | CharacterCoding;

/** How much of a file decides; the start of a packed one unpacks to 2 MiB at most. */
const HEAD_BYTES = 2048;

/** Base64 in UTF-16 of text in UTF-16, packed. */
const MAX_CODINGS = 4;

/**
 * Returns how a member is to be decoded, the outermost coding first, by the first bytes of it. Only JSON is decoded beyond GZIP:
 * documents are stored as they came, and decoded where they are converted.
 */
export function detectCodings(head: Buffer): Coding[] {
  const codings: Coding[] = [];
  let bytes = head.subarray(0, HEAD_BYTES);
  for (;;) {
    const coding = detectCoding(bytes);
    if (coding === null && JSON_START.test(bytes.toString('latin1', 0, 1024))) return codings;
    const isOnceMore = (coding === 'gzip' || coding === 'base64') && codings.includes(coding);
    if (coding === null || isOnceMore || codings.length === MAX_CODINGS)
      return codings[0] === 'gzip' ? ['gzip'] : [];
    codings.push(coding);
    bytes = decodeHead(bytes, coding);
  }
}

/** RTF begins with a brace as well: `{\rtf`. */
const JSON_START = /^(?:\xef\xbb\xbf)?\s*[{[](?!\\)/;

function detectCoding(bytes: Buffer): Coding | null {
  if (isGzip(bytes)) return 'gzip';
  return detectCharacterCoding(bytes) ?? (BASE64.test(bytes.toString('latin1')) ? 'base64' : null);
}

/** RFC 4648 §4 and §5, in lines or not. */
const BASE64 = /^(?:\xef\xbb\xbf)?\s*[A-Za-z0-9+/_-]{4}[A-Za-z0-9+/=_\s-]*$/;

/** In hexadecimal: a byte order mark, or the NULs of the first two characters, which are ASCII in JSON (RFC 4627 §3). */
const CHARACTER_CODINGS: readonly [RegExp, CharacterCoding][] = [
  [/^(?:fffe0000|(?!00)..000000)/, 'utf-32le'],
  [/^(?:0000feff|000000(?!00))/, 'utf-32be'],
  [/^(?:fffe|(?!00)..00)/, 'utf-16le'],
  [/^(?:feff|00(?!00))/, 'utf-16be'],
];

function detectCharacterCoding(bytes: Buffer): CharacterCoding | null {
  const head = bytes.toString('hex', 0, 4);
  return CHARACTER_CODINGS.find(([pattern]) => pattern.test(head))?.[1] ?? null;
}

function decodeHead(bytes: Buffer, coding: Coding): Buffer {
  if (coding !== 'gzip') return createDecoder(coding).push(bytes);
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch {
    return Buffer.alloc(0);
  }
}
