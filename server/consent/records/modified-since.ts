import { invalidInput } from '../../platform/kernel/refusal.ts';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/** RFC 2822 §4.3, in hours; a military letter is ambiguous and counts as UT. */
const ZONES: ReadonlyMap<string, number> = new Map([
  ['ut', 0],
  ['gmt', 0],
  ['utc', 0],
  ['edt', -4],
  ['est', -5],
  ['cdt', -5],
  ['cst', -6],
  ['mdt', -6],
  ['mst', -7],
  ['pdt', -7],
  ['pst', -8],
]);

const RFC_2822 =
  /^(?:([a-z]{3}) ?, ?)?(\d{1,2}) ([a-z]{3}) (\d{2,4}) (\d{2}) ?: ?(\d{2})(?: ?: ?(\d{2}))? ([+-]\d{4}|[a-z]{1,3})$/i;

const ISO_8601 =
  /^(\d{4})(-?)(\d{2})\2(\d{2})(?:[Tt ](\d{2})(?:(:?)(\d{2})(?:\6(\d{2})(?:[.,](\d{1,9}))?)?)?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** The two obsolete forms of HTTP, which whoever takes its dates has to take (RFC 9110 §5.6.7). */
const RFC_850 =
  /^(sun|mon|tues|wednes|thurs|fri|satur)day, (\d{2})-([a-z]{3})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/i;
const ASCTIME = /^([a-z]{3}) ([a-z]{3}) (\d{1,2}) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/i;

/**
 * Parses If-Modified-Since as a date of HTTP, RFC 2822 or ISO 8601; null without one. Throws `invalid_input` for anything else.
 */
export function parseModifiedSince(header: string | undefined, now: Date): Date | null {
  if (header === undefined) return null;
  // A header of any length must not cost time; comments are white space (RFC 2822 §3.2.3).
  const text = header
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const date =
    header.length > 200 ? null : (parseRfc2822(text) ?? parseIso8601(text) ?? parseObsolete(text, now));
  if (date === null)
    throw invalidInput([
      { path: 'If-Modified-Since', message: 'must be a date and time as in RFC 9110, RFC 2822 or ISO 8601' },
    ]);
  return date;
}

function parseRfc2822(text: string): Date | null {
  const match = RFC_2822.exec(text);
  if (!match) return null;
  const [, weekday, day, month = '', year = '', hour, minute, second = '0', zone = ''] = match;
  const offset = parseZone(zone);
  if (offset === null) return null;
  const date = toInstant(
    [expandYear(year), parseMonth(month), Number(day)],
    [Number(hour), Number(minute), Number(second), 0],
  );
  if (date === null || (weekday !== undefined && !isOnDay(date, weekday))) return null;
  return new Date(date.getTime() - offset * 60_000);
}

/** 1 to 12; 0 for what is no month. */
const parseMonth = (name: string): number => MONTHS.indexOf(name.toLowerCase()) + 1;

/** The weekday must be that of the date (RFC 2822 §3.3); otherwise one of the two is wrong. */
const isOnDay = (date: Date, weekday: string): boolean =>
  DAYS[date.getUTCDay()] === weekday.slice(0, 3).toLowerCase();

/** `Sunday, 06-Nov-94 08:49:37 GMT`, or `Sun Nov 6 08:49:37 1994`, which is in GMT too. */
function parseObsolete(text: string, now: Date): Date | null {
  const [, weekday, day, month, yy, ...time] = RFC_850.exec(text) ?? [];
  const [, name = weekday, monthName = month, dayOfMonth = day, ...rest] = ASCTIME.exec(text) ?? [];
  if (name === undefined || monthName === undefined) return null;
  const [hour, minute, second, year = expandNearYear(Number(yy), now)] = yy === undefined ? rest : time;
  const date = toInstant(
    [Number(year), parseMonth(monthName), Number(dayOfMonth)],
    [Number(hour), Number(minute), Number(second), 0],
  );
  return date !== null && isOnDay(date, name) ? date : null;
}

/** RFC 9110 §5.6.7: what would be more than 50 years ahead is of the century before. */
function expandNearYear(yy: number, now: Date): number {
  const thisYear = now.getUTCFullYear();
  const year = thisYear - (thisYear % 100) + yy;
  return year > thisYear + 50 ? year - 100 : year;
}

function parseIso8601(text: string): Date | null {
  const match = ISO_8601.exec(text);
  if (!match) return null;
  const [, year, , month, day, hour = '0', , minute = '0', second = '0', fraction = '', zone = 'Z'] = match;
  const offset = zone.toUpperCase() === 'Z' ? 0 : parseOffset(zone.replace(':', '').padEnd(5, '0'));
  const date = toInstant(
    [Number(year), Number(month), Number(day)],
    [Number(hour), Number(minute), Number(second), Number(fraction.padEnd(3, '0').slice(0, 3))],
  );
  return date === null || offset === null ? null : new Date(date.getTime() - offset * 60_000);
}

/** RFC 2822 §4.3: two digits mean 1950 to 2049, three digits count from 1900. */
function expandYear(year: string): number {
  const value = Number(year);
  if (year.length === 2) return value + (value < 50 ? 2000 : 1900);
  return year.length === 3 ? value + 1900 : value;
}

function parseZone(zone: string): number | null {
  if (/^[+-]/.test(zone)) return parseOffset(zone);
  const hours = /^[a-ik-z]$/i.test(zone) ? 0 : ZONES.get(zone.toLowerCase());
  return hours === undefined ? null : hours * 60;
}

/** ±hhmm in minutes. */
function parseOffset(zone: string): number | null {
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3, 5))];
  return hours > 23 || minutes > 59 ? null : (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Returns null for a date or time that does not exist; a leap second becomes the first second of the next minute. */
function toInstant(
  [year, month, day]: readonly [number, number, number],
  [hour, minute, second, ms]: readonly [number, number, number, number],
): Date | null {
  if (year < 1 || month < 1 || hour > 23 || minute > 59 || second > 60) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (day < 1 || date.getUTCMonth() !== month - 1) return null;
  date.setUTCHours(hour, minute, second, ms);
  return date;
}
