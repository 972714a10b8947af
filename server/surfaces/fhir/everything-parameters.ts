import { DEFAULT_COUNT, MAX_COUNT } from '../../../contract/fhir/fhir.ts';
import type { EverythingQuery } from '../../../contract/fhir/fhir.ts';
import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { parseDayRange, type DayRange } from '../../clinical/entries/partial-date.ts';
import { invalidInput } from '../../platform/kernel/refusal.ts';
import type { DateRange } from './selection.ts';

export interface EverythingParameters {
  count: number;
  offset: number;
  types: string[] | null;
  since: { raw: string; at: Date } | null;
  /** `raw`: `start` and `end` as they were written. */
  dates: (DateRange & { raw: Record<string, string> }) | null;
  /** The state of a traversal, as its links hold it, or a time. */
  state: { sealed: string } | { at: Date } | null;
  /** The place where a page begins, as links hold it. */
  after: string | null;
  /** What was counted for the page before, as links hold it. */
  counted: string | null;
  /** What says how the answer is written, as it was asked for: links say it again. */
  presentation: Readonly<Record<string, string>>;
}

/** Parses the query; throws `invalid_input`, which names the parameter and never quotes its value. */
export function parseEverythingParameters(query: EverythingQuery): EverythingParameters {
  return {
    count: Math.min(parseWholeNumber('_count', query['_count']) ?? DEFAULT_COUNT, MAX_COUNT),
    offset: parseWholeNumber('_offset', query['_offset']) ?? 0,
    types: parseTypes(query['_type']),
    since: parseSince(query['_since']),
    dates: parseDates(query),
    state: query['_state'] === undefined ? null : parseState(query['_state']),
    after: query['_after'] === undefined ? null : parseAfter(query['_after']),
    counted: query['_counted'] === undefined ? null : parseCounted(query['_counted']),
    presentation: parsePresentation(query),
  };
}

const refuse = (path: string, message: string): never => {
  throw invalidInput([{ path, message }]);
};

/** Returns null when absent. Nine digits exceed any record and fit the integers of the database. */
function parseWholeNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,9}$/.test(text)) refuse(name, 'must be a whole number, 0 or more, of at most nine digits');
  return Number(text);
}

/**
 * `_total` says how exact the total is to be (https://hl7.org/fhir/R4/search.html#total), which is always exact here. Links of
 * the version before this one have a number there, which anybody could change: it is not looked at.
 */
function parsePresentation({ _format: format, _total: total }: EverythingQuery): Record<string, string> {
  const isMode = total !== undefined && ['none', 'estimate', 'accurate'].includes(total);
  if (!isMode && total !== undefined && !/^\d{1,9}$/.test(total))
    refuse('_total', 'must be none, estimate or accurate');
  return { ...(format !== undefined && { _format: format }), ...(isMode && { _total: total }) };
}

function parseTypes(text: string | undefined): string[] | null {
  if (text === undefined) return null;
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  if (names.some((name) => !FHIR_RESOURCE_TYPES.has(name)))
    refuse('_type', 'must name resource types of FHIR R4, separated by commas');
  return names;
}

/**
 * Parses `start` and `end`, whose type is date (https://hl7.org/fhir/R4/patient-operation-everything.html): a year begins on its first day
 * and ends on its last one.
 */
function parseDates({ start, end }: EverythingQuery): EverythingParameters['dates'] {
  if (start === undefined && end === undefined) return null;
  const first = start === undefined ? null : parseDay('start', start).first;
  const last = end === undefined ? null : parseDay('end', end).last;
  if (first !== null && last !== null && last < first) refuse('end', 'must not be before start');
  const raw = { ...(start !== undefined && { start }), ...(end !== undefined && { end }) };
  return { start: first, end: last, raw };
}

const DATE = /^\d{4}(-\d\d){0,2}$/;

const parseDay = (name: 'start' | 'end', text: string): DayRange =>
  (DATE.test(text) ? parseDayRange(text) : null) ??
  refuse(name, 'must be a date: a day, a month or a year, such as 2026-01-31');

/** FHIR dateTime: a year, a month, a day, or a time; one without a zone counts as UTC. */
const DATE_TIME =
  /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01])(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d|60)(?:\.(\d{1,9}))?)?(Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?)?)?$/;

function parseSince(text: string | undefined): EverythingParameters['since'] {
  if (text === undefined) return null;
  // An unencoded plus sign arrives as a space.
  const raw = text.replace(/ (?=\d\d:\d\d$)/, '+');
  const at = parseInstant(raw);
  return at
    ? { raw, at }
    : refuse('_since', 'must be a date or a date-time of ISO 8601, such as 2026-01-31T12:00:00Z');
}

/** Parses a dateTime; of a partial one, such as a year, it returns the beginning. */
function parseInstant(text: string): Date | null {
  const match = DATE_TIME.exec(text);
  if (!match) return null;
  const [
    ,
    year = '',
    month = '01',
    day = '01',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zone = 'Z',
  ] = match;
  const seconds = second === '60' ? '59' : second;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const at = new Date(`${year}-${month}-${day}T${hour}:${minute}:${seconds}.${milliseconds}${zone}`);
  // `Date` reads the 31st of a shorter month as a day of the next one.
  const exists = new Date(`${year}-${month}-${day}T00:00:00Z`)
    .toISOString()
    .startsWith(`${year}-${month}-${day}`);
  return exists && isInCalendar(at) ? at : null;
}

/** True for years that both a date-time and the database write with four digits. */
const isInCalendar = (at: Date): boolean => at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;

function parseState(text: string): { sealed: string } | { at: Date } {
  if (/^[\w-]{59}$/.test(text)) return { sealed: text };
  const at = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text) ? new Date(text) : null;
  return at && isInCalendar(at) ? { at } : refuse('_state', 'must be the value of a paging link');
}

const parseAfter = (text: string): string =>
  /^[\w-]{48}$/.test(text) ? text : refuse('_after', 'must be the value of a paging link');

const parseCounted = (text: string): string =>
  /^[\w-]{80}$/.test(text) ? text : refuse('_counted', 'must be the value of a paging link');
