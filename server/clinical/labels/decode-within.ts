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
 * or as quoted-printable (RFC 2045 §6), UTF-7 (RFC 2152), what a token says (RFC 7515, 7519).
 */
export function decodeWithin(text: string): WordsWithin {
  const words: string[] = [];
  let isComplete = true;
  for (const run of listBase64(text)) {
    if (!/[a-z]/.test(run) || !/[A-Z]/.test(run) || !/\d/.test(run)) continue;
    const decoded = decodeText(Buffer.from(run, 'base64'));
    if (decoded !== null) words.push(decoded);
    // A shorter one is the sum of a file, or a key.
    else if (run.length >= FILE) isComplete = false;
  }
  for (const [, header = '', payload = '', more] of text.matchAll(TOKEN)) {
    const decoded = readPayload(header, payload);
    if (decoded !== null) words.push(decoded);
    if (decoded === null || more !== undefined) isComplete = false;
  }
  const quoted = text.replace(QUOTED, (_, hex: string | undefined) =>
    hex === undefined ? '' : String.fromCharCode(Number.parseInt(hex, 16)),
  );
  const shifted = text.replace(SHIFTED, (_, letters: string) => decodeUtf16(Buffer.from(letters, 'base64')));
  return { words, rewritten: [quoted, shifted].filter((each) => each !== text), isComplete };
}

/** Lists what may be base64: lines of at least 40 of its letters, and the rest in the line after them. */
function listBase64(text: string): string[] {
  const runs: string[] = [];
  let run: string[] = [];
  for (const line of text.split(/\r?\n/)) {
    const isBase64 = /^[A-Za-z0-9+/]{2,}={0,2}$/.test(line);
    if (isBase64 && (line.length >= 40 || run.length > 0)) run.push(line);
    if (isBase64 && line.length >= 40) continue;
    if (run.length > 0) runs.push(run.join(''));
    run = [];
  }
  return run.length > 0 ? [...runs, run.join('')] : runs;
}

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
  }
  return strange * 20 <= text.length ? text : null;
}

/** The greatest even number of bytes is big-endian UTF-16. */
const decodeUtf16 = (bytes: Buffer): string =>
  bytes
    .subarray(0, bytes.length & ~1)
    .swap16()
    .toString('utf16le');
