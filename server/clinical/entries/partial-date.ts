import { getPath, joinPresent, readText, toArray } from './element.ts';

/** A date as the record wrote it: never shifted by its zone, never made more precise. */
export interface PartialDate {
  /** YYYY-MM-DD; partial dates at their first day. */
  day: string | null;
  /** In the written precision. */
  dayText: string | null;
  /** "14:05" */
  time: string | null;
}

const UNDATED: PartialDate = { day: null, dayText: null, time: null };

const PARTIAL_DATE = /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ](.*))?)?)?$/;
/**
 * Forms that FHIR does not have and that can mean one day alone: 2026-3-7, 2026/03/07, 20260307, 20260307141500+0100 (ISO 8601's
 * basic form, HL7's TS). Of 03072026 the middle would be the month 20, of 07/03/2026 nobody knows which is the month.
 */
const OTHER_FORMS = [
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](.*))?$/,
  /^(\d{4})(\d{2})(\d{2})(?:T?(\d{4}(?:\d{2})?)(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
];
const TIME = /^([01]\d|2[0-3]):([0-5]\d)(?![\d])/;

/** Reads a FHIR date, dateTime or instant. Anything that is no day of the calendar (2021-02-31, year 0000) is undated. */
export function parsePartialDate(value: unknown): PartialDate {
  // Most of the elements that may hold a date are not there.
  const text = value === undefined ? null : readText(value);
  const match = text === null ? null : (PARTIAL_DATE.exec(text) ?? findOtherForm(text));
  if (!match) return UNDATED;
  const [, year = '', month, day, rest] = match;
  const dayOfMonth = Number(day ?? '1');
  if (
    year === '0000' ||
    dayOfMonth < 1 ||
    dayOfMonth > countDaysInMonth(Number(year), Number(month ?? '1'))
  ) {
    return UNDATED;
  }
  const time = TIME.exec(rest ?? '');
  return {
    day: `${year}-${month ?? '01'}-${day ?? '01'}`,
    dayText: [year, month, day].filter(Boolean).join('-'),
    time: time ? `${time[1]}:${time[2]}` : null,
  };
}

/** Returns what `PARTIAL_DATE` would have of a date in another form. */
function findOtherForm(text: string): (string | undefined)[] | null {
  // Most of what is no date is a text.
  if (!/^\d{4}[-/\d]/.test(text)) return null;
  for (const form of OTHER_FORMS) {
    const [, year, month = '', day = '', rest] = form.exec(text) ?? [];
    const time = rest?.replace(/^(\d{2})(\d{2})\d*$/, '$1:$2');
    if (year !== undefined) return [text, year, month.padStart(2, '0'), day.padStart(2, '0'), time];
  }
  return null;
}

/** A range of days, both ends included. */
export interface DayRange {
  first: string;
  last: string;
}

/** Returns the days that a FHIR date, dateTime or instant covers in its written precision; null for what is none. */
export function parseDayRange(value: unknown): DayRange | null {
  const { day, dayText } = parsePartialDate(value);
  if (day === null || dayText === null) return null;
  const [year = '', month = '12'] = dayText.split('-');
  const isDay = dayText === day;
  return {
    first: day,
    last: isDay ? day : `${year}-${month}-${String(countDaysInMonth(Number(year), Number(month)))}`,
  };
}

function countDaysInMonth(year: number, month: number): number {
  if (month < 1 || month > 12) return 0;
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Returns the first candidate that is a date. */
export function findFirstDate(...candidates: unknown[]): PartialDate {
  for (const candidate of candidates) {
    // Most of the elements that may hold a date are not there.
    if (candidate === undefined) continue;
    for (const each of toArray(candidate)) {
      const date = parsePartialDate(each);
      if (date.day !== null) return date;
    }
  }
  return UNDATED;
}

/** Finds the end of a period, or a single date, in its written precision. */
export function findEndDate(...candidates: unknown[]): string | null {
  for (const candidate of candidates) {
    const { dayText } = parsePartialDate(readText(candidate) ?? getPath(candidate, 'end'));
    if (dayText !== null) return dayText;
  }
  return null;
}

/** Formats a Period: "2021-01-05 to 2021-01-09", as written; "from …" and "until …" when one end is open. */
export function formatPeriod(value: unknown): string | null {
  const start = readText(getPath(value, 'start'));
  const end = readText(getPath(value, 'end'));
  if (start !== null && end !== null) return joinPresent([start, end], ' to ');
  if (start !== null) return `from ${start}`;
  return end === null ? readText(value) : `until ${end}`;
}
