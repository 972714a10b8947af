import { normalizeName } from '../../../clinical/entries/codeable-concept.ts';
import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import {
  CONDITION_NOUN,
  CONDITION_PARTS,
  formatBodySite,
  formatDoubt,
  getConditionKey,
  getSite,
} from './conditions.ts';
import { formatCounts, formatPeriod, formatStale, STALE_NOTE } from './date-text.ts';
import { formatInForce, renderDeathNote } from './death-text.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatThings, pluralize } from './format-number.ts';
import { buildFactTable, join, type Block, type Fact } from './markdown.ts';
import { formatName } from './name-text.ts';
import { separateRuledOut, type Contested } from './ruled-out.ts';
import { listStated, renderStatementList } from './statements.ts';
import { LIMITS, renderGroupLimit, renderRest, type SummaryContext } from './summary.ts';
import {
  buildRows,
  compareNewestFirst,
  computeSpread,
  formatRecorded,
  renderOtherRecords,
  renderSaid,
  type Row,
} from './summary-rows.ts';
import { renderNoneRecorded, renderRecorded } from './withheld-text.ts';

type Group = Contested<EntryGroup<'condition'>>;
type ConditionRow = Row<Group>;

const ENDED_STATUSES = new Set<string | null>(['inactive', 'remission', 'resolved']);

/** Renders conditions by weight: those in force, then those nobody gave a status, then those that are over. */
export function renderConditions(groups: readonly EntryGroup<'condition'>[], context: SummaryContext): Block {
  const { withheld } = context;
  const { ruledOutCount, others } = separateRuledOut(groups);
  const illnesses = others.filter(({ detail }) => !detail.none && !detail.social);
  const statements = buildRows(others.filter(({ detail }) => detail.none));
  const stated = renderStatementList(listStated(statements));
  const rest = [
    renderSocial(buildRows(others.filter(({ detail }) => detail.social)).length),
    ruledOutCount > 0 ? `${pluralize(ruledOutCount, 'condition')} ruled out: see \`get_conditions\`.` : null,
    renderGroupLimit(groups),
  ];
  if (illnesses.length === 0) return [stated ?? renderNoneRecorded(withheld, 'DIAGNOSES'), ...rest];
  const { active, unknown, ended } = classify(illnesses);
  return [
    stated,
    renderActive(active, illnesses, context) ??
      (unknown.length > 0 && ended.length === 0
        ? `No condition has a status ${renderRecorded(withheld)}, so that none is known to be active.`
        : `No active conditions ${renderRecorded(withheld)}.`),
    renderPast(`What was treated, and how often; no status recorded (${countRows(unknown)}):`, unknown, {
      limit: active.length === 0 ? LIMITS.active : LIMITS.over,
    }),
    renderPast(`Resolved or inactive (${countRows(ended)}), the most frequent first:`, ended, {
      limit: LIMITS.over,
    }),
    ...rest,
  ];
}

/** A condition in force, and its records that do not say so. */
interface ActiveRow {
  row: ConditionRow;
  others: Group[];
}

/**
 * Sorts what each record says under its own heading. What has another status than a condition in force is counted in the
 * row of that, and so is what has none and the same name, unless it is about another part of the body.
 */
function classify(illnesses: readonly Group[]) {
  const active = sortByWeight(illnesses.filter(({ current }) => current)).map((row): ActiveRow => ({
    row,
    others: [],
  }));
  const byThing = new Map(active.map((each) => [getConditionKey(each.row[0]), each]));
  const byName = new Map(active.toReversed().map((each) => [normalizeName(each.row[0].title), each]));
  const findRestated = (group: Group): ActiveRow | undefined => {
    const named = isEnded(group) ? undefined : byName.get(normalizeName(group.title));
    const site = getSite(group);
    return (
      byThing.get(getConditionKey(group)) ??
      (named !== undefined && (site === '' || site === getSite(named.row[0])) ? named : undefined)
    );
  };
  const rest = illnesses.filter((group) => {
    if (group.current) return false;
    const restated = findRestated(group);
    restated?.others.push(group);
    return restated === undefined;
  });
  return {
    active,
    unknown: sortByWeight(rest.filter((group) => !isEnded(group))),
    ended: sortByWeight(rest.filter(isEnded)),
  };
}

const isEnded = ({ detail }: Group): boolean => ENDED_STATUSES.has(detail.clinicalStatus);

/** "5 conditions, 7 records": as `get_conditions` counts them. */
const countRows = (rows: readonly ConditionRow[]): string =>
  formatThings(rows.length, computeSpread(rows.flat()).times, CONDITION_NOUN);

/** By weight: how often, then how recently, then how gravely. */
function sortByWeight(groups: readonly Group[]): ConditionRow[] {
  const weighed = buildRows(groups, getConditionKey).map((row) => ({
    row,
    ...computeSpread(row),
    stays: row.reduce((sum, { stays }) => sum + stays, 0),
  }));
  return weighed
    .sort(
      (one, other) => other.times - one.times || compareNewestFirst(one, other) || other.stays - one.stays,
    )
    .map(({ row }) => row);
}

function renderActive(
  active: readonly ActiveRow[],
  illnesses: readonly Group[],
  { today, staleBefore, death }: SummaryContext,
): Block {
  if (active.length === 0) return null;
  const lastDays = new Map(buildRows(illnesses).map((row) => [row[0].groupKey, computeSpread(row).lastDay]));
  const getStaleDay = ({ row: [first] }: ActiveRow): string | null => {
    const day = lastDays.get(first.groupKey) ?? null;
    return day !== null && day < staleBefore ? day : null;
  };
  const shown = active.slice(0, LIMITS.active);
  return [
    `${formatInForce('Active', death)} (${countRows(active.map(({ row }) => row))}):`,
    buildFactTable(
      ['Condition', 'Since', 'Details'],
      shown.map((each) => toActiveFact(each, { staleDay: getStaleDay(each), today })),
    ),
    renderRest(active.length, LIMITS.active, 'get_conditions'),
    renderDeathNote(death),
    shown.some(getStaleDay) ? STALE_NOTE : null,
  ];
}

const renderPast = (heading: string, rows: readonly ConditionRow[], { limit }: { limit: number }): Block =>
  rows.length === 0
    ? null
    : [
        heading,
        buildFactTable(['Condition', 'When', 'Status'], rows.slice(0, limit).map(toPastFact)),
        renderRest(rows.length, limit, 'get_conditions'),
      ];

const renderSocial = (count: number): string | null =>
  count > 0
    ? `Also recorded: ${pluralize(count, 'social circumstance')} (work, schooling, housing), see \`get_conditions\`.`
    : null;

function toActiveFact(
  { row, others }: ActiveRow,
  { staleDay, today }: { staleDay: string | null; today: string },
): Fact {
  const [first] = row;
  return {
    cells: [
      formatName(first.title),
      formatSince(row, staleDay),
      join([
        first.ruledOut,
        ...CONDITION_PARTS.map((part) => renderSaid(row, (group) => part(group, today))),
        renderOtherRecords(others),
      ]),
    ],
    entries: row,
    count: computeSpread(row).times,
  };
}

/** "2011-04-02 (last noted 2019-05-05)†"; of several records the first day, their number and the last. */
function formatSince(row: ConditionRow, staleDay: string | null): string {
  const stale = staleDay === null ? '' : formatStale(staleDay, computeSpread(row).lastDay);
  return `${formatRecorded(row)}${stale}`;
}

function toPastFact(row: ConditionRow): Fact {
  const [first] = row;
  const spread = computeSpread(row);
  const site = formatBodySite(first.detail);
  return {
    cells: [
      join([formatName(first.title), site === '' ? null : `(${site})`], ' '),
      spread.times === 1 ? formatPeriod(first) : formatCounts([pluralize(spread.times, 'time')], spread),
      join([
        renderSaid(row, ({ detail }) => escapeValue(detail.clinicalStatus)),
        renderSaid(row, ({ detail }) => formatDoubt(detail)),
        first.ruledOut,
      ]),
    ],
    entries: row,
    count: spread.times,
  };
}
