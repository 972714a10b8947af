import { getPath, readTexts, toElements, type Element } from './element.ts';
import type { EntryBase, MedicationDetail } from './entry.ts';
import { findFirstDate } from './partial-date.ts';

/**
 * Finds the day from which on a drug is to be taken by its dosage, in the precision it was written with: the first of all steps,
 * where each has one. Null where that is the day of the order or statement itself.
 */
export function findCourseStart(dosages: unknown, own: string | null): string | null {
  const starts = toElements(dosages).map(readStart);
  const [first = null] = starts.every((start) => start !== null) ? starts.sort() : [];
  return first === own ? null : first;
}

function readStart(step: Element): string | null {
  const period = getPath(step, 'timing', 'repeat', 'boundsPeriod', 'start');
  return findFirstDate(period, ...readTexts(getPath(step, 'timing', 'event')).sort()).dayText;
}

/** A course that begins later is none that somebody waits for: the dates of such records were shifted to hide them. */
const MAX_YEARS_AHEAD = 5;

/** The last day that may be the beginning of a course to come. */
export const getLastStart = (today: string): string =>
  `${Number(today.slice(0, 4)) + MAX_YEARS_AHEAD}${today.slice(4)}`;

/** Whether a drug is to be taken from a day on that is to come. The same in SQL: `isNotBegun` of `not-begun.sql.ts`. */
export function isNotBegun(medication: Started, today: string): boolean {
  const start = getStart(medication);
  return start !== null && start > today.slice(0, start.length) && start <= getLastStart(today);
}

type Started = Pick<EntryBase, 'dayText'> & { detail: Pick<MedicationDetail, 'begins'> };

export const getStart = ({ dayText, detail }: Started): string | null => detail.begins ?? dayText;
