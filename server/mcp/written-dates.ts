import type { Recorded } from '../records/clinical.sql.ts';
import { counted } from './markdown.ts';
import type { Window } from './window.ts';

/** What a reader must know of a date: that there is none, or why an old one stands in a window of newer ones. */
export const NO_DATE = 'no date';

/** "2021-03-05", "2021-03", "no date". */
export const dateOf = ({ dayText }: Recorded): string => dayText ?? NO_DATE;

/** "2021-03-05 14:05" */
export const momentOf = ({ dayText, time }: Recorded): string =>
  dayText !== null && time !== null ? `${dayText} ${time}` : (dayText ?? NO_DATE);

/** "2021-03-05 to 2021-03-09", in the precision each was written with. */
export function periodOf(entry: Recorded): string {
  const { dayText, endText } = entry;
  if (endText === null || endText === dayText) return dateOf(entry);
  return dayText === null ? `until ${endText}` : `${dayText} to ${endText}`;
}

/** For what is shown whatever its date. */
export function beganBefore({ day }: Recorded, window: Window | null): string {
  return window !== null && day !== null && day < window.from ? ' (began before this window)' : '';
}

/** "2021-06-01", or "12 orders, 2019-03-04 to 2021-06-01". */
export function occurrences(entries: readonly Recorded[], noun: string): string {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return periodOf(only);
  const days = entries.flatMap(({ dayText }) => dayText ?? []).sort();
  return `${counted(entries.length, noun)}, ${span(days[0] ?? null, days.at(-1) ?? null)}`;
}

export function span(first: string | null, last: string | null): string {
  if (first === null || last === null) return NO_DATE;
  return first === last ? first : `${first} to ${last}`;
}
