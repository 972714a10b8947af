import { z } from 'zod';

/** A calendar day that exists, as YYYY-MM-DD. */
export const CalendarDay = z.iso.date();
