import { countListed } from '../usage/sum-usage.ts';

/** A count of an hour, as the service sums usage. */
export interface HourCount {
  at: string;
  count: number;
  refused: number;
  failed: number;
}

/** An hour of a weekday, over some weeks. */
export interface HourCell {
  count: number;
  /** When the newest of these hours that counts began; null: none does. */
  newest: string | null;
}

/** What is counted: the reads that were answered or refused, or the latter alone. */
export type Shown = 'listed' | 'refused';

/** Counts for each weekday from Monday, and each hour of the day, in a time zone. */
export function countByHour(
  hours: readonly HourCount[],
  { timeZone, shown }: { timeZone: string; shown: Shown },
): HourCell[][] {
  const table = WEEKDAYS.map(() => Array.from({ length: 24 }, (): HourCell => ({ count: 0, newest: null })));
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  for (const hour of hours) {
    const count = shown === 'refused' ? hour.refused : countListed(hour);
    const { at } = hour;
    const parts = format.formatToParts(new Date(at));
    const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
    const cell = table[WEEKDAYS.indexOf(read('weekday'))]?.[Number(read('hour'))];
    if (cell === undefined || count === 0) continue;
    cell.count += count;
    if (cell.newest === null || at > cell.newest) cell.newest = at;
  }
  return table;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
