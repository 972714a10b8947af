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

/** Parses If-Modified-Since as RFC 2822 or ISO 8601; null without one. Throws `invalid_input` for anything else. */
export function parseModifiedSince(header: string | undefined): Date | null {
  if (header === undefined) return null;
  // A header of any length must not cost time; comments are white space (RFC 2822 §3.2.3).
  const text = header
    .slice(0, 200)
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const date = header.length > 200 ? null : (parseRfc2822(text) ?? parseIso8601(text));
  if (date === null)
    throw invalidInput([
      { path: 'If-Modified-Since', message: 'must be a date and time as in RFC 2822 or ISO 8601' },
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
    [expandYear(year), MONTHS.indexOf(month.toLowerCase()) + 1, Number(day)],
    [Number(hour), Number(minute), Number(second), 0],
  );
  // The weekday must be that of the date (§3.3); otherwise one of the two is wrong.
  if (date === null || (weekday !== undefined && DAYS[date.getUTCDay()] !== weekday.toLowerCase()))
    return null;
  return new Date(date.getTime() - offset * 60_000);
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
