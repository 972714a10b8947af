import { at, joined, text } from './element.ts';
import { writtenDate } from './written-date.ts';

/** The end of a period, or a single date, in its written precision. */
export function endOf(...candidates: unknown[]): string | null {
  for (const candidate of candidates) {
    const { dayText } = writtenDate(text(candidate) ?? at(candidate, 'end'));
    if (dayText !== null) return dayText;
  }
  return null;
}

/** "2021-01-05 to 2021-01-09", as written; "from …" and "until …" when one end is open. */
export function periodText(value: unknown): string | null {
  const start = text(at(value, 'start'));
  const end = text(at(value, 'end'));
  if (start !== null && end !== null) return joined([start, end], ' to ');
  if (start !== null) return `from ${start}`;
  return end === null ? text(value) : `until ${end}`;
}
