/** The tokens of an RTF file (RTF 1.9.1, "RTF Syntax"). */
export type RtfToken =
  | { kind: 'open' }
  | { kind: 'close' }
  /** A control word, or a control symbol: then the name is one character that is no letter. */
  | { kind: 'word'; name: string; value: number | null }
  /** Characters in the code page of their font; `escaped` when written as \'hh. */
  | { kind: 'bytes'; bytes: Buffer; escaped: boolean };

const OPEN = 0x7b;
const CLOSE = 0x7d;
const BACKSLASH = 0x5c;
const CR = 0x0d;
const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x27;
const MINUS = 0x2d;

/** Tokenizes in one pass and never throws: invalid syntax is skipped. */
export function* tokenizeRtf(bytes: Buffer): Generator<RtfToken> {
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH) {
      const { token, next } = readControl(bytes, at + 1);
      if (token !== null) yield token;
      at = next;
    } else if (byte === OPEN || byte === CLOSE) {
      yield { kind: byte === OPEN ? 'open' : 'close' };
      at++;
    } else if (byte === CR || byte === LF) at++;
    else {
      const end = findTextEnd(bytes, at);
      yield { kind: 'bytes', bytes: bytes.subarray(at, end), escaped: false };
      at = end;
    }
  }
}

function findTextEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && !isSyntax(bytes[at]!)) at++;
  return at;
}

const isSyntax = (byte: number): boolean =>
  byte === BACKSLASH || byte === OPEN || byte === CLOSE || byte === CR || byte === LF;

/** Reads what follows a backslash. */
function readControl(bytes: Buffer, start: number): { token: RtfToken | null; next: number } {
  if (start >= bytes.length) return { token: null, next: start };
  const first = bytes[start]!;
  if (first === QUOTE) return readEscapedBytes(bytes, start + 1);
  if (!isLetter(first)) {
    return { token: { kind: 'word', name: String.fromCharCode(first), value: null }, next: start + 1 };
  }
  let at = start;
  while (at < bytes.length && isLetter(bytes[at]!)) at++;
  const name = bytes.toString('latin1', start, at);
  const { value, next } = readParameter(bytes, at);
  // \binN is followed by N bytes that are no RTF.
  if (name === 'bin') return { token: null, next: Math.min(bytes.length, next + Math.max(0, value ?? 0)) };
  return { token: { kind: 'word', name, value }, next };
}

const isLetter = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;

/** Reads the number of a control word, and the one space that ends it. */
function readParameter(bytes: Buffer, start: number): { value: number | null; next: number } {
  let at = bytes[start] === MINUS && isDigit(bytes[start + 1]) ? start + 1 : start;
  while (isDigit(bytes[at])) at++;
  const value =
    at === start ? null : Number.parseInt(bytes.toString('latin1', start, Math.min(at, start + 12)), 10);
  return { value, next: bytes[at] === SPACE ? at + 1 : at };
}

/** Reads a run of \'hh into one token: whole words of Greek are written so. */
function readEscapedBytes(bytes: Buffer, start: number): { token: RtfToken | null; next: number } {
  const found: number[] = [];
  let at = start;
  for (;;) {
    const byte = 16 * parseHexDigit(bytes[at]) + parseHexDigit(bytes[at + 1]);
    if (Number.isNaN(byte)) break;
    found.push(byte);
    at += 2;
    if (bytes[at] !== BACKSLASH || bytes[at + 1] !== QUOTE || found.length === 4096) break;
    at += 2;
  }
  // A broken escape at the end is skipped, as one at the start is.
  return {
    token: found.length > 0 ? { kind: 'bytes', bytes: Buffer.from(found), escaped: true } : null,
    next: at,
  };
}

function parseHexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN;
}
