import type { Language } from './languages.ts';

/** A day in words, in the person's own time zone. */
export const formatDay = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(time));

/** The last day of what ends at `end`: what ends at midnight ends with the day before. */
export const formatLastDay = (end: string, language: Language): string =>
  formatDay(new Date(Date.parse(end) - 1).toISOString(), language);

/** The day and the time, where two events of one day have to be distinguished. */
export const formatDateTime = (time: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(new Date(time));

/** A day of the calendar, such as 2026-11-20, in words. */
export const formatCalendarDay = (day: string, language: Language): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
