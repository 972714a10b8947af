import { z } from 'zod';
import { isFutureDay } from './is-future-day.ts';

/** A calendar day that exists, as YYYY-MM-DD; the store has no year 0. */
export const CalendarDay = z.iso
  .date({ error: 'must be a day of the calendar, such as 2026-01-31', abort: true })
  .refine((day) => day >= '0001', 'must lie in the years 1 to 9999');

export const DateOfBirth = CalendarDay.refine((day) => !isFutureDay(day), 'must not lie in the future');
