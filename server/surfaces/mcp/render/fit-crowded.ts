import { findLargest } from './find-largest.ts';
import { fitsOneAnswer, MAX_RESULT_LENGTH } from './fit-length.ts';
import { FIRST_DAYS, type Page, type PageSelection, type RenderSelection } from './page.ts';
import { getNextDay } from './window.ts';

type Dated = { day: string | null };

/**
 * Selects for one answer where what is always shown leaves no place for the window: whole days of both together, the newest
 * first, so that `nextBeforeDate` goes on at the border of a day and following it shows every row once. Where the window is so
 * full that hardly anything in force would be among them, half of the answer is for what is in force: the next answers, which
 * go on with the window, show that again.
 */
export function fitCrowded<Row extends Dated>(
  page: Page<Row>,
  render: RenderSelection<Row>,
): PageSelection<Row> {
  const days = listDays(page);
  const steps = days.length + 1;
  const select = (index: number): PageSelection<Row> =>
    index > days.length ? selectAll(page) : selectSince(page, days[index - 1] ?? AFTER_ALL);
  const count = findLargest(steps, (index) => fitsOneAnswer(render(select(index))), FIRST_DAYS);
  if (count === 0) return truncateDay(page, render, days[0] ?? null);
  const whole = select(count);
  const shared = page.dated.length === 0 ? null : shareAnswer(page, render);
  return shared !== null && isBetter(shared, whole) ? shared : whole;
}

/** Whole days of both repeat nothing: the halves are for where these show hardly anything in force. */
const isBetter = <Row>(shared: PageSelection<Row>, whole: PageSelection<Row>): boolean =>
  shared.alwaysShown.length > 2 * whole.alwaysShown.length;

/** A day after all others, as text. */
const AFTER_ALL = '~';

/** The days of what is always shown and of the window, the newest first, as far as all of their rows are known. */
function listDays<Row extends Dated>({ alwaysShown, dated, readDownTo }: Page<Row>): string[] {
  const days = new Set([...alwaysShown, ...dated].flatMap(({ day }) => day ?? []));
  return [...days]
    .filter((day) => !readDownTo || day >= readDownTo)
    .sort()
    .reverse();
}

const isSince =
  (from: string) =>
  ({ day }: Dated): boolean =>
    day !== null && day >= from;

/** All rows of a day and of those after it. */
const selectSince = <Row extends Dated>(page: Page<Row>, from: string): PageSelection<Row> =>
  complete(page, {
    alwaysShown: page.alwaysShown.filter(isSince(from)),
    dated: page.dated.filter(isSince(from)),
    undated: [],
  });

/** All of what is always shown, and of the window what all days hold; what has no date, where nothing older is left. */
const selectAll = <Row extends Dated>(page: Page<Row>): PageSelection<Row> => {
  const isLast = page.olderDay === null && !page.readDownTo;
  const from = page.readDownTo ?? '';
  return complete(page, {
    alwaysShown: page.readDownTo ? page.alwaysShown.filter(isSince(from)) : page.alwaysShown,
    dated: page.dated.filter(isSince(from)),
    undated: isLast ? page.undated : [],
  });
};

type Shown<Row> = Pick<PageSelection<Row>, 'alwaysShown' | 'dated' | 'undated'>;

/** Adds what of the always-shown rows is left for the next answers, and with which `beforeDate` these begin. */
function complete<Row extends Dated>(
  page: Page<Row>,
  shown: Shown<Row>,
  passedOver?: string,
): PageSelection<Row> {
  const listed = new Set(shown.alwaysShown);
  const omitted = page.alwaysShown.filter((row) => !listed.has(row));
  return { ...shown, omitted, nextBeforeDate: findNextBefore(page, { ...shown, omitted }, passedOver) };
}

/** Finds the day after the newest one of which a row is left; rows of a day that is passed over, and newer ones, do not count. */
function findNextBefore<Row extends Dated>(
  { dated, alwaysShown, undated, olderDay, readDownTo }: Page<Row>,
  shown: Omit<PageSelection<Row>, 'nextBeforeDate'>,
  passedOver: string = AFTER_ALL,
): string | null {
  const left = [...shown.omitted, ...dated.slice(shown.dated.length)].flatMap(({ day }) =>
    day !== null && day < passedOver ? day : [],
  );
  const unseen = findNewest([...left, ...(olderDay === null ? [] : [olderDay])]);
  const next = unseen === null ? null : getNextDay(unseen);
  // All rows of that day were read, and none before it.
  const unread = readDownTo ?? null;
  if (next !== null || unread !== null) return findNewest([next ?? [], unread ?? []].flat());
  // Only rows without a date are left: the window before the oldest day shows them.
  const isDone = undated.length === shown.undated.length && shown.omitted.every(({ day }) => day !== null);
  const oldest = [...alwaysShown, ...dated].flatMap(({ day }) => day ?? []).sort()[0] ?? null;
  return isDone ? null : oldest;
}

const findNewest = (days: readonly string[]): string | null => days.toSorted().at(-1) ?? null;

/** How many of the rows that are always shown fit half of an answer, or all of it where nothing else is to be shown. */
function countFitting<Row extends Dated>(
  rows: readonly Row[],
  render: (shown: readonly Row[]) => string,
  isShared: boolean,
): number {
  const budget = isShared ? MAX_RESULT_LENGTH / 2 : MAX_RESULT_LENGTH;
  return findLargest(rows.length, (count) => {
    const text = render(rows.slice(0, count));
    return text.length <= budget && fitsOneAnswer(text);
  });
}

/**
 * Half of an answer for what is in force, the rest for the newest whole days of the window; null where no day fits. No day of
 * the window is shown that the next answer shows.
 */
function shareAnswer<Row extends Dated>(
  page: Page<Row>,
  render: RenderSelection<Row>,
): PageSelection<Row> | null {
  const nothing = { alwaysShown: [], dated: [], undated: [] };
  const inForce = page.alwaysShown.slice(
    0,
    countFitting(
      page.alwaysShown,
      (rows) => render(complete(page, { ...nothing, alwaysShown: [...rows] })),
      true,
    ),
  );
  const unlisted = page.alwaysShown[inForce.length]?.day ?? '';
  const days = [...new Set(page.dated.flatMap(({ day }) => (day !== null && day > unlisted ? day : [])))];
  const select = (count: number): PageSelection<Row> =>
    complete(page, {
      ...nothing,
      alwaysShown: inForce,
      dated: page.dated.filter(isSince(days[count - 1] ?? AFTER_ALL)),
    });
  const count = findLargest(days.length, (each) => fitsOneAnswer(render(select(each))), FIRST_DAYS);
  return count === 0 ? null : select(count);
}

/**
 * Selects as many rows as fit of the newest day, where that alone is longer than an answer, or of what has no date; names the
 * rest, which `nextBeforeDate` passes over. Beside a day of the window half of the answer is for what is in force.
 */
function truncateDay<Row extends Dated>(
  page: Page<Row>,
  render: RenderSelection<Row>,
  newest: string | null,
): PageSelection<Row> {
  const { byWeight } = page;
  const isOfDay = ({ day }: Row): boolean => day === newest;
  const ofDay = page.alwaysShown.filter(isOfDay);
  const candidates = [
    ...(byWeight === undefined ? ofDay : ofDay.toSorted(byWeight)),
    ...page.alwaysShown.filter((row) => !isOfDay(row)),
  ];
  const rows = newest === null ? (page.olderDay === null ? page.undated : []) : page.dated.filter(isOfDay);
  const take = (inForce: number, others: number): PageSelection<Row> => {
    const shown = rows.slice(0, others);
    const selection = complete(
      page,
      {
        alwaysShown: candidates.slice(0, inForce),
        dated: newest === null ? [] : shown,
        undated: newest === null ? shown : [],
      },
      newest ?? undefined,
    );
    return { ...selection, omitted: [...selection.omitted, ...rows.slice(others)] };
  };
  const inForce = countFitting(candidates, (shown) => render(take(shown.length, 0)), rows.length > 0);
  return take(
    inForce,
    findLargest(rows.length, (count) => fitsOneAnswer(render(take(inForce, count)))),
  );
}
