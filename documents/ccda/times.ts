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
  /** `date` or `dateTime`. */
  value: string;
  /** What the document says, where `value` says less. */
  original?: string;
}

const TS_PATTERN =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\.\d+)?)?)?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/**
 * Parses a `TS` literal: YYYY, YYYYMM, YYYYMMDD, then hours to fractions of a second. Returns undefined for what is no
 * date.
 */
export function parseTs(literal: string | undefined): Time | undefined {
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

/** Returns the point of a `TS`; of an `IVL_TS` its only value, its center, else its start or end. */
export function toTime(element: Element | undefined): Time | undefined {
  return (
    parseTs(getAttribute(element, 'value')) ??
    parseTs(getAttribute(getChild(element, 'center'), 'value')) ??
    parseTs(getAttribute(getChild(element, 'low'), 'value')) ??
    parseTs(getAttribute(getChild(element, 'high'), 'value'))
  );
}

/** Returns the start of an `IVL_TS`: its `low`, or its only value, or the center that stands for it (a day of a plan). */
export const getStart = (element: Element | undefined): Time | undefined =>
  parseTs(getAttribute(getChild(element, 'low'), 'value')) ??
  parseTs(getAttribute(element, 'value')) ??
  parseTs(getAttribute(getChild(element, 'center'), 'value'));

/** Returns the end of an `IVL_TS`, its `high`; a single value has no end. */
export const getEnd = (element: Element | undefined): Time | undefined =>
  parseTs(getAttribute(getChild(element, 'high'), 'value'));

/** Converts an `IVL_TS` to a Period; returns undefined where neither end is a date. */
export function toPeriod(element: Element | undefined): Period | undefined {
  const [start, end] = [getStart(element), getEnd(element)];
  if (start === undefined && end === undefined) return undefined;
  // FHIR per-1: an interval that ends before it begins is no Period; its end is left out.
  const backwards =
    start !== undefined && end !== undefined && start.value.slice(0, 10) > end.value.slice(0, 10);
  return { ...buildDateTime('start', start), ...(backwards ? {} : buildDateTime('end', end)) };
}

/** Builds `{ onsetDateTime: "…" }`, with `_onsetDateTime` where the document says more; `{}` without a time. */
export function buildDateTime(element: string, time: Time | undefined): Record<string, FhirObject | string> {
  if (time === undefined) return {};
  if (time.original === undefined) return { [element]: time.value };
  return {
    [element]: time.value,
    [`_${element}`]: {
      extension: [
        { url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString: time.original },
      ],
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
  time?.value.includes('T') ? time.value : undefined;

/** Returns the `date` of a time, for elements that hold no time of day. */
export const toDate = (time: Time | undefined): string | undefined => time?.value.slice(0, 10);

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
