import { normalizeName } from '../../../clinical/entries/codeable-concept.ts';
import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import { findLastDay, formatDate, formatPeriod, formatSpan } from './date-text.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatNumber, pluralize } from './format-number.ts';

/** Groups under one heading that are one thing to a reader: a row, of which the first is shown. */
export type Row<G extends EntryGroup = EntryGroup> = readonly [G, ...G[]];

/** Merges groups that are one thing into rows, in the order given; within one, those in force and the fullest first. */
export const buildRows = <G extends EntryGroup>(
  groups: readonly G[],
  toThing: (group: G) => string = ({ groupKey }) => groupKey,
): Row<G>[] =>
  [...Map.groupBy(groups, toThing).values()].map((row) => row.sort(compareFullestFirst) as [G, ...G[]]);

const compareFullestFirst = (one: EntryGroup, other: EntryGroup): number =>
  Number(other.current) - Number(one.current) ||
  (other.informativeness ?? 0) - (one.informativeness ?? 0) ||
  compareNewestFirst(one, other);

export const compareNewestFirst = (
  one: Pick<EntryGroup, 'lastDay'>,
  other: Pick<EntryGroup, 'lastDay'>,
): number => {
  const [day, otherDay] = [one.lastDay ?? '', other.lastDay ?? ''];
  return day === otherDay ? 0 : day < otherDay ? 1 : -1;
};

type Counted = Pick<EntryGroup, 'times' | 'dated' | 'firstDay' | 'lastDay' | 'lastEnd' | 'openEnds'>;

/** Counts the records of several groups, and returns their first and last day, and how they end. */
export function computeSpread(groups: readonly Counted[]): Counted {
  const days = groups
    .flatMap(({ firstDay, lastDay }) => (firstDay && lastDay ? [firstDay, lastDay] : []))
    .sort();
  return {
    times: groups.reduce((sum, { times }) => sum + times, 0),
    dated: groups.reduce((sum, { dated }) => sum + dated, 0),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
    lastEnd:
      groups
        .flatMap(({ lastEnd }) => lastEnd ?? [])
        .sort()
        .at(-1) ?? null,
    openEnds: groups.reduce((sum, { openEnds }) => sum + openEnds, 0),
  };
}

/** "2011-04-02 (3 records, last 2019-05-05)", "2011-04-02 (3 records)" of one day; of a single record its day as it was written. */
export function formatRecorded(row: Row): string {
  const { times, firstDay, lastDay } = computeSpread(row);
  if (times === 1 || firstDay === null || lastDay === null) return formatDate(row[0]);
  const last = firstDay === lastDay ? '' : `, last ${lastDay}`;
  return `${firstDay} (${pluralize(times, 'record')}${last})`;
}

/** How many different statements a cell lists, and after how many characters it stops. */
const SAID_LIMITS = { count: 3, length: 200 };

/** Dosages in force: none is left out for its length. */
export const REGIMEN_LIMITS = { count: 8, length: Infinity };

/**
 * Renders what the records of a row say of one thing: plainly where all say the same, else each statement with the days of
 * the records that make it, "stage I (2015-05-01); stage IV (2024-05-03)".
 */
export function renderSaid<G extends Counted>(
  row: readonly G[],
  say: (group: G) => string,
  limits: typeof SAID_LIMITS = SAID_LIMITS,
): string {
  const bySaid = Map.groupBy(row, (group) => normalizeName(say(group)));
  if (bySaid.size === 1) return say(row[0] as G);
  const isSaidByAll = !bySaid.delete('');
  const all = computeSpread(row);
  let text = '';
  let count = 0;
  for (const groups of bySaid.values()) {
    if (count === limits.count || text.length > limits.length)
      return `${text}; … and ${bySaid.size - count} more`;
    text += `${text === '' ? '' : '; '}${say(groups[0] as G)}${formatWhen(groups, all, isSaidByAll)}`;
    count += 1;
  }
  return text;
}

/** " (2015-05-01 to 2016-01-01)"; " (1 of 3 records)" where all have one date; nothing where no record is silent either. */
function formatWhen(groups: readonly Counted[], all: Counted, isSaidByAll: boolean): string {
  const spread = computeSpread(groups);
  const { times, dated, firstDay } = spread;
  if (dated > 0 && all.firstDay !== all.lastDay) return ` (${formatSpan(firstDay, findLastDay(spread))})`;
  return isSaidByAll ? '' : ` (${formatNumber(times)} of ${pluralize(all.times, 'record')})`;
}

/** "also 2 records resolved (2011-01-02 to 2019-05-05), 1 record without a status": those of a thing under another heading. */
export function renderOtherRecords(
  others: readonly (EntryGroup<'condition'> | EntryGroup<'allergy'>)[],
): string | null {
  if (others.length === 0) return null;
  const counts = [...Map.groupBy(others, ({ detail }) => detail.clinicalStatus)].map(([status, groups]) => {
    const { times } = computeSpread(groups);
    const days = formatOtherDays(groups);
    return `${pluralize(times, 'record')} ${status === null ? 'without a status' : escapeValue(status)}${days === null ? '' : ` (${days})`}`;
  });
  return `also ${counts.join(', ')}`;
}

/** "2021-01-01 to 2024-01-01" where an end is recorded: the first day alone reads as the day of the status. */
function formatOtherDays(groups: readonly EntryGroup[]): string | null {
  const spread = computeSpread(groups);
  const { times, firstDay } = spread;
  const [only] = groups;
  if (only !== undefined && times === 1)
    return only.dayText === null && only.endText === null ? null : formatPeriod(only);
  const endText = findLastDay(spread);
  return endText === null ? null : formatPeriod({ dayText: firstDay, endText });
}
