import { getPath, joinPresent, readText } from './element.ts';
import { parsePartialDate } from './partial-date.ts';

/** The end of a period, or a single date, in its written precision. */
export function findEndDate(...candidates: unknown[]): string | null {
  for (const candidate of candidates) {
    const { dayText } = parsePartialDate(readText(candidate) ?? getPath(candidate, 'end'));
    if (dayText !== null) return dayText;
  }
  return null;
}

/** "2021-01-05 to 2021-01-09", as written; "from …" and "until …" when one end is open. */
export function formatPeriod(value: unknown): string | null {
  const start = readText(getPath(value, 'start'));
  const end = readText(getPath(value, 'end'));
  if (start !== null && end !== null) return joinPresent([start, end], ' to ');
  if (start !== null) return `from ${start}`;
  return end === null ? readText(value) : `until ${end}`;
}
