/** A count of an hour, as the service sums usage. */
export interface HourCount {
  at: string;
  count: number;
  refused: number;
}

/** Counts for each weekday from Monday, and each hour of the day, in a time zone. */
export function countByHour(
  hours: readonly HourCount[],
  { timeZone, shown }: { timeZone: string; shown: 'count' | 'refused' },
): number[][] {
  const table = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 0));
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: 'numeric',
    hourCycle: 'h23',
  });
  for (const hour of hours) {
    const parts = format.formatToParts(new Date(hour.at));
    const read = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
    const row = table[WEEKDAYS.indexOf(read('weekday'))];
    const column = Number(read('hour'));
    if (row) row[column] = (row[column] ?? 0) + hour[shown];
  }
  return table;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
