import { dayAfter } from './window.ts';

/** One answer is at most this long (CONTRACT §5). */
export const LONGEST_ANSWER = 60_000;

/** What there is for one answer, each list newest first. */
export interface Page<Row extends { day: string | null }> {
  /** Shown whatever the window. */
  standing: Row[];
  /** Of the window, each with a day. */
  dated: Row[];
  /** Come with the window that has no older neighbour. */
  undated: Row[];
  /** The newest day below the window and below `dated`. */
  olderDay: string | null;
}

/** What of it one answer shows. */
export interface Shown<Row> {
  standing: Row[];
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
export function fit<Row extends { day: string | null }>(
  page: Page<Row>,
  write: (shown: Shown<Row>) => string,
): Shown<Row> {
  const steps = stepsOf(page);
  // The very object that was written, so that a caller who keeps its text need not write it again.
  let found: Shown<Row> | null = null;
  const fits = (index: number): boolean => {
    const shown = steps(index);
    if (write(shown).length > LONGEST_ANSWER) return false;
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
  return squeezed(steps(Math.min(1, steps.count)), write);
}

/** Step k shows the k newest days; a last step adds what has no date, once nothing older is left. */
function stepsOf<Row extends { day: string | null }>(page: Page<Row>) {
  const { standing, dated, undated, olderDay } = page;
  const ends = dated.flatMap(({ day }, index) => (dated[index + 1]?.day === day ? [] : index + 1));
  const undatedNow = olderDay === null && undated.length > 0;
  const next = (days: number): string | null => {
    const unseen = dated[ends[days - 1] ?? 0]?.day ?? olderDay;
    if (unseen !== null) return dayAfter(unseen);
    // Nothing older but what has no date: the window before the oldest day is the one that shows it.
    return undatedNow ? (dated.at(-1)?.day ?? null) : null;
  };
  const step = (index: number): Shown<Row> => {
    const withUndated = undatedNow && index === ends.length + 1;
    const rows = dated.slice(0, ends[Math.min(index, ends.length) - 1] ?? 0);
    const shown = { standing, dated: rows, undated: withUndated ? undated : [], omitted: 0 };
    return { ...shown, nextBeforeDate: withUndated ? null : next(index) };
  };
  return Object.assign(step, { count: ends.length + (undatedNow ? 1 : 0) });
}

/** One day, or what stands whatever the date, is longer than an answer: as many rows as fit, the rest counted. */
function squeezed<Row extends { day: string | null }>(
  whole: Shown<Row>,
  write: (shown: Shown<Row>) => string,
): Shown<Row> {
  const rows = [...whole.dated, ...whole.undated];
  const part = (standing: number, others: number): Shown<Row> => ({
    standing: whole.standing.slice(0, standing),
    dated: whole.dated.slice(0, others),
    undated: whole.undated.slice(0, Math.max(0, others - whole.dated.length)),
    nextBeforeDate: whole.nextBeforeDate,
    omitted: whole.standing.length - standing + (rows.length - others),
  });
  const room = rows.length > 0 ? LONGEST_ANSWER / 2 : LONGEST_ANSWER;
  const standing = most(whole.standing.length, (count) => write(part(count, 0)).length <= room);
  return part(
    standing,
    most(rows.length, (count) => write(part(standing, count)).length <= LONGEST_ANSWER),
  );
}

function most(count: number, fits: (count: number) => boolean): number {
  let fitting = 0;
  let tooMany = count + 1;
  while (tooMany - fitting > 1) {
    const middle = Math.floor((fitting + tooMany) / 2);
    if (fits(middle)) fitting = middle;
    else tooMany = middle;
  }
  return fitting;
}
