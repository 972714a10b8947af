import { findLargest } from './find-largest.ts';
import { fitCrowded } from './fit-crowded.ts';
import { fitsOneAnswer } from './fit-length.ts';
import { FIRST_DAYS, type Page, type PageSelection, type RenderSelection } from './page.ts';
import { getNextDay } from './window.ts';

/**
 * Selects what is always shown, and as many of the newest whole days of the window as fit one answer beside it. Where it leaves
 * no place for a day, or was not read whole, it is cut at the border of a day as well (`fitCrowded`).
 */
export function fitToBudget<Row extends { day: string | null }>(
  page: Page<Row>,
  render: RenderSelection<Row>,
): PageSelection<Row> {
  if (page.readDownTo) return fitCrowded(page, render);
  const steps = buildSteps(page);
  // The same object that was rendered, so that a caller who caches the text by object need not render it again.
  let found: PageSelection<Row> | null = null;
  const fits = (index: number): boolean => {
    const shown = steps(index);
    if (!fitsOneAnswer(render(shown))) return false;
    found = shown;
    return true;
  };
  const fitting = findLargest(steps.count, fits, FIRST_DAYS);
  if (fitting > 0 || (steps.count === 0 && fits(0))) return found ?? steps(fitting);
  return fitCrowded(page, render);
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
