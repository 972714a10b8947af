import type { PageSelection } from './page.ts';
import { formatNumber } from './format-number.ts';
import { getNextDay, getPreviousDay, type Window } from './window.ts';

/** "since 2023-11-20", "from 2020-04-05 to 2023-04-04" */
export const formatWindow = (window: Window): string =>
  window.before === null ? `since ${window.from}` : `from ${window.from} to ${getPreviousDay(window.before)}`;

export const renderOlderHint = (olderDay: string): string =>
  `The newest earlier date is ${olderDay}: ask again with \`beforeDate\` ${getNextDay(olderDay)}.`;

type Cut = Pick<PageSelection<unknown>, 'nextBeforeDate'>;

/** Of what is omitted: true where the answers to which `nextBeforeDate` leads show it, false where it is passed over. */
export const goesOnWith =
  ({ nextBeforeDate }: Cut) =>
  ({ day }: { day: string | null }): boolean =>
    nextBeforeDate !== null && (day === null || day < nextBeforeDate);

/** Says how much of what belongs to an answer does not fit it, and how it is reached. */
export function renderOmission<Row extends { day: string | null }>(
  { alwaysShown, dated, undated, omitted, nextBeforeDate }: PageSelection<Row>,
  { plural, narrower }: { plural: string; narrower: string },
): string | null {
  if (omitted.length === 0) return null;
  const all = alwaysShown.length + dated.length + undated.length + omitted.length;
  const following = omitted.filter(goesOnWith({ nextBeforeDate })).length;
  const passedOver = omitted.length - following;
  const what = `More ${plural} than one answer holds: ${formatNumber(omitted.length)} of ${formatNumber(all)} that belong here are not listed`;
  if (passedOver === 0) return `${what}; \`nextBeforeDate\` goes on with them.`;
  if (following > 0)
    return `${what}. \`nextBeforeDate\` goes on with ${formatNumber(following)} of them, and passes ${formatNumber(passedOver)} over. ${narrower}`;
  const skipped = nextBeforeDate === null ? '' : ', and `nextBeforeDate` passes them over';
  return `${what}${skipped}. ${narrower}`;
}

/** Renders the last line of every answer with a window, as the specification has it; text from a record can't imitate it. */
export function renderMetadataLine(
  window: Window,
  { dated, nextBeforeDate }: Pick<PageSelection<{ day: string | null }>, 'dated' | 'nextBeforeDate'>,
): string {
  const isCut = nextBeforeDate !== null && nextBeforeDate > window.from;
  const from = isCut ? nextBeforeDate : window.from;
  const parts = [
    `hasMoreData: ${nextBeforeDate !== null}`,
    `dateRange: ${from} to ${findLastDay(window, dated)}`,
  ];
  return [...parts, ...(nextBeforeDate === null ? [] : [`nextBeforeDate: ${nextBeforeDate}`])].join(' | ');
}

/** Returns the last day of the window; one without an end reaches to today, or to the newest entry ahead. */
function findLastDay({ before, today }: Window, dated: readonly { day: string | null }[]): string {
  if (before !== null) return getPreviousDay(before);
  const newest = dated[0]?.day ?? today;
  return newest > today ? newest : today;
}
