import type { Language } from './spoken.ts';

/** A day in words, in the person's own time zone. */
export const dayOf = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(time));

/**
 * The last day of what ends at `end`. A day that was chosen counts until its midnight, UTC: told as any other moment, it
 * would be the day after it to the east of Greenwich.
 */
export const lastDayOf = (end: string, language: Language): string =>
  MIDNIGHT.test(end)
    ? dayIn(new Date(Date.parse(end) - 1).toISOString().slice(0, 10), language)
    : dayOf(end, language);

const MIDNIGHT = /T00:00:00(?:\.0+)?Z$/;

/** The day and the time, where two things of one day have to be told apart. */
export const momentOf = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time));

/** A day of the calendar, such as 2026-11-20, in words. */
export const dayIn = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
