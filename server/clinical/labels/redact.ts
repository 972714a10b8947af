import type { DataMask } from '../../../contract/brands.ts';

/** Bytes of a body that are left out where the consent withholds any of the labels: a member of an object or of a list. */
export interface Redaction {
  start: number;
  /** Exclusive. */
  end: number;
  requiredLabels: DataMask;
}

export const formatRedactions = (redactions: readonly Redaction[]): string | null =>
  redactions.length === 0
    ? null
    : redactions.map(({ start, end, requiredLabels }) => `${start} ${end} ${requiredLabels}`).join(';');

export const parseRedactions = (text: string): Redaction[] =>
  text.split(';').map((each) => {
    const [start = 0, end = 0, labels = 0] = each.split(' ').map(Number);
    return { start, end, requiredLabels: labels as DataMask };
  });

/** What a resource requires, and its redactions as they are stored. */
export interface RedactedRow {
  required_labels: DataMask | null;
  redactions: string | null;
}

/**
 * Leaves out what no consent covers that covers the resource itself; `withheld` has the mask of each consent. Consents do not
 * add up: a part is shown only under one that covers resource and part.
 */
export function redactBody(
  body: Buffer,
  { required_labels: required, redactions }: RedactedRow,
  withheld: readonly number[],
): Buffer {
  if (redactions === null || required === null) return body;
  const masks = withheld.filter((mask) => (mask & required) === 0);
  const left = parseRedactions(redactions).filter(({ requiredLabels }) =>
    masks.every((mask) => (mask & requiredLabels) !== 0),
  );
  return left.length === 0 ? body : removeRanges(body, left);
}

interface Range {
  start: number;
  end: number;
}

/**
 * Removes members of objects and lists from JSON, with the comma that separates each from its neighbour, and every object
 * and list that is empty then: FHIR knows none. The result is what the JSON would be without them, byte for byte.
 */
export function removeRanges(json: Buffer, ranges: readonly Range[]): Buffer {
  let pending = mergeRanges(json, ranges);
  for (;;) {
    const grown = pending.map((range) => growOverEmpty(json, range));
    const isStable = grown.every((range, index) => range === pending[index]);
    pending = mergeRanges(json, grown);
    if (isStable) break;
  }
  const parts: Buffer[] = [];
  let at = 0;
  for (const range of pending) {
    const { start, end } = includeComma(json, range);
    parts.push(json.subarray(at, start));
    at = Math.max(at, end);
  }
  return Buffer.concat([...parts, json.subarray(at)]);
}

/** Sorts ranges, drops those inside of others, and joins neighbours, so that one comma remains to be decided on. */
function mergeRanges(json: Buffer, ranges: readonly Range[]): Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last && range.start < last.end) last.end = Math.max(last.end, range.end);
    else if (last && isSeparator(json, last.end, range.start)) last.end = range.end;
    else merged.push({ ...range });
  }
  return merged;
}

const [COMMA, COLON, QUOTE, BACKSLASH] = [0x2c, 0x3a, 0x22, 0x5c];
const OPENING: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);
const SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

const skipSpace = (json: Buffer, from: number): number => {
  let at = from;
  while (SPACE.has(json[at])) at++;
  return at;
};

/** The position of the last byte before `end` that is no white space. */
const skipSpaceBack = (json: Buffer, end: number): number => {
  let at = end - 1;
  while (SPACE.has(json[at])) at--;
  return at;
};

function isSeparator(json: Buffer, start: number, end: number): boolean {
  const comma = skipSpace(json, start);
  return json[comma] === COMMA && skipSpace(json, comma + 1) === end;
}

/** Extends a range over the object or list of which it is all, and over the name of that. */
function growOverEmpty(json: Buffer, range: Range): Range {
  const before = skipSpaceBack(json, range.start);
  const after = skipSpace(json, range.end);
  if (before <= 0 || !OPENING.has(json[before]) || !CLOSING.has(json[after])) return range;
  const colon = skipSpaceBack(json, before);
  const start = json[colon] === COLON ? findStringStart(json, skipSpaceBack(json, colon)) : before;
  return { start, end: after + 1 };
}

/** The opening quote of the string whose closing quote is at `end`. */
function findStringStart(json: Buffer, end: number): number {
  for (let at = end - 1; at > 0; at--) {
    if (json[at] !== QUOTE) continue;
    let escapes = 0;
    while (json[at - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at;
  }
  return 0;
}

function includeComma(json: Buffer, { start, end }: Range): Range {
  const after = skipSpace(json, end);
  if (json[after] === COMMA) return { start, end: skipSpace(json, after + 1) };
  const before = skipSpaceBack(json, start);
  return json[before] === COMMA ? { start: before, end } : { start, end };
}
