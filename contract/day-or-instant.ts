import { z } from 'zod';
import { CalendarDay } from './calendar-day.ts';
import { clampInstant, Instant } from './instant.ts';
import { addDays, startOfDay, toDay } from './time-zone.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the organization's time zone, or a time: what bounds a range, whether its answer counts days or moments. */
export const DayOrInstant = z
  .string()
  .superRefine((text, context) => {
    const checked = (DAY.test(text) ? CalendarDay : Instant).safeParse(text);
    const [issue] = checked.error?.issues ?? [];
    if (issue === undefined) return;
    const isOfNeither = !DAY.test(text) && issue.code === 'invalid_format';
    context.addIssue(
      isOfNeither
        ? 'must be a day, such as 2026-01-31, or a date and time with an offset, such as 2026-01-31T12:00:00Z'
        : issue.message,
    );
  })
  .meta({ anyOf: [{ format: 'date' }, { format: 'date-time' }] });

/** What `from` means where an answer counts from a moment on. */
export const FROM_MOMENT =
  "A date and time with an offset, or a day of the organization's time zone, for the moment at which it begins";

/** What `to` means there. */
export const TO_MOMENT =
  "Before this date and time, or, where it is a day of the organization's time zone, before the next day begins: the day is included";

/** What `from` means where an answer counts whole days. */
export const FROM_DAY =
  "The first day, of the organization's time zone; of a date and time with an offset, the day that holds it";

/** What `to` means there. */
export const TO_DAY =
  "The last day, included; of a date and time with an offset, the last day that has begun before it, in the organization's time zone";

/** The moment at which a range begins. */
export const toFirstMoment = (from: string, zone: string): Date =>
  DAY.test(from) ? clampInstant(startOfDay(from, zone)) : new Date(from);

/** The moment before which a range ends: a day is a part of it. */
export function toEndMoment(to: string, zone: string): Date {
  if (!DAY.test(to)) return new Date(to);
  // The last one that there is has no next.
  return clampInstant(
    to === '9999-12-31' ? new Date(`${to}T23:59:59.999Z`) : startOfDay(addDays(to, 1), zone),
  );
}

/** The first day of a range. */
export const toFirstDay = (from: string, zone: string): string =>
  DAY.test(from) ? from : toDay(new Date(from), zone);

/** The last day of a range, which is a part of it. */
export const toLastDay = (to: string, zone: string): string =>
  DAY.test(to) ? to : toDay(new Date(to).getTime() - 1, zone);
