import type { Language } from './languages.ts';

/** A day in words, in the person's own time zone. */
export const formatDay = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(time));

/** The last day of what ends at `end`: what ends at midnight ends with the day before. */
export const formatLastDay = (end: string, language: Language): string =>
  formatDay(new Date(Date.parse(end) - 1).toISOString(), language);

const HOUR_MS = 3600 * 1000;

/** When ends what was decided at `since`: the day, and the time of what was given for an hour or had no more left. */
export const formatWhenEnds = ({ end, since }: { end: string; since: string }, language: Language): string =>
  Date.parse(end) - Date.parse(since) <= HOUR_MS
    ? formatDateTime(end, language)
    : formatLastDay(end, language);

/** An end is counted a moment before the decision is written. */
const MOMENT_MS = 60_000;

/** True of what was given for one hour. */
export const lastsOneHour = ({ end, since }: { end: string; since: string }): boolean => {
  const lasts = Date.parse(end) - Date.parse(since);
  return lasts <= HOUR_MS && lasts > HOUR_MS - MOMENT_MS;
};

/** The time of day, of what ends within the hour. */
export const formatTime = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { timeStyle: 'short' }).format(new Date(time));

/** The day and the time, where two events of one day have to be distinguished. */
export const formatDateTime = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time));

/** A day of the calendar, such as 2026-11-20, in words. */
export const formatCalendarDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
