import type { Element } from 'slimdom';
import { getAttribute, getChild } from './elements.ts';
import type { FhirObject, Period } from './fhir-values.ts';

/**
 * A point in time as FHIR writes it, in its original precision.
 *
 * FHIR R4 §2.24.0.1 requires a zone with a time of day, and HL7 v3 forbids to assume one; 830 of the 1,412 times of day
 * in the published documents have none. Those become the date, with the time as it was written in the extension
 * `originalText`.
 */
export interface Time {
  /** `date` or `dateTime`; undefined where the document says something that is none: 200130311, 20250230. */
  value: string | undefined;
  /** What the document says, where `value` says less, or nothing. */
  original?: string;
}

/** A time that is a date. */
type DatedTime = Time & { value: string };

const TS_PATTERN =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\.\d+)?)?)?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Parses a `TS` literal: YYYY, YYYYMM, YYYYMMDD, then hours to fractions of a second. Returns undefined for what is no
 * date.
 */
export function parseTs(literal: string | undefined): DatedTime | undefined {
  const match = TS_PATTERN.exec(literal ?? '');
  if (!match) return undefined;
  const [original, year = '', month, day, hour, minute = '00', second = '00', fraction = '', zone] = match;
  if (year === '0000') return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  if (!isValidDate(date)) return undefined;
  if (hour === undefined || day === undefined) return { value: date };
  if (zone === undefined)
    return Number(`${hour}${minute}${second}`) === 0 && fraction === ''
      ? { value: date }
      : { value: date, original };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return { value: date, original };
  return { value: `${date}T${hour}:${minute}:${second}${fraction}${formatOffset(zone)}` };
}

/** Reads a `TS` literal as it was written where it is no date. Zeros and words ("0000", "UNK") stand for an absent one. */
function readTs(literal: string | undefined): Time | undefined {
  const isWritten = literal !== undefined && /[1-9]/.test(literal);
  return parseTs(literal) ?? (isWritten ? { value: undefined, original: literal } : undefined);
}

/** Returns the first time that is a date, else the first that is written. */
export const findTime = (...times: readonly (Time | undefined)[]): Time | undefined =>
  times.find((time) => time?.value !== undefined) ?? times.find((time) => time !== undefined);

const readValue = (element: Element | undefined): Time | undefined => readTs(getAttribute(element, 'value'));

const readPart = (element: Element | undefined, part: 'low' | 'center' | 'high'): Time | undefined =>
  readValue(getChild(element, part));

/** Returns the point of a `TS`; of an `IVL_TS` its only value, its center, else its start or end. */
export const toTime = (element: Element | undefined): Time | undefined =>
  findTime(
    readValue(element),
    readPart(element, 'center'),
    readPart(element, 'low'),
    readPart(element, 'high'),
  );

/** Returns the start of an `IVL_TS`: its `low`, or its only value, or the center that stands for it (a day of a plan). */
export const getStart = (element: Element | undefined): Time | undefined =>
  findTime(readPart(element, 'low'), readValue(element), readPart(element, 'center'));

/** Returns the end of an `IVL_TS`, its `high`; a single value has no end. */
export const getEnd = (element: Element | undefined): Time | undefined => readPart(element, 'high');

/** Formats a time as text, as it was written where it is no date. */
export const formatTime = (time: Time | undefined): string | undefined => time?.value ?? time?.original;

/** Converts an `IVL_TS` to a Period; returns undefined where neither end is written. */
export const toPeriod = (element: Element | undefined): Period | undefined =>
  buildPeriod(getStart(element), getEnd(element));

export function buildPeriod(start: Time | undefined, end: Time | undefined): Period | undefined {
  if (start === undefined && end === undefined) return undefined;
  // FHIR per-1: an interval that ends before it begins is no Period; its end is left out.
  const [first, last] = [toDate(start), toDate(end)];
  const backwards = first !== undefined && last !== undefined && first > last;
  return { ...buildDateTime('start', start), ...(backwards ? {} : buildDateTime('end', end)) };
}

/**
 * Builds `{ onsetDateTime: "…" }`, with `_onsetDateTime` where the document says more, alone where that is no date; `{}`
 * without a time.
 */
export function buildDateTime(element: string, time: Time | undefined): Record<string, FhirObject | string> {
  if (time === undefined) return {};
  const { value, original } = time;
  const dated = value === undefined ? {} : { [element]: value };
  if (original === undefined) return dated;
  return {
    ...dated,
    [`_${element}`]: {
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString: original }],
    },
  };
}

/** Builds `…Period` for an interval, `…DateTime` for a point: `...buildPeriodOrDateTime('effective', effectiveTime)`. */
export function buildPeriodOrDateTime(prefix: string, element: Element | undefined): FhirObject {
  const end = getEnd(element);
  if (end !== undefined) return { [`${prefix}Period`]: toPeriod(element) };
  return buildDateTime(`${prefix}DateTime`, toTime(element));
}

/** Returns an `instant`, which needs day, time of day and zone; else undefined. */
export const toInstant = (time: Time | undefined): string | undefined =>
  time?.value?.includes('T') ? time.value : undefined;

/** Builds an `instant`, or what is written instead of a date; a day alone is none. */
export const buildInstant = (element: string, time: Time | undefined): FhirObject =>
  time?.value === undefined ? buildDateTime(element, time) : { [element]: toInstant(time) };

/** Returns the `date` of a time, for elements that hold no time of day. */
export const toDate = (time: Time | undefined): string | undefined => time?.value?.slice(0, 10);

function isValidDate(date: string): boolean {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** Formats an offset: `-0500` and `-05` as `-05:00`. */
function formatOffset(zone: string): string {
  if (zone === 'Z') return zone;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
