import { parseDay, formatDay, addMonths } from './calendar.ts';

export interface RecordPlan {
  seed: number;
  /** How many years the record spans, whole or not. */
  years: number;
  /** Last day of the record, YYYY-MM-DD. */
  endsOn: string;
  /** How many visits a year, 4 when absent; raises the record's size. */
  visitsPerYear?: number;
  /** Somebody of another name; of their own age where no birth date is named. */
  patient?: { firstName: string; lastName: string; birthDate?: string };
}

export const PLAN_LIMITS = {
  years: { min: 0.5, max: 70 },
  /** Above 100 two visits would fall on one day. */
  visitsPerYear: { min: 1, max: 100 },
} as const;

const ADULT_MONTHS = 18 * 12;

/** Throws a RangeError with a sentence when no believable record can come of the plan. */
export function validatePlan(plan: RecordPlan): void {
  if (!Number.isSafeInteger(plan.seed) || plan.seed < 0) {
    throw new RangeError('seed must be a whole number from 0');
  }
  requireWithin('years', plan.years);
  requireWithin('visitsPerYear', plan.visitsPerYear ?? PLAN_LIMITS.visitsPerYear.min);
  requireCalendarDay('endsOn', plan.endsOn);
  if (plan.patient?.birthDate === undefined) return;
  requireCalendarDay('patient.birthDate', plan.patient.birthDate);
  const adultOn = addMonths(parseDay(plan.patient.birthDate), ADULT_MONTHS);
  if (adultOn > getFirstDay(plan)) {
    // The storylines are illnesses of adults: a child with them would not be believable.
    throw new RangeError(
      `the patient is of age on ${formatDay(adultOn)}, but the record begins on ${formatDay(getFirstDay(plan))}`,
    );
  }
}

export function getFirstDay(plan: RecordPlan): number {
  return addMonths(parseDay(plan.endsOn), -Math.round(plan.years * 12));
}

export function isCalendarDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && formatDay(parseDay(text)) === text
  );
}

function requireWithin(name: 'years' | 'visitsPerYear', value: number): void {
  const { min, max } = PLAN_LIMITS[name];
  // Negated, so that NaN is refused too.
  if (!(value >= min && value <= max)) {
    throw new RangeError(`${name} must be from ${min} to ${max}`);
  }
}

function requireCalendarDay(name: string, value: string): void {
  if (!isCalendarDay(value)) throw new RangeError(`${name} must be a day written as YYYY-MM-DD`);
}
