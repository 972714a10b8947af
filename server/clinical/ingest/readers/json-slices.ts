import { RESOURCE_LIMITS } from '../../../../documents/fhir/resource-limits.ts';
import { BACKSLASH, CLOSE, END, KIND, OPEN, QUOTE, STRING } from './json-bytes.ts';
import { createKeyWatch, parseKey, type KeyWatch } from './json-keys.ts';

/** Which parts of a document are cut out; everything else is skipped. */
export interface SliceOptions {
  /** The document itself, without the white space around it, as one slice with key ""; `each` of those that follow each other. */
  document?: true | 'each';
  /** The elements of the array under this key, one by one; those of a top-level array come with key "". */
  elementsOf?: string;
  /** The values of these keys of the top-level object. */
  values?: ReadonlySet<string>;
}

/** Bytes of the document as they are, or why they were refused. `index` is -1 outside arrays. */
export type Slice = { key: string; index: number } & (
  | { bytes: Buffer }
  | { refused: 'resource_too_large' | 'too_deep' }
);

export interface JsonSlicer {
  /** Returns the slices that end in this chunk; none after a syntax error. */
  push(chunk: Buffer): Slice[];
  /** `complete` after a whole document, `followed` where another object begins after it, `broken` after the first syntax error between slices. */
  state(): 'open' | 'complete' | 'followed' | 'broken';
  root(): 'object' | 'array' | null;
  /** Whether a key that parts are cut from came twice in the top-level object. */
  hasRepeatedKey(): boolean;
}

/**
 * Cuts a JSON document into byte slices without parsing it: only brackets, strings and the syntax between slices are
 * checked, so a slice may still fail in JSON.parse and cost nothing but itself.
 */
export function createJsonSlicer(options: SliceOptions): JsonSlicer {
  const scan: Scan = {
    options,
    state: options.document ? 'whole' : 'root',
    root: null,
    arrayKey: null,
    key: '',
    index: -1,
    keys: createKeyWatch([...(options.values ?? []), ...[options.elementsOf ?? []].flat()]),
    slices: [],
    closers: new Uint8Array(RESOURCE_LIMITS.depth),
    depth: 0,
    tooDeep: false,
    inString: false,
    escaped: false,
    isCaptured: false,
    start: 0,
    parts: [],
    size: 0,
  };
  return {
    push: (chunk) => push(scan, chunk),
    state: () => (isOver(scan.state) ? scan.state : scan.state === 'end' ? 'complete' : 'open'),
    root: () => scan.root,
    hasRepeatedKey: () => scan.keys.hasRepeated(),
  };
}

/** What may come next. `inside` and `in key` are inside of a value and skip it at full speed. */
type ScanState =
  | 'root'
  | 'whole'
  | 'first key'
  | 'key'
  | 'in key'
  | 'colon'
  | 'value'
  | 'first element'
  | 'element'
  | 'inside'
  | 'after element'
  | 'after value'
  | 'end'
  | 'followed'
  | 'broken';

interface Scan {
  options: SliceOptions;
  state: ScanState;
  root: 'object' | 'array' | null;
  /** Key of the array whose elements are being cut. */
  arrayKey: string | null;
  key: string;
  index: number;
  keys: KeyWatch;
  slices: Slice[];
  /** The open brackets of the current value, down to the depth limit. */
  closers: Uint8Array;
  depth: number;
  tooDeep: boolean;
  inString: boolean;
  escaped: boolean;
  isCaptured: boolean;
  /** The start of the captured value in this chunk, and its parts in earlier chunks. */
  start: number;
  parts: Buffer[];
  size: number;
}

const WHITESPACE = ' \t\r\n';
/** U+FEFF in UTF-8, which Windows programs put first. */
const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const STARTS_VALUE = '{["-0123456789tfn';

function push(scan: Scan, chunk: Buffer): Slice[] {
  scan.slices = [];
  scan.start = 0;
  let at = 0;
  while (at < chunk.length && !isOver(scan.state)) {
    at = isInsideValue(scan) ? skipValue(scan, chunk, at) : step(scan, chunk, at);
  }
  if (scan.isCaptured && isInsideValue(scan)) appendPart(scan, chunk, at);
  return scan.slices;
}

const isOver = (state: ScanState): state is 'followed' | 'broken' =>
  state === 'followed' || state === 'broken';

function isInsideValue(scan: Scan): boolean {
  return scan.state === 'inside' || scan.state === 'in key';
}

/** Handles one byte between values; returns the next position. */
function step(scan: Scan, chunk: Buffer, at: number): number {
  const char = String.fromCharCode(chunk[at]!);
  const atStart = scan.state === 'root' || scan.state === 'whole';
  if (WHITESPACE.includes(char) || (atStart && BYTE_ORDER_MARK.includes(char))) return at + 1;
  scan.state = nextState(scan, char);
  if (!isInsideValue(scan)) return at + 1;
  beginValue(scan, at);
  return at;
}

/** Implements the grammar of RFC 8259 between the values that are skipped. */
function nextState(scan: Scan, char: string): ScanState {
  switch (scan.state) {
    case 'root':
      if (char === '[') scan.root = 'array';
      else if (char === '{') scan.root = 'object';
      else return 'broken';
      return char === '[' ? enterArray(scan, '') : 'first key';
    case 'first key':
      if (char === '}') return 'end';
      return char === '"' ? 'in key' : 'broken';
    case 'key':
      return char === '"' ? 'in key' : 'broken';
    case 'colon':
      return char === ':' ? 'value' : 'broken';
    case 'value':
      if (char === '[' && scan.key === scan.options.elementsOf) return enterArray(scan, scan.key);
      return STARTS_VALUE.includes(char) ? 'inside' : 'broken';
    case 'whole':
    case 'element':
      return STARTS_VALUE.includes(char) ? 'inside' : 'broken';
    case 'first element':
      if (char === ']') return leaveArray(scan);
      return STARTS_VALUE.includes(char) ? 'inside' : 'broken';
    case 'after element':
      if (char === ']') return leaveArray(scan);
      scan.index += 1;
      return char === ',' ? 'element' : 'broken';
    case 'after value':
      if (char === '}') return 'end';
      return char === ',' ? 'key' : 'broken';
    default:
      if (scan.state !== 'end' || char !== '{') return 'broken';
      return scan.options.document === 'each' ? 'inside' : 'followed';
  }
}

function enterArray(scan: Scan, key: string): ScanState {
  scan.arrayKey = key;
  scan.index = 0;
  return 'first element';
}

function leaveArray(scan: Scan): ScanState {
  scan.arrayKey = null;
  scan.index = -1;
  return scan.root === 'array' ? 'end' : 'after value';
}

function beginValue(scan: Scan, at: number): void {
  const { document, values } = scan.options;
  scan.isCaptured =
    Boolean(document) || scan.state === 'in key' || scan.arrayKey !== null || values?.has(scan.key) === true;
  scan.start = at;
  scan.parts = [];
  scan.size = 0;
  scan.depth = 0;
  scan.tooDeep = false;
  scan.inString = false;
  scan.escaped = false;
}

/** The hot loop: it handles nearly every byte of a document. */
function skipValue(scan: Scan, chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length) {
    if (scan.inString) {
      at = skipString(scan, chunk, at);
      if (scan.inString) return at;
      if (scan.depth === 0) return finishValue(scan, chunk, at);
    }
    at = skipPlain(chunk, at, scan.depth === 0 ? END : STRING);
    const byte = chunk[at];
    if (byte === undefined) return at;
    const kind = KIND[byte];
    if (scan.depth === 0 && (kind === END || kind === CLOSE)) return finishValue(scan, chunk, at);
    at += 1;
    if (kind === STRING) scan.inString = true;
    else if (kind === OPEN) openBracket(scan, byte);
    else if (kind === CLOSE) {
      if (!closeBracket(scan, byte)) return at;
      if (scan.depth === 0) return finishValue(scan, chunk, at);
    }
  }
  return at;
}

/** Returns the position of the next byte of at least this kind. */
function skipPlain(chunk: Buffer, from: number, kind: number): number {
  let at = from;
  while (at < chunk.length && (KIND[chunk[at]!] as number) < kind) at += 1;
  return at;
}

/** Returns the position after the closing quote, or the chunk's end. */
function skipString(scan: Scan, chunk: Buffer, from: number): number {
  let at = from;
  if (scan.escaped) {
    at += 1;
    scan.escaped = false;
  }
  for (const end = chunk.length; at < end; at += 1) {
    const byte = chunk[at]!;
    if (byte === QUOTE) {
      scan.inString = false;
      return at + 1;
    }
    if (byte === BACKSLASH) at += 1;
  }
  // A backslash as the chunk's last byte moved `at` one too far: the escaped byte begins the next chunk.
  scan.escaped = at > chunk.length;
  return chunk.length;
}

function openBracket(scan: Scan, bracket: number): void {
  // `{` and `}` as well as `[` and `]` are two apart in ASCII.
  if (scan.depth < scan.closers.length) scan.closers[scan.depth] = bracket + 2;
  else scan.tooDeep = true;
  scan.depth += 1;
}

/** Closes a bracket; beyond the depth limit brackets are only counted, so that memory stays bounded. */
function closeBracket(scan: Scan, bracket: number): boolean {
  scan.depth -= 1;
  const matches = scan.depth >= scan.closers.length || scan.closers[scan.depth] === bracket;
  if (!matches) scan.state = 'broken';
  return matches;
}

function appendPart(scan: Scan, chunk: Buffer, end: number): void {
  scan.size += end - scan.start;
  if (scan.size > RESOURCE_LIMITS.bytes) scan.parts = [];
  else scan.parts.push(chunk.subarray(scan.start, end));
}

function finishValue(scan: Scan, chunk: Buffer, end: number): number {
  if (scan.isCaptured) appendPart(scan, chunk, end);
  if (scan.state === 'in key') {
    const key = scan.size > RESOURCE_LIMITS.bytes ? null : parseKey(Buffer.concat(scan.parts));
    scan.state = key === null ? 'broken' : 'colon';
    scan.key = key ?? '';
    scan.keys.note(scan.key);
    return end;
  }
  if (scan.isCaptured)
    scan.slices.push({ key: scan.arrayKey ?? scan.key, index: scan.index, ...buildSlice(scan) });
  if (scan.options.document) scan.state = 'end';
  else scan.state = scan.arrayKey === null ? 'after value' : 'after element';
  scan.parts = [];
  return end;
}

function buildSlice(scan: Scan): { bytes: Buffer } | { refused: 'resource_too_large' | 'too_deep' } {
  if (scan.tooDeep) return { refused: 'too_deep' };
  if (scan.size > RESOURCE_LIMITS.bytes) return { refused: 'resource_too_large' };
  const [only] = scan.parts;
  return { bytes: only !== undefined && scan.parts.length === 1 ? only : Buffer.concat(scan.parts) };
}
