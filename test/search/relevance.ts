import { listAt, textAt, textsAt, type Json, type JsonObject } from '../data/facts/json.ts';
import type { Match } from './graded-queries.ts';

/** Members whose strings name or address something and say nothing. */
const SILENT = new Set(['id', 'reference', 'url', 'system', 'code', 'div', 'contentType']);

const DATES = [
  'effectiveDateTime',
  'effectivePeriod.start',
  'occurrenceDateTime',
  'performedPeriod.start',
  'performedDateTime',
  'onsetDateTime',
  'onsetPeriod.start',
  'authoredOn',
  'period.start',
  'date',
  'recordedDate',
  'started',
  'issued',
];

/** What a resource says, as groups ask for it: read once, compared with many. */
export interface Traits {
  type: string;
  day: string | null;
  status: string | null;
  codings: ReadonlySet<string>;
  strings: readonly string[];
}

/** Reads a resource; a prescription that refers to its `Medication` is handed over with it. */
export function readTraits(resource: JsonObject, medication: JsonObject | null = null): Traits {
  const strings: string[] = [];
  const codings = new Set<string>();
  for (const part of medication === null ? [resource] : [resource, medication])
    collect(part, { strings, codings });
  const day = DATES.flatMap((path) => textsAt(resource, path))[0]?.slice(0, 10);
  return {
    type: textAt(resource, 'resourceType') ?? '',
    day: day ?? null,
    status: textAt(resource, 'clinicalStatus.coding.code') ?? textAt(resource, 'status') ?? null,
    codings,
    strings,
  };
}

/** Says whether a resource belongs to a group of a label, by the rules of the README beside. */
export function matchesGroup(traits: Traits, { types, codes, text, window, status }: Match): boolean {
  if (types?.includes(traits.type) === false) return false;
  if (window !== undefined && !isWithin(traits.day, window)) return false;
  if (status?.includes(traits.status ?? '') === false) return false;
  if (codes === undefined && text === undefined) return true;
  return (
    (codes?.some((code) => traits.codings.has(code)) ?? false) ||
    (text?.some((source) => hasString(traits, source)) ?? false)
  );
}

/** Says whether any string of the resource matches the expression, whatever the case. */
export function hasString({ strings }: Traits, source: string): boolean {
  const pattern = new RegExp(source, 'i');
  return strings.some((string) => pattern.test(string));
}

const isWithin = (day: string | null, [from, to]: [string, string]): boolean =>
  day !== null && from <= day && day <= to;

function collect(value: Json, into: { strings: string[]; codings: Set<string> }): void {
  if (typeof value === 'string') into.strings.push(value);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const each of value) collect(each, into);
    return;
  }
  for (const code of listAt(value, 'coding')) {
    const [system = '', symbol] = ['system', 'code'].map((name) => textAt(code, name));
    if (symbol !== undefined) into.codings.add(`${system}|${symbol}`);
  }
  for (const [name, member] of Object.entries(value)) {
    if (name === 'data' && typeof member === 'string')
      into.strings.push(Buffer.from(member, 'base64').toString());
    else if (!SILENT.has(name) || typeof member === 'object') collect(member, into);
  }
}
