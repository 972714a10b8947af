import { z } from 'zod';
import type { Clock } from '../../../platform/kernel/clock.ts';
import type { DayRange } from '../../../clinical/queries/clinical.sql.ts';

/** The part of a history that one call requests, in calendar days as written. */
export interface Window extends DayRange {
  today: string;
  years: number;
}

const YEARS_FAULT = 'must be a number above 0 and at most 150, such as 3 or 0.5';
const DATE_FAULT = 'must be a day of the calendar after 0001-01-01 written YYYY-MM-DD, such as 2023-04-05';

export const years = z
  .number(YEARS_FAULT)
  .gt(0, YEARS_FAULT)
  .max(150, YEARS_FAULT)
  .describe('Years of history; 0.5 is half a year.');

export const beforeDate = z
  .string(DATE_FAULT)
  .refine(mayEndWindow, DATE_FAULT)
  .describe('Ends the window before this day, YYYY-MM-DD: the nextBeforeDate of the last answer.');

/** The arguments of every history tool. */
export const HistoryWindow = z.strictObject({ years: years.default(3), beforeDate: beforeDate.optional() });

/** Resolves to [beforeDate − years, beforeDate); without `beforeDate`, to `years` before today with no end, future entries included. */
export function resolveWindow(
  clock: Clock,
  input: { years?: number | undefined; beforeDate?: string | undefined },
): Window {
  const today = clock.now().toISOString().slice(0, 10);
  const before = input.beforeDate ?? null;
  const length = input.years ?? 3;
  return { today, before, years: length, from: subtractYears(before ?? today, length) };
}

/**
 * Returns the window that ends at the newest day of a record of which every day lies ahead, as of one whose dates were
 * shifted to hide them; null for any other record (a planned visit is no shifted one), and where the caller said when the window ends.
 */
export function shiftWindow(
  window: Window,
  holdings: readonly { firstDay: string | null; lastDay: string | null }[],
): Window | null {
  const first = holdings.flatMap(({ firstDay }) => firstDay ?? []).sort()[0];
  const last = holdings
    .flatMap(({ lastDay }) => lastDay ?? [])
    .sort()
    .at(-1);
  if (window.before !== null || first === undefined || last === undefined) return null;
  const from = subtractYears(last, window.years);
  return first > window.today && from > window.today ? { ...window, from } : null;
}

/** No day is before the first one: a window that ended there would be empty. */
function mayEndWindow(day: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return false;
  const date = new Date(`${day}T00:00:00Z`);
  return day > FIRST_DAY && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/** PostgreSQL and ISO 8601 disagree about the year 0000. */
const FIRST_DAY = '0001-01-01';

const addDays = (day: string, days: number): string => {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
};

export const getNextDay = (day: string): string => addDays(day, 1);
export const getPreviousDay = (day: string): string => addDays(day, -1);

/** Subtracts whole months by the calendar (2024-02-29 less a year is 2023-02-28) and the rest of a fraction in days. */
export function subtractYears(day: string, years: number): string {
  const months = Math.floor(years * 12 + 1e-9);
  const days = Math.round((years * 12 - months) * 30.4375);
  const [year = 0, month = 1, dayOfMonth = 1] = day.split('-').map(Number);
  const target = year * 12 + (month - 1) - months;
  if (target < 12) return FIRST_DAY;
  const first = `${String(Math.floor(target / 12)).padStart(4, '0')}-${String((target % 12) + 1).padStart(2, '0')}-01`;
  const moved = addDays(first, Math.min(dayOfMonth, getDaysInMonth(first)) - 1 - days);
  const from = moved < day ? moved : getPreviousDay(day);
  return from < FIRST_DAY || from.startsWith('-') ? FIRST_DAY : from;
}

function getDaysInMonth(first: string): number {
  const [year = 0, month = 1] = first.split('-').map(Number);
  const last = new Date(`${first}T00:00:00Z`);
  last.setUTCFullYear(year, month, 0);
  return last.getUTCDate();
}
