import { VITAL_NAMES, type Kind } from '../../../clinical/entries/entry.ts';
import type { RecordHead } from '../../../clinical/sources/record-state.sql.ts';
import {
  MAX_GROUPS,
  type EntryGroup,
  type Holding,
  type LatestVital,
} from '../../../clinical/queries/summary.sql.ts';
import { renderAbsenceNote } from './history.ts';
import { pluralize, renderFactTable, join, joinParagraphs, type Fact } from './markdown.ts';
import { isComplete, formatVital } from './measure-text.ts';
import { formatName } from './name-text.ts';
import { escapeInline } from './escape-markdown.ts';
import { renderAllergyTable, ABSENCE_NOTE, renderStatementTable } from '../tools/get-allergies.ts';
import { renderConditionDetails } from '../tools/get-conditions.ts';
import {
  formatDate,
  formatDateTime,
  formatPeriod,
  STALE_NOTE,
  STALE_YEARS,
  formatStale,
  formatCounts,
  formatStatement,
} from './date-text.ts';
import { subtractYears } from './window.ts';
import { renderNoneRecorded, renderRecorded } from './withheld-text.ts';

/** What a page of each can hold and still be read. */
export const LIMITS = { active: 20, over: 5, current: 25, past: 8, allergies: 25 };

export interface SummaryContext {
  today: string;
  /** What was last noted before is quiet. */
  staleBefore: string;
  /** What the consent leaves out. */
  withheld: number;
}

export function createSummaryContext(now: Date, withheld: number): SummaryContext {
  const today = now.toISOString().slice(0, 10);
  return { today, staleBefore: subtractYears(today, STALE_YEARS), withheld };
}

/** "and 14 more, see get_conditions" */
export const renderRest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${all - shown} more, see \`${tool}\`.` : null;

export const renderGroupLimit = (groups: readonly unknown[]): string | null =>
  groups.length < MAX_GROUPS ? null : `Only the first ${MAX_GROUPS} groups were counted here.`;

export function renderOverview(holdings: readonly Holding[], head: RecordHead | null): string {
  const days = holdings.flatMap(({ firstDay, lastDay }) => [firstDay ?? [], lastDay ?? []].flat()).sort();
  const times = holdings.reduce((sum, { entries }) => sum + entries, 0);
  const undated = holdings.reduce((sum, { undated }) => sum + undated, 0);
  const spread = { times, dated: times - undated, firstDay: days[0] ?? null, lastDay: days.at(-1) ?? null };
  const synchronized = head?.lastSynchronizedAt
    ? `last synchronized ${head.lastSynchronizedAt.slice(0, 10)}`
    : null;
  return `${join([formatCounts([pluralize(times, 'entry', 'entries')], spread), synchronized])}.`;
}

export function renderConditions(
  groups: readonly EntryGroup<'condition'>[],
  { staleBefore, withheld }: SummaryContext,
): string {
  const illnesses = groups.filter(
    ({ detail }) => !detail.none && !detail.social && detail.verification !== 'refuted',
  );
  const active = illnesses.filter(({ current }) => current);
  const others = illnesses.filter(({ current }) => !current);
  const stated = renderStatedList(groups.filter(({ detail }) => detail.none));
  const social = groups.filter(({ detail }) => detail.social).length;
  if (illnesses.length === 0)
    return joinParagraphs(
      stated ?? renderNoneRecorded(withheld, 'DIAGNOSES'),
      renderSocial(social),
      renderGroupLimit(groups),
    );
  const shown = active.slice(0, LIMITS.active);
  const isStale = ({ lastDay }: EntryGroup): boolean => lastDay !== null && lastDay < staleBefore;
  return joinParagraphs(
    stated,
    active.length === 0 ? `No active conditions ${renderRecorded(withheld)}.` : `Active (${active.length}):`,
    active.length === 0
      ? null
      : renderFactTable(
          ['Condition', 'Since', 'Details'],
          shown.map((group) => toActiveFact(group, isStale(group))),
        ),
    renderRest(active.length, LIMITS.active, 'get_conditions'),
    shown.some(isStale) ? STALE_NOTE : null,
    others.length === 0 ? null : `Resolved, inactive or without a status (${others.length}), the newest:`,
    others.length === 0
      ? null
      : renderFactTable(['Condition', 'When', 'Status'], others.slice(0, LIMITS.over).map(toPastFact)),
    renderRest(others.length, LIMITS.over, 'get_conditions'),
    renderSocial(social),
    renderGroupLimit(groups),
  );
}

const renderSocial = (count: number): string | null =>
  count > 0
    ? `Besides, ${pluralize(count, 'social circumstance')} (work, schooling, housing): see \`get_conditions\`.`
    : null;

/** "No information about problems (stated 2020-03-01), Condition/7." */
export function renderStatedList(groups: readonly EntryGroup[]): string | null {
  const all = groups.map(
    (group) => `${formatStatement(formatName(group.title), group)}, ${escapeInline(group.reference)}`,
  );
  return all.length === 0 ? null : `Stated: ${all.join('; ')}.`;
}

const toActiveFact = (group: EntryGroup<'condition'>, isStale: boolean): Fact => ({
  cells: [
    formatName(group.title),
    isStale && group.lastDay !== null
      ? `${formatDate(group)} (${formatStale(group.lastDay, group.dayText)})`
      : formatDate(group),
    renderConditionDetails(group),
  ],
  entries: [group],
});

function toPastFact(group: EntryGroup<'condition'>): Fact {
  const when =
    group.times === 1 ? formatPeriod(group) : formatCounts([pluralize(group.times, 'time')], group);
  return {
    cells: [formatName(group.title), when, escapeInline(group.detail.clinicalStatus ?? 'status not told')],
    entries: [group],
  };
}

export function renderAllergies(
  groups: readonly EntryGroup<'allergy'>[],
  { withheld }: SummaryContext,
): string {
  const allergies = groups.filter(({ detail }) => !detail.none);
  const stated = groups.filter(({ detail }) => detail.none);
  if (groups.length === 0)
    return `${renderNoneRecorded(withheld, 'ALLERGIES')} ${renderAbsenceNote(ABSENCE_NOTE, withheld)}`;
  const inForce = allergies.filter(({ current }) => current);
  const past = allergies.length - inForce.length;
  return joinParagraphs(
    inForce.length > 0 ? renderAllergyTable(inForce.slice(0, LIMITS.allergies), null) : null,
    renderRest(inForce.length, LIMITS.allergies, 'get_allergies'),
    stated.length > 0 ? renderStatementTable(stated) : null,
    past > 0
      ? `${pluralize(past, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
    renderGroupLimit(groups),
  );
}

/** Three readings of each, the newest first; of one day what is whole before what holds a part only. */
export function renderVitals(vitals: readonly LatestVital[], { withheld }: SummaryContext): string {
  const byName = Map.groupBy(vitals, ({ detail }) => detail.vital);
  const facts = VITAL_NAMES.flatMap((name): Fact[] => {
    const [latest, ...previous] = sortCompleteFirst(byName.get(name) ?? []);
    if (latest === undefined) return [];
    const earlier = previous.map((each) => `${formatVital(each)} (${formatDate(each)})`);
    return [
      { cells: [name, formatVital(latest), formatDateTime(latest), earlier.join(', ')], entries: [latest] },
    ];
  });
  return facts.length === 0
    ? renderNoneRecorded(withheld, 'CLINICAL_VITALS')
    : renderFactTable(['Vital sign', 'Latest', 'Date', 'Before'], facts);
}

function sortCompleteFirst(vitals: LatestVital[]): LatestVital[] {
  if (vitals.every(isComplete)) return vitals;
  return [...vitals].sort((one, other) =>
    one.dayText === other.dayText ? Number(isComplete(other)) - Number(isComplete(one)) : 0,
  );
}

const TOOLS_BY_KIND: readonly [Kind, string, string, string][] = [
  ['lab', 'laboratory result', 'laboratory results', 'get_labs'],
  ['procedure', 'procedure', 'procedures', 'get_procedures'],
  ['immunization', 'immunization', 'immunizations', 'get_immunizations'],
  ['visit', 'visit', 'visits', 'get_visits'],
  ['note', 'clinical note', 'clinical notes', 'search_clinical_notes'],
];

/** Where to read on. */
export function renderRemainingKinds(holdings: readonly Holding[]): string {
  const lines = TOOLS_BY_KIND.flatMap(([kind, one, many, tool]) => {
    const holding = holdings.find((each) => each.kind === kind);
    if (!holding) return [];
    const { entries, undated, firstDay, lastDay } = holding;
    const spread = { times: entries, dated: entries - undated, firstDay, lastDay };
    return `- ${formatCounts([pluralize(entries, one, many)], spread)}: \`${tool}\``;
  });
  return lines.length === 0
    ? ''
    : `## Also in this record\n\n${lines.join('\n')}\n- everything by words: \`search\``;
}
