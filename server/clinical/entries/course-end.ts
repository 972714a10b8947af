import { getPath, readText, toElements, type Element } from './element.ts';
import { findEndDate, parseDayRange, parsePartialDate } from './partial-date.ts';

/** The last day of a course by the dates of its dosage, in the precision it was written with. */
export interface CourseEnd {
  end: string | null;
  /** It is computed from a duration and the day on which the drug was begun or ordered. */
  isComputed: boolean;
}

const OPEN: CourseEnd = { end: null, isComputed: false };

/** How long one step of a dosage lasts: until a day, or for so many days; null where it does not say. */
type Bound = { until: string } | { days: number };

/**
 * Finds when a drug is taken until: the last end of all steps (a taper), none where a step has no end. How long the
 * prescription may be dispensed (`validityPeriod`) and how long the supply lasts say nothing of it. A duration counts from
 * `start`, a whole day, and is none where refills prolong it, or where nobody says whether several steps follow each other.
 */
export function findCourseEnd(
  dosages: unknown,
  { start, hasRefills }: { start: unknown; hasRefills: boolean },
): CourseEnd {
  const steps = toElements(dosages);
  const bounds = steps.map(readBound);
  if (!bounds.every((bound) => bound !== null)) return OPEN;
  const dates = bounds.flatMap((bound) => ('until' in bound ? bound.until : []));
  const [latest = null] = dates.sort(compareEnds).slice(-1);
  if (dates.length === bounds.length) return { end: latest, isComputed: false };
  const days = sumDays(steps, bounds);
  const computed = days === null || hasRefills ? null : addDays(start, days);
  if (computed === null) return OPEN;
  return latest !== null && compareEnds(latest, computed) >= 0
    ? { end: latest, isComputed: false }
    : { end: computed, isComputed: true };
}

const compareEnds = (one: string, other: string): number =>
  (parseDayRange(one)?.last ?? '').localeCompare(parseDayRange(other)?.last ?? '');

function readBound(step: Element): Bound | null {
  const repeat = getPath(step, 'timing', 'repeat');
  const until = findEndDate(getPath(repeat, 'boundsPeriod', 'end'));
  if (until !== null) return { until };
  const days =
    readDays(getPath(repeat, 'boundsDuration')) ?? readDays(getPath(repeat, 'boundsRange', 'high'));
  return days === null ? null : { days };
}

/** Days in a unit of time by UCUM code; senders write names as well. */
const DAYS_BY_UNIT: readonly [RegExp, number][] = [
  [/^(?:s|sec|min|minute)s?$/, 1 / 1440],
  [/^(?:h|hr|hour)s?$/, 1 / 24],
  [/^(?:d|day)s?$/, 1],
  [/^(?:wk|week)s?$/, 7],
  [/^(?:mo|month)s?$/, 30.5],
  [/^(?:a|y|yr|year)s?$/, 365.25],
];

function readDays(quantity: unknown): number | null {
  const unit = (
    readText(getPath(quantity, 'code')) ??
    readText(getPath(quantity, 'unit')) ??
    ''
  ).toLowerCase();
  const value = readText(getPath(quantity, 'value'));
  const daysOfUnit = DAYS_BY_UNIT.find(([pattern]) => pattern.test(unit))?.[1];
  const isExact = getPath(quantity, 'comparator') === undefined;
  const days = Math.ceil(Number(value ?? Number.NaN) * (daysOfUnit ?? Number.NaN));
  return isExact && days > 0 && Number.isFinite(days) ? days : null;
}

/** Steps of one `sequence` are taken at the same time, those of different ones after each other. */
function sumDays(steps: readonly Element[], bounds: readonly Bound[]): number | null {
  const longest = new Map<string, number>();
  for (const [index, bound] of bounds.entries()) {
    const sequence = readText(steps[index]?.['sequence']) ?? (bounds.length === 1 ? '' : null);
    if (sequence === null) return null;
    const days = 'days' in bound ? bound.days : 0;
    longest.set(sequence, Math.max(longest.get(sequence) ?? 0, days));
  }
  return [...longest.values()].reduce((sum, days) => sum + days, 0);
}

function addDays(start: unknown, days: number): string | null {
  const { day, dayText } = parsePartialDate(start);
  if (day === null || day !== dayText) return null;
  const end = new Date(`${day}T00:00:00Z`);
  end.setUTCDate(end.getUTCDate() + days);
  const text = Number.isNaN(end.getTime()) ? '' : end.toISOString().slice(0, 10);
  return /^\d{4}-/.test(text) ? text : null;
}

/** Statuses that say that something has ended, or was never done: without one, what states no end may go on. */
export const ENDED_STATUSES: readonly string[] =
  'completed stopped ended cancelled inactive resolved remission not-taken not-done declined'.split(' ');
