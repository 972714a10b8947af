import type { Language } from '../../../kit/languages.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Each with its length, and from how long on times are said in it: "in 1 year" is not in 11 months. */
const UNITS = [
  ['year', 365.25 * DAY, 350 * DAY],
  ['month', 30.44 * DAY, 45 * DAY],
  ['week', 7 * DAY, 14 * DAY],
  ['day', DAY, DAY],
  ['hour', 3_600_000, 3_600_000],
  ['minute', 60_000, 60_000],
] as const;

/** Of longer units the nearest is said; so many whole days, hours or minutes have passed, or are left. */
const ROUNDED: readonly string[] = ['year', 'month', 'week'];

/** "5 min. ago" or "in 3 hr.", for a time that is `difference` milliseconds from now; less than a minute is "now". */
export function formatRelativeTime(difference: number, language: Language): string {
  const unit = UNITS.find(([, , from]) => Math.abs(difference) >= from);
  const [name, length] = unit ?? (['second', Infinity] as const);
  // "hace 10 m" is ten months in Spanish, and would be read as ten minutes; "1 a" is a year.
  const style = length >= DAY ? 'long' : 'short';
  // "Yesterday" would be said of the day before it too, and "next wk." is no time; only "now" is one.
  const format = new Intl.RelativeTimeFormat(language, { numeric: unit ? 'always' : 'auto', style });
  const count = difference / length;
  return format.format(ROUNDED.includes(name) ? Math.round(count) : Math.trunc(count), name);
}

/** Whether a time is known to lie in the hour that is now, of those that are kept by the hour (UTC). */
export const isThisHour = (time: string, now: number): boolean =>
  Math.floor(Date.parse(time) / HOUR) === Math.floor(now / HOUR);

/** The day and the time with its zone, such as "Nov 23, 2026, 6:40:12 AM UTC". */
export const formatExactTime = (time: string, language: Language, timeZone: string | undefined): string =>
  new Intl.DateTimeFormat(language, {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
    ...(timeZone !== undefined && { timeZone }),
  }).format(new Date(time));
