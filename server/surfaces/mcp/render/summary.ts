import type { DataMask } from '../../../../contract/brands.ts';
import { VITAL_NAMES } from '../../../clinical/entries/entry.ts';
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
import { escapeInline } from './escape-markdown.ts';
import { joinParagraphs, pluralize, renderFactTable, type Fact } from './markdown.ts';
import { formatVital, sortCompleteFirst } from './measure-text.ts';
import { formatName, STATUS_NOT_RECORDED } from './name-text.ts';
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
}

export function createSummaryContext(now: Date, withheld: DataMask): SummaryContext {
  const today = now.toISOString().slice(0, 10);
  return { today, staleBefore: subtractYears(today, STALE_YEARS), withheld };
}

/** "and 14 more, see get_conditions" */
export const renderRest = (all: number, shown: number, tool: string): string | null =>
  all > shown ? `… and ${all - shown} more, see \`${tool}\`.` : null;

export const renderGroupLimit = (groups: readonly unknown[]): string | null =>
  groups.length < MAX_GROUPS ? null : `Only the first ${MAX_GROUPS} groups were counted here.`;

export function renderConditions(
  groups: readonly EntryGroup<'condition'>[],
  { staleBefore, withheld }: SummaryContext,
): string {
  const illnesses = groups.filter(
    ({ detail }) => !detail.none && !detail.social && detail.verification !== 'refuted',
  );
  const active = illnesses.filter(({ current }) => current);
  const others = illnesses.filter(({ current }) => !current);
  const stated = renderStatementList(groups.filter(({ detail }) => detail.none));
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
    ? `Also recorded: ${pluralize(count, 'social circumstance')} (work, schooling, housing), see \`get_conditions\`.`
    : null;

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
    cells: [formatName(group.title), when, escapeInline(group.detail.clinicalStatus ?? STATUS_NOT_RECORDED)],
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
    stated.length > 0 ? renderAllergyStatements(stated) : null,
    past > 0
      ? `${pluralize(past, 'inactive, resolved or refuted allergy', 'inactive, resolved or refuted allergies')}: see \`get_allergies\`.`
      : null,
    renderGroupLimit(groups),
  );
}

/** Renders three measurements of each vital sign, newest first; within a day, complete ones before partial ones. */
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
