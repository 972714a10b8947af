/** The day of a time in a zone of the IANA database, as YYYY-MM-DD. */
export function toDay(time: Date | number, zone: string): string {
  const parts = readParts(time, zone);
  return `${parts.year.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

const DAY_MS = 24 * 3_600_000;

/** The day that comes so many days after another, or before it. */
export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);

/** The first moment of a day in a zone: midnight, or the hour that the clocks are put forward to where they skip it. */
export function startOfDay(day: string, zone: string): Date {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // The offsets of the day before and of the day after are those that the day may begin with; the earlier time is first.
  const offsets = [midnight - DAY_MS, midnight + DAY_MS].map((time) => getOffset(time, zone));
  const times = offsets.map((offset) => midnight - offset).toSorted((one, other) => one - other);
  return new Date(times.find((time) => toDay(time, zone) === day) ?? midnight);
}

/** How far a zone's clocks are ahead of UTC. */
function getOffset(time: number, zone: string): number {
  const { year, month, day, hour, minute, second } = readParts(time, zone);
  return Date.UTC(+year, +month - 1, +day, +hour, +minute, +second) - time;
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function readParts(time: Date | number, zone: string): Record<Part, string> {
  const format = getFormat(zone);
  return Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value])) as never;
}

/** Making one takes as long as using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 100;

function getFormat(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timeZone, format);
  return format;
}
