import { dayNumber, dayText, addMonths } from './calendar.ts';

export interface RecordPlan {
  seed: number;
  /** How many years the record spans, whole or not. */
  years: number;
  /** Last day of the record, YYYY-MM-DD. */
  endsOn: string;
  /** How many visits a year, 4 when absent; raises the record's size. */
  visitsPerYear?: number;
  patient?: { firstName: string; lastName: string; birthDate: string };
}

export const planLimits = {
  years: { least: 0.5, most: 70 },
  /** Above 100 two visits would fall on one day. */
  visitsPerYear: { least: 1, most: 100 },
} as const;

const ADULT_MONTHS = 18 * 12;

/** Throws a RangeError with a sentence when no believable record can come of the plan. */
export function checkPlan(plan: RecordPlan): void {
  if (!Number.isSafeInteger(plan.seed) || plan.seed < 0) {
    throw new RangeError('seed must be a whole number from 0');
  }
  within('years', plan.years);
  within('visitsPerYear', plan.visitsPerYear ?? planLimits.visitsPerYear.least);
  existingDay('endsOn', plan.endsOn);
  if (plan.patient === undefined) return;
  existingDay('patient.birthDate', plan.patient.birthDate);
  const adultOn = addMonths(dayNumber(plan.patient.birthDate), ADULT_MONTHS);
  if (adultOn > firstDay(plan)) {
    // The storylines are illnesses of adults: a child with them would not be believable.
    throw new RangeError(
      `the patient is of age on ${dayText(adultOn)}, but the record begins on ${dayText(firstDay(plan))}`,
    );
  }
}

export function firstDay(plan: RecordPlan): number {
  return addMonths(dayNumber(plan.endsOn), -Math.round(plan.years * 12));
}

export function isCalendarDay(text: string): boolean {
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && dayText(dayNumber(text)) === text
  );
}

function within(name: 'years' | 'visitsPerYear', value: number): void {
  const { least, most } = planLimits[name];
  // Negated, so that NaN is refused too.
  if (!(value >= least && value <= most)) {
    throw new RangeError(`${name} must be from ${least} to ${most}`);
  }
}

function existingDay(name: string, value: string): void {
  if (!isCalendarDay(value)) throw new RangeError(`${name} must be a day written as YYYY-MM-DD`);
}
