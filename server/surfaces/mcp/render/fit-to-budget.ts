import { getNextDay } from './window.ts';

/** One answer is at most this long (CONTRACT §5). */
export const MAX_RESULT_LENGTH = 60_000;

/** What there is for one answer, each list newest first. */
export interface Page<Row extends { day: string | null }> {
  /** Shown whatever the window. */
  alwaysShown: Row[];
  /** Of the window, each with a day. */
  dated: Row[];
  /** Come with the window that has no older neighbour. */
  undated: Row[];
  /** The newest day below the window and below `dated`. */
  olderDay: string | null;
}

/** What of it one answer shows. */
export interface PageSelection<Row> {
  alwaysShown: Row[];
  dated: Row[];
  undated: Row[];
  /** Where the next answer goes on; null when nothing older is left. */
  nextBeforeDate: string | null;
  /** Rows that no answer with this window will show: more on one day than one answer holds. */
  omitted: number;
}

/**
 * The largest number of newest whole days that fits one answer. Only where a single day is too long for one is
 * something left out, and counted.
 */
export function fitToBudget<Row extends { day: string | null }>(
  page: Page<Row>,
  render: (shown: PageSelection<Row>) => string,
): PageSelection<Row> {
  const steps = buildSteps(page);
  // The very object that was written, so that a caller who keeps its text need not write it again.
  let found: PageSelection<Row> | null = null;
  const fits = (index: number): boolean => {
    const shown = steps(index);
    if (render(shown).length > MAX_RESULT_LENGTH) return false;
    found = shown;
    return true;
  };
  let fitting = 0;
  let tooLong = steps.count + 1;
  // Doubling first: writing all of a long history only to find that it is too long would cost more than the answer.
  for (let next = Math.min(32, steps.count); fitting < next; next = Math.min(next * 2, steps.count)) {
    if (!fits(next)) {
      tooLong = next;
      break;
    }
    fitting = next;
  }
  while (tooLong - fitting > 1) {
    const middle = Math.floor((fitting + tooLong) / 2);
    if (middle <= steps.count && fits(middle)) fitting = middle;
    else tooLong = middle;
  }
  if (fitting > 0 || (steps.count === 0 && fits(0))) return found ?? steps(fitting);
  return truncateDay(steps(Math.min(1, steps.count)), render);
}

/** Step k shows the k newest days; a last step adds what has no date, once nothing older is left. */
function buildSteps<Row extends { day: string | null }>(page: Page<Row>) {
  const { alwaysShown, dated, undated, olderDay } = page;
  const ends = dated.flatMap(({ day }, index) => (dated[index + 1]?.day === day ? [] : index + 1));
  const hasUndated = olderDay === null && undated.length > 0;
  const findNextBefore = (days: number): string | null => {
    const unseen = dated[ends[days - 1] ?? 0]?.day ?? olderDay;
    if (unseen !== null) return getNextDay(unseen);
    // Nothing older but what has no date: the window before the oldest day is the one that shows it.
    return hasUndated ? (dated.at(-1)?.day ?? null) : null;
  };
  const buildStep = (index: number): PageSelection<Row> => {
    const withUndated = hasUndated && index === ends.length + 1;
    const rows = dated.slice(0, ends[Math.min(index, ends.length) - 1] ?? 0);
    const shown = { alwaysShown, dated: rows, undated: withUndated ? undated : [], omitted: 0 };
    return { ...shown, nextBeforeDate: withUndated ? null : findNextBefore(index) };
  };
  return Object.assign(buildStep, { count: ends.length + (hasUndated ? 1 : 0) });
}

/** One day, or what stands whatever the date, is longer than an answer: as many rows as fit, the rest counted. */
function truncateDay<Row extends { day: string | null }>(
  full: PageSelection<Row>,
  render: (shown: PageSelection<Row>) => string,
): PageSelection<Row> {
  const rows = [...full.dated, ...full.undated];
  const takeRows = (alwaysShown: number, others: number): PageSelection<Row> => ({
    alwaysShown: full.alwaysShown.slice(0, alwaysShown),
    dated: full.dated.slice(0, others),
    undated: full.undated.slice(0, Math.max(0, others - full.dated.length)),
    nextBeforeDate: full.nextBeforeDate,
    omitted: full.alwaysShown.length - alwaysShown + (rows.length - others),
  });
  const budget = rows.length > 0 ? MAX_RESULT_LENGTH / 2 : MAX_RESULT_LENGTH;
  const alwaysShown = findLargest(
    full.alwaysShown.length,
    (count) => render(takeRows(count, 0)).length <= budget,
  );
  return takeRows(
    alwaysShown,
    findLargest(rows.length, (count) => render(takeRows(alwaysShown, count)).length <= MAX_RESULT_LENGTH),
  );
}

function findLargest(count: number, fits: (count: number) => boolean): number {
  let fitting = 0;
  let tooMany = count + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
