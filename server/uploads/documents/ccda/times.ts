import type { Element } from 'slimdom';
import { attribute, child } from './elements.ts';
import type { FhirObject, Period } from './fhir-values.ts';

/**
 * A point in time as FHIR writes it, in the precision it was given with.
 *
 * FHIR R4 §2.24.0.1 demands a zone with a time of day, and HL7 v3 forbids to assume one; 830 of the 1,412 times of day
 * in the published documents have none. Those become the date, and the time as it was written stays beside it in the
 * extension `originalText`.
 */
export interface Time {
  /** `date` or `dateTime`. */
  value: string;
  /** What the document says, where `value` says less. */
  written?: string;
}

const WRITTEN =
  /^(\d{4})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:(\d{2})(\.\d+)?)?)?)?)?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/;

/** Reads a `TS` literal: YYYY, YYYYMM, YYYYMMDD, then hours to fractions of a second. Other digits, no date: undefined. */
export function timeOf(literal: string | undefined): Time | undefined {
  const match = WRITTEN.exec(literal ?? '');
  if (!match) return undefined;
  const [written, year = '', month, day, hour, minute = '00', second = '00', fraction = '', zone] = match;
  if (year === '0000') return undefined;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  if (!isDate(date)) return undefined;
  if (hour === undefined || day === undefined) return { value: date };
  if (zone === undefined)
    return Number(`${hour}${minute}${second}`) === 0 && fraction === ''
      ? { value: date }
      : { value: date, written };
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return { value: date, written };
  return { value: `${date}T${hour}:${minute}:${second}${fraction}${zoneOf(zone)}` };
}

/** The point of a `TS`; of an `IVL_TS` its only value, its centre, else where it begins. */
export function time(element: Element | undefined): Time | undefined {
  return (
    timeOf(attribute(element, 'value')) ??
    timeOf(attribute(child(element, 'center'), 'value')) ??
    timeOf(attribute(child(element, 'low'), 'value')) ??
    timeOf(attribute(child(element, 'high'), 'value'))
  );
}

/** Where an `IVL_TS` begins: its `low`, or its only value. */
export const startOf = (element: Element | undefined): Time | undefined =>
  timeOf(attribute(child(element, 'low'), 'value')) ?? timeOf(attribute(element, 'value'));

/** Where an `IVL_TS` ends; a single value ends where it begins and is no end of anything. */
export const endOf = (element: Element | undefined): Time | undefined =>
  timeOf(attribute(child(element, 'high'), 'value'));

/** An `IVL_TS` as Period; undefined where neither end is a date. */
export function period(element: Element | undefined): Period | undefined {
  const [start, end] = [startOf(element), endOf(element)];
  if (start === undefined && end === undefined) return undefined;
  // FHIR per-1: an interval that ends before it begins is no Period; where the document says so, its end is left out.
  const backwards =
    start !== undefined && end !== undefined && start.value.slice(0, 10) > end.value.slice(0, 10);
  return { ...dated('start', start), ...(backwards ? {} : dated('end', end)) };
}

/** `{ onsetDateTime: "…" }`, with `_onsetDateTime` beside it where the document says more; `{}` without a time. */
export function dated(element: string, time: Time | undefined): Record<string, FhirObject | string> {
  if (time === undefined) return {};
  if (time.written === undefined) return { [element]: time.value };
  return {
    [element]: time.value,
    [`_${element}`]: {
      extension: [{ url: 'http://hl7.org/fhir/StructureDefinition/originalText', valueString: time.written }],
    },
  };
}

/** An interval as `…Period`, a point as `…DateTime`: `...timed('effective', effectiveTime)`. */
export function timed(prefix: string, element: Element | undefined): FhirObject {
  const end = endOf(element);
  if (end !== undefined) return { [`${prefix}Period`]: period(element) };
  return dated(`${prefix}DateTime`, time(element));
}

/** An `instant`: only a time with day, time of day and zone is one. */
export const instantOf = (time: Time | undefined): string | undefined =>
  time?.value.includes('T') ? time.value : undefined;

/** The `date` in a time, for elements that hold no time of day. */
export const dateOf = (time: Time | undefined): string | undefined => time?.value.slice(0, 10);

function isDate(date: string): boolean {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** `-0500` and `-05` are `-05:00`. FHIR goes to ±14:00; a zone beyond is none anyone lives in. */
function zoneOf(zone: string): string {
  if (zone === 'Z') return zone;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
}
