import type { ConsentDuration } from '../../../../contract/oauth/decision-terms.ts';

type FixedDuration = Extract<ConsentDuration, string>;
/** `as-now`: until the consent in force ends. */
export type DurationChoice = FixedDuration | 'until' | 'as-now';

/** The durations as they are offered to everybody, the shortest first. */
export const DURATIONS: readonly Exclude<DurationChoice, 'as-now'>[] = [
  'once',
  '30-days',
  '90-days',
  '1-year',
  'until',
];

/**
 * Returns what stands there at first: the end of what is in force, for an app and for an organization alike. Who is asked
 * because that end is near is asked for longer. Else the shortest that serves the request.
 */
export function getPresetDuration(asked: {
  isInForce: boolean;
  renews: boolean;
  offlineAccess: boolean;
}): Exclude<DurationChoice, 'until'> {
  if (asked.isInForce && !asked.renews) return 'as-now';
  return asked.offlineAccess ? '90-days' : 'once';
}

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
/** As the service counts them. */
const DURATION_DAYS: Readonly<Record<Exclude<FixedDuration, 'once'>, number>> = {
  '30-days': 30,
  '90-days': 90,
  '1-year': 365,
};

/** Returns the days that `until` may name: from tomorrow on, at most a year ahead. */
export const getSelectableDays = (now: Date): { first: string; last: string } => ({
  first: toIsoDate(addDays(now, 1)),
  // Its midnight is no more than a year from now, whatever daylight saving does meanwhile.
  last: toIsoDate(addDays(now, DURATION_DAYS['1-year'] - 2)),
});

/** For how long, as the review has it. */
export interface ChosenTerm {
  duration: DurationChoice;
  /** The last day of the term `until`. */
  day: string;
  /** When what is shared now ends. */
  sharedUntil?: string | null;
}

/** Returns when a consent given now expires; null when the day is not chosen yet or not allowed. */
export function getExpiry({ duration, day, sharedUntil = null }: ChosenTerm, now: Date): Date | null {
  if (duration === 'as-now') return sharedUntil === null ? null : new Date(sharedUntil);
  if (duration === 'once') return new Date(now.getTime() + HOUR_MS);
  if (duration !== 'until') return addDays(now, DURATION_DAYS[duration]);
  const { first, last } = getSelectableDays(now);
  return day >= first && day <= last ? toEndOfDay(day) : null;
}

/** Returns the midnight that ends a day, in the person's own time zone. */
export function toEndOfDay(day: string): Date {
  const midnight = new Date(`${day}T00:00:00`);
  midnight.setDate(midnight.getDate() + 1);
  return midnight;
}

const addDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/** Formats a date as a date field does, in the person's own time zone. */
const toIsoDate = (time: Date): string =>
  [time.getFullYear(), time.getMonth() + 1, time.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
