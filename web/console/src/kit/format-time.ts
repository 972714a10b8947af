import type { Language } from '../../../kit/languages.ts';

const UNITS = [
  ['year', 365.25 * 86_400_000],
  ['month', 30.44 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** "5 min. ago" or "in 3 hr.", for a time that is `difference` milliseconds from now; less than a minute is "now". */
export function formatRelativeTime(difference: number, language: Language): string {
  const unit = UNITS.find(([, length]) => Math.abs(difference) >= length);
  const [name, length] = unit ?? (['second', Infinity] as const);
  // "hace 10 m" is ten months in Spanish, and would be read as ten minutes.
  const style = name === 'month' ? 'long' : 'short';
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style });
  return format.format(Math.trunc(difference / length), name);
}

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
