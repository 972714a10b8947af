import type { GroupInForce, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { ENDED_STATUSES } from '../../../clinical/entries/course-end.ts';
import { formatNumber, pluralize } from './format-number.ts';
import type { Window } from './window.ts';

const NO_DATE = 'no date';

type Dated = Pick<StoredEntry, 'dayText'> & { dateFrom?: string | null };

/** "2021-03-05", "2021-03", "no date"; "during the visit of 2021-03-05" where the date is that of the visit. */
export const formatDate = ({ dayText, dateFrom }: Dated): string =>
  dayText === null ? NO_DATE : dateFrom ? `during the visit of ${dayText}` : dayText;

/** "2021-03-05 14:05" */
export const formatDateTime = (entry: Dated & Pick<StoredEntry, 'time'>): string =>
  entry.dayText !== null && entry.time !== null ? `${formatDate(entry)} ${entry.time}` : formatDate(entry);

/**
 * "2021-03-05 to 2021-03-09", in the precision each was written with. Of what was over when it was written down, as an order
 * of 2010 for a course of 2008, these are no two ends of one range: "2010-10-28, until 2008-10-02".
 */
export function formatPeriod(entry: Dated & Pick<StoredEntry, 'endText'>): string {
  const { dayText, endText } = entry;
  if (endText === null || endText === dayText) return formatDate(entry);
  if (dayText === null) return `until ${endText}`;
  return `${formatDate(entry)}${endText < dayText.slice(0, endText.length) ? ', until' : ' to'} ${endText}`;
}

/** True when the end lies before today, in the precision it was written with: "2020" is over when 2021 begins. */
export const hasEnded = ({ endText }: Pick<StoredEntry, 'endText'>, today: string): boolean =>
  endText !== null && endText < today.slice(0, endText.length);

/** "recorded as ended 2020-02-01" of what is in force all the same; "expected to end 2027-02-01" of a day that is to come. */
export const formatEndInForce = (entry: Pick<StoredEntry, 'current' | 'endText'>, today: string): string =>
  !entry.current || entry.endText === null
    ? ''
    : `${hasEnded(entry, today) || entry.endText === today.slice(0, entry.endText.length) ? 'recorded as ended' : 'expected to end'} ${entry.endText}`;

/** "Active" may only mean that nobody closed the entry; answers say so when the last record of it is older than this. */
export const STALE_YEARS = 10;

/** Marks the date of an entry in force, "‡†": begun before the window; not noted since, or since the day that is named. */
export function formatInForceNote(
  { day = null, dayText }: Pick<StoredEntry, 'dayText'> & { day?: string | null },
  window: Window | null,
  staleSince: string | undefined,
): string {
  const startsBeforeWindow = window !== null && day !== null && day < window.from;
  return `${startsBeforeWindow ? '‡' : ''}${staleSince === undefined ? '' : formatStale(staleSince, dayText)}`;
}

/** "†", or " (last noted 2021-06-01)†" when the record has a later entry. */
export const formatStale = (lastDay: string, dayText: string | null): string =>
  lastDay === dayText ? '†' : ` (last noted ${lastDay})†`;

/** "ruled out 2026-01-01": what other records of the same say against an entry in force; null where none does. */
export const formatDenial = (
  what: string,
  group: Pick<GroupInForce, 'denials' | 'lastDenial'> | undefined,
): string | null =>
  group === undefined || group.denials === 0 ? null : `${what} ${group.lastDenial ?? `(${NO_DATE})`}`;

/** Stand below a table with such marks, once an answer. */
export const STALE_NOTE = `† Not noted since, for over ${STALE_YEARS} years: in force according to the record; it may go on, or nobody closed it.`;
export const WINDOW_NOTE = '‡ Began before this window.';

/** "2021-06-01", or "12 orders, 2019-03-04 to 2021-06-01" */
export function formatOccurrences(entries: readonly StoredEntry[], noun: string): string {
  const [only] = entries;
  if (only !== undefined && entries.length === 1) return formatPeriod(only);
  const days = entries.flatMap(({ dayText }) => dayText ?? []).sort();
  return formatCounts([pluralize(entries.length, noun)], {
    times: entries.length,
    dated: days.length,
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    ...computeEnds(entries),
  });
}

/** How the courses end that a row stands for. */
export interface Ends {
  /** The last end that one of them states, in its precision; null: none states one. */
  lastEnd: string | null;
  /** How many state none, and may go on. */
  openEnds: number;
}

/** True of what has no end, and no status that says that it has ended. */
const mayGoOn = ({
  endText,
  current,
  status,
}: Pick<StoredEntry, 'endText' | 'current' | 'status'>): boolean =>
  endText === null && (current || status === null || !ENDED_STATUSES.includes(status));

/** What ends on the day on which it began is no course: a visit's procedure. */
export function computeEnds(
  entries: readonly Pick<StoredEntry, 'dayText' | 'endText' | 'current' | 'status'>[],
): Ends {
  const ends = entries.flatMap(({ dayText, endText }) => (endText === dayText ? [] : (endText ?? []))).sort();
  return { lastEnd: ends.at(-1) ?? null, openEnds: entries.filter(mayGoOn).length };
}

interface DateSpread extends Partial<Ends> {
  times: number;
  dated: number;
  firstDay: string | null;
  /** The last day on which one of them began. */
  lastDay: string | null;
}

/**
 * "2 orders, 1 statement, 2019-03-04 to 2021-06-01"; "3 visits, 1 of them dated (2015-11-01)"; of courses up to the last end, and
 * "1 without an end" of those that may go on.
 */
export function formatCounts(counts: readonly string[], spread: DateSpread): string {
  const { times, dated, firstDay, lastEnd = null, openEnds = 0 } = spread;
  const open = lastEnd !== null && openEnds > 0 ? [`${formatNumber(openEnds)} without an end`] : [];
  const what = counts.join(', ');
  if (dated === 0) return [what, lastEnd === null ? NO_DATE : `until ${lastEnd}`, ...open].join(', ');
  const days = formatSpan(firstDay, findLastDay(spread));
  const dates = dated === times ? days : `${formatNumber(dated)} of them dated (${days})`;
  return [what, dates, ...open].join(', ');
}

/** The last end of courses, or the last beginning where that is later. */
export const findLastDay = ({
  lastDay,
  lastEnd = null,
}: Pick<DateSpread, 'lastDay' | 'lastEnd'>): string | null =>
  lastDay !== null && (lastEnd === null || lastDay > lastEnd) ? lastDay : lastEnd;

export function formatSpan(first: string | null, last: string | null): string {
  if (first === null || last === null) return NO_DATE;
  return first === last ? first : `${first} to ${last}`;
}
