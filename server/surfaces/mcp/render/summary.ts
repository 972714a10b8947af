import { findPressures } from '../../../clinical/entries/blood-pressure.ts';
import type { DataMask } from '../../../../contract/brands.ts';
import { normalizeName } from '../../../clinical/entries/codeable-concept.ts';
import { VITAL_NAMES } from '../../../clinical/entries/entry.ts';
import { isModified, MODIFIED_WORDS } from '../../../clinical/entries/modifiers.ts';
import { MAX_GROUPS, type EntryGroup, type LatestVital } from '../../../clinical/queries/summary.sql.ts';
import { ABSENCE_NOTE, renderAllergyStatements, renderAllergyTable } from './allergies.ts';
import { renderConditionDetails } from './conditions.ts';
import {
  formatCounts,
  formatDate,
  formatDateTime,
  formatPeriod,
  formatStale,
  STALE_NOTE,
  STALE_YEARS,
} from './date-text.ts';
import { formatInForce, renderDeathNote } from './death-text.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatNumber, pluralize } from './format-number.ts';
import { buildFactTable, join, type Fact, type Block } from './markdown.ts';
import { formatVital, sortCompleteFirst } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { formatStatusRemark } from './observation-status.ts';
import { separateRuledOut, type Contested } from './ruled-out.ts';
import { renderStatementList } from './statements.ts';
import { subtractYears } from './window.ts';
import { renderAbsenceNote, renderNoneRecorded, renderRecorded } from './withheld-text.ts';

/** Rows of each section that still make one readable page. */
export const LIMITS = { active: 20, over: 5, current: 25, past: 8, allergies: 25 };

export interface SummaryContext {
  today: string;
  /** Entries last recorded before this day are stale. */
  staleBefore: string;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
  /** "died on 2024-03-03"; null of the living. */
  death: string | null;
}

export function createSummaryContext(now: Date, withheld: DataMask, death: string | null): SummaryContext {
  const today = now.toISOString().slice(0, 10);
  // Of the dead nothing is stale: it is over.
  const staleBefore = death === null ? subtractYears(today, STALE_YEARS) : '';
  return { today, staleBefore, withheld, death };
}

/** "and 14 more, see get_conditions" */
export const renderRest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${formatNumber(all - shown)} more, see \`${tool}\`.` : null;

export const renderGroupLimit = (groups: readonly unknown[]): string | null =>
  groups.length < MAX_GROUPS ? null : `Only the first ${formatNumber(MAX_GROUPS)} groups were counted here.`;

const ENDED_STATUSES = new Set<string | null>(['inactive', 'remission', 'resolved']);

type Conditions = readonly Contested<EntryGroup<'condition'>>[];

/** Renders conditions by weight: those in force, then those nobody gave a status, then those that are over. */
export function renderConditions(groups: readonly EntryGroup<'condition'>[], context: SummaryContext): Block {
  const { withheld } = context;
  const { ruledOut, others } = separateRuledOut(groups);
  const illnesses = others.filter(({ detail }) => !detail.none && !detail.social);
  const stated = renderStatementList(others.filter(({ detail }) => detail.none));
  const rest = [
    renderSocial(others.filter(({ detail }) => detail.social).length),
    ruledOut.length > 0
      ? `${pluralize(ruledOut.length, 'condition')} ruled out: see \`get_conditions\`.`
      : null,
    renderGroupLimit(groups),
  ];
  if (illnesses.length === 0) return [stated ?? renderNoneRecorded(withheld, 'DIAGNOSES'), ...rest];
  const active = illnesses.filter(({ current }) => current);
  const ended = illnesses.filter(
    ({ current, detail }) => !current && ENDED_STATUSES.has(detail.clinicalStatus),
  );
  const named = new Set(active.map(({ title }) => normalizeName(title)));
  const unknown = illnesses.filter(
    (group) => !group.current && !ended.includes(group) && !named.has(normalizeName(group.title)),
  );
  return [
    stated,
    renderActive(active, context) ??
      (unknown.length > 0 && ended.length === 0
        ? `No condition has a status ${renderRecorded(withheld)}, so that none is known to be active.`
        : `No active conditions ${renderRecorded(withheld)}.`),
    renderPast(
      `What was treated, and how often; no status recorded (${formatNumber(unknown.length)}):`,
      unknown,
      {
        limit: active.length === 0 ? LIMITS.active : LIMITS.over,
      },
    ),
    renderPast(`Resolved or inactive (${formatNumber(ended.length)}), the most frequent first:`, ended, {
      limit: LIMITS.over,
    }),
    ...rest,
  ];
}

function renderActive(active: Conditions, { today, staleBefore, death }: SummaryContext): Block {
  if (active.length === 0) return null;
  const isStale = ({ lastDay }: EntryGroup): boolean => lastDay !== null && lastDay < staleBefore;
  const shown = active.slice(0, LIMITS.active);
  return [
    `${formatInForce('Active', death)} (${formatNumber(active.length)}):`,
    buildFactTable(
      ['Condition', 'Since', 'Details'],
      shown.map((group) => toActiveFact(group, { isStale: isStale(group), today })),
    ),
    renderRest(active.length, LIMITS.active, 'get_conditions'),
    renderDeathNote(death),
    shown.some(isStale) ? STALE_NOTE : null,
  ];
}

const renderPast = (heading: string, groups: Conditions, { limit }: { limit: number }): Block =>
  groups.length === 0
    ? null
    : [
        heading,
        buildFactTable(['Condition', 'When', 'Status'], groups.slice(0, limit).map(toPastFact)),
        renderRest(groups.length, limit, 'get_conditions'),
      ];

const renderSocial = (count: number): string | null =>
  count > 0
    ? `Also recorded: ${pluralize(count, 'social circumstance')} (work, schooling, housing), see \`get_conditions\`.`
    : null;

const toActiveFact = (
  group: Conditions[number],
  { isStale, today }: { isStale: boolean; today: string },
): Fact => ({
  cells: [
    formatName(group.title),
    formatSince(group, isStale),
    join([group.ruledOut, renderConditionDetails(group, today)]),
  ],
  entries: [group],
  count: group.times,
});

/** "2011-04-02 (not noted since)"; of several records the first day, their number and the last. */
function formatSince(group: EntryGroup<'condition'>, isStale: boolean): string {
  const { times, firstDay, lastDay } = group;
  if (times > 1 && firstDay !== null && lastDay !== null)
    return `${firstDay} (${pluralize(times, 'record')}, last ${lastDay})${isStale ? '†' : ''}`;
  return isStale && lastDay !== null
    ? `${formatDate(group)}${formatStale(lastDay, group.dayText)}`
    : formatDate(group);
}

function toPastFact(group: Conditions[number]): Fact {
  const when =
    group.times === 1 ? formatPeriod(group) : formatCounts([pluralize(group.times, 'time')], group);
  return {
    cells: [formatName(group.title), when, join([escapeValue(group.detail.clinicalStatus), group.ruledOut])],
    entries: [group],
    count: group.times,
  };
}

export function renderAllergies(
  groups: readonly EntryGroup<'allergy'>[],
  { withheld }: SummaryContext,
): Block {
  const { ruledOut, others } = separateRuledOut(groups);
  const allergies = others.filter(({ detail }) => !detail.none);
  const stated = others.filter(({ detail }) => detail.none);
  if (groups.length === 0)
    return `${renderNoneRecorded(withheld, 'ALLERGIES')} ${renderAbsenceNote(ABSENCE_NOTE, withheld)}`;
  const inForce = allergies.filter(({ current }) => current);
  const past = allergies.length - inForce.length + ruledOut.length;
  return [
    inForce.length > 0 ? renderAllergyTable(inForce.slice(0, LIMITS.allergies), null) : null,
    renderRest(inForce.length, LIMITS.allergies, 'get_allergies'),
    stated.length > 0 ? renderAllergyStatements(stated) : null,
    past > 0
      ? `${pluralize(past, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
    renderGroupLimit(groups),
  ];
}

/** Its status where that is unusual, and that nobody knows what it says: the row is not named by its title. */
const formatVitalRemark = (vital: LatestVital): string =>
  join([formatStatusRemark(vital), isModified(vital) && MODIFIED_WORDS]);

/** Renders three measurements of each vital sign, newest first; within a day, complete ones before partial ones. */
export function renderVitals(vitals: readonly LatestVital[], { withheld }: SummaryContext): Block {
  const byName = Map.groupBy(vitals, ({ detail }) => detail.vital);
  const facts = VITAL_NAMES.flatMap((name): Fact[] => {
    const [latest, ...previous] = sortCompleteFirst(byName.get(name) ?? []);
    if (latest === undefined) return [];
    const written = latest.detail.unit ?? findPressures(latest.detail)?.systolic.unit ?? null;
    const unit = written === null ? '' : ` ${escapeValue(written)}`;
    // The unit stands beside the latest value.
    const earlier = previous.map((each) => {
      const text = formatVital(each);
      const value = unit !== '' && text.endsWith(unit) ? text.slice(0, -unit.length) : text;
      return `${value} (${join([formatDate(each), formatVitalRemark(each)])})`;
    });
    const remark = formatVitalRemark(latest);
    const value = remark === '' ? formatVital(latest) : `${formatVital(latest)} (${remark})`;
    const cells = [name, value, formatDateTime(latest), earlier.join(', ')];
    return [{ cells, entries: [latest] }];
  });
  return facts.length === 0
    ? renderNoneRecorded(withheld, 'CLINICAL_VITALS')
    : buildFactTable(['Vital sign', 'Latest', 'Date', 'Before'], facts);
}
