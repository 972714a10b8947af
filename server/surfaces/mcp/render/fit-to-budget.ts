import { findLargest } from './find-largest.ts';
import { fitsOneAnswer, MAX_RESULT_LENGTH } from './fit-length.ts';
import { getNextDay } from './window.ts';

/** The candidates for one answer, each list newest first. */
export interface Page<Row extends { day: string | null }> {
  /** Rows that are shown whatever the window. */
  alwaysShown: Row[];
  /** Rows of the window, each with a day. */
  dated: Row[];
  /** Rows without a day, which the window without an older neighbour shows. */
  undated: Row[];
  /** The newest day below the window and below `dated`. */
  olderDay: string | null;
  /** Which of the rows that are always shown come first where not all fit; absent: the newest. */
  byWeight?: ((one: Row, other: Row) => number) | undefined;
}

/** The rows that one answer shows. */
export interface PageSelection<Row> {
  alwaysShown: Row[];
  dated: Row[];
  undated: Row[];
  /** The `beforeDate` of the next answer; null when nothing older is left. */
  nextBeforeDate: string | null;
  /** Rows that this answer should show, and no other does: one day, or what is always shown, has more than it holds. */
  omitted: Row[];
}

/**
 * Selects as many of the newest whole days as fit one answer. Rows are omitted, and counted, only where a single day is too
 * long for an answer.
 */
export function fitToBudget<Row extends { day: string | null }>(
  page: Page<Row>,
  render: (shown: PageSelection<Row>) => string,
): PageSelection<Row> {
  const steps = buildSteps(page);
  // The same object that was rendered, so that a caller who caches the text by object need not render it again.
  let found: PageSelection<Row> | null = null;
  const fits = (index: number): boolean => {
    const shown = steps(index);
    if (!fitsOneAnswer(render(shown))) return false;
    found = shown;
    return true;
  };
  let fitting = 0;
  let tooLong = steps.count + 1;
  // Doubling first: rendering all of a long history only to find it too long would cost more than the answer itself.
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
  const day = steps(Math.min(1, steps.count));
  const { alwaysShown, byWeight } = page;
  return truncateDay(
    byWeight === undefined ? day : { ...day, alwaysShown: alwaysShown.toSorted(byWeight) },
    render,
  );
}

/** Step k shows the k newest days; when nothing older is left, a last step adds the rows without a date. */
function buildSteps<Row extends { day: string | null }>(page: Page<Row>) {
  const { alwaysShown, dated, undated, olderDay } = page;
  const ends = dated.flatMap(({ day }, index) => (dated[index + 1]?.day === day ? [] : index + 1));
  const hasUndated = olderDay === null && undated.length > 0;
  const findNextBefore = (days: number): string | null => {
    const unseen = dated[ends[days - 1] ?? 0]?.day ?? olderDay;
    if (unseen !== null) return getNextDay(unseen);
    // Only rows without a date are left: the window before the oldest day shows them.
    return hasUndated ? (dated.at(-1)?.day ?? null) : null;
  };
  const buildStep = (index: number): PageSelection<Row> => {
    const withUndated = hasUndated && index === ends.length + 1;
    const rows = dated.slice(0, ends[Math.min(index, ends.length) - 1] ?? 0);
    const shown = { alwaysShown, dated: rows, undated: withUndated ? undated : [], omitted: [] };
    return { ...shown, nextBeforeDate: withUndated ? null : findNextBefore(index) };
  };
  return Object.assign(buildStep, { count: ends.length + (hasUndated ? 1 : 0) });
}

/** Selects as many rows as fit and names the rest, where one day, or what is always shown, is longer than an answer. */
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
    omitted: [...full.alwaysShown.slice(alwaysShown), ...rows.slice(others)],
  });
  const budget = rows.length > 0 ? MAX_RESULT_LENGTH / 2 : MAX_RESULT_LENGTH;
  const alwaysShown = findLargest(full.alwaysShown.length, (count) => {
    const text = render(takeRows(count, 0));
    return text.length <= budget && fitsOneAnswer(text);
  });
  return takeRows(
    alwaysShown,
    findLargest(rows.length, (count) => fitsOneAnswer(render(takeRows(alwaysShown, count)))),
  );
}
