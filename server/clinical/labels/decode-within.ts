import { inflateRawSync } from 'node:zlib';

/** What a text holds in another coding than its own. */
export interface WordsWithin {
  words: string[];
  /** The whole text as a reader of another coding has it; it makes no sense where the text was not in that coding. */
  rewritten: string[];
  /** False where something is in it that is no text: a file in a mail, for instance. */
  isComplete: boolean;
}

/**
 * Decodes what is written in a text so that nobody reads it at a glance, but any program does: the body of a saved mail in base64
 * or as quoted-printable (RFC 2045 §6), UTF-7 (RFC 2152), what a token says (RFC 7515, 7519), escapes of JSON and character
 * references of HTML.
 */
export function decodeWithin(text: string): WordsWithin {
  const { words, isComplete: isAllText } = decodeBase64Within(text);
  let isComplete = isAllText;
  for (const [, header = '', payload = '', more] of text.matchAll(TOKEN)) {
    const decoded = readPayload(header, payload);
    if (decoded !== null) words.push(decoded);
    if (decoded === null || more !== undefined) isComplete = false;
  }
  const quoted = text.replace(QUOTED, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const shifted = text.replace(SHIFTED, (_, letters: string) => decodeUtf16(Buffer.from(letters, 'base64')));
  const unescaped = text.includes('\\u') ? text.replace(ESCAPED, unescapeJson) : text;
  const referenced = text.includes('&') ? text.replace(CHARACTER_REFERENCE, readCharacter) : text;
  const rewritten = [quoted, shifted, unescaped, referenced].filter((each) => each !== text);
  return { words, rewritten, isComplete };
}

/**
 * Returns what a text holds in base64, wherever it stands; not complete where lines of it are no text. Behind other words that is
 * mostly content of FHIR or a picture of a page, which are read as such.
 */
export function decodeBase64Within(text: string): { words: string[]; isComplete: boolean } {
  const words: string[] = [];
  let isComplete = true;
  if (text.length < MIN_BASE64) return { words, isComplete };
  for (const { 0: run, index } of text.matchAll(BASE64)) {
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) continue;
    const decoded = decodeText(Buffer.from(run, 'base64'));
    if (decoded !== null) words.push(decoded);
    // A shorter one is the sum of a file, or a key.
    else if (run.length >= FILE && hasOwnLines(text, index, index + run.length)) isComplete = false;
  }
  return { words, isComplete };
}

const hasOwnLines = (text: string, start: number, end: number): boolean =>
  (start === 0 || text[start - 1] === '\n') && /^(?:\r?\n|$)/.test(text.slice(end, end + 2));

const ESCAPED = /\\u([0-9a-f]{4})/gi;

const unescapeJson = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));

/** A letter by its number, one with an accent by its name, and what nobody sees. */
const CHARACTER_REFERENCE =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z])(?:acute|cedil|circ|grave|tilde|uml)|shy|zwn?j);/gi;

function readCharacter(_: string, ...[decimal, hex, letter]: (string | undefined)[]): string {
  const code = Number.parseInt(decimal ?? hex ?? '', hex === undefined ? 10 : 16);
  return code <= 0x10ffff ? String.fromCodePoint(code) : (letter ?? '');
}

const MIN_BASE64 = 40;

/** At least 40 letters of base64, in lines of so many, and the rest in the line after them. */
const BASE64 =
  /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40,}(?:\r?\n[A-Za-z0-9+/]{40,})*(?:\r?\n[A-Za-z0-9+/]{2,}(?=={0,2}(?:\r?\n|$)))?={0,2}/g;

/** Compact JWS (RFC 7515 §7.1): header, payload, signature. One with more parts is encrypted (RFC 7516). */
const TOKEN =
  /(?<![A-Za-z0-9_-])(eyJ[A-Za-z0-9_-]{5,})\.([A-Za-z0-9_-]*)\.[A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)?/g;

const MAX_PAYLOAD_BYTES = 5 * 1024 * 1024;

/** Returns the payload of a token, which SMART Health Cards compress; null for what is no text. */
function readPayload(header: string, payload: string): string | null {
  const bytes = Buffer.from(payload, 'base64url');
  if (!/"zip"\s*:\s*"DEF"/.test(Buffer.from(header, 'base64url').toString('latin1')))
    return decodeText(bytes);
  try {
    return decodeText(inflateRawSync(bytes, { maxOutputLength: MAX_PAYLOAD_BYTES }));
  } catch {
    return null;
  }
}

const QUOTED = /=(?:([0-9A-Fa-f]{2})|\r?\n)/g;
const SHIFTED = /\+([A-Za-z0-9+/]{3,})-?/g;

/** Characters of base64 that are more than a signature of 2,048 bits. */
const FILE = 500;

/** Returns null for what is no text. */
function decodeText(bytes: Buffer): string | null {
  const text = bytes.toString('utf8');
  let strange = 0;
  for (const letter of text) {
    const code = letter.charCodeAt(0);
    if (code === 0xfffd || (code < 0x20 && (code < 0x09 || code > 0x0d))) strange++;
    // A picture is none after its first letters.
    if (strange * 20 > bytes.length) return null;
  }
  return strange * 20 <= text.length ? text : null;
}

/** The greatest even number of bytes is big-endian UTF-16. */
const decodeUtf16 = (bytes: Buffer): string =>
  bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
