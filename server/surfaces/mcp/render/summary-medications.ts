import type { DrugEnd } from '../../../clinical/queries/drug-ends.ts';
import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import { formatNumber, pluralize } from './format-number.ts';
import { join, buildFactTable, type Fact, type Block } from './markdown.ts';
import {
  ENDED_LATER,
  formatBeginning,
  NOT_BEGUN,
  groupByHeading,
  getNoun,
  formatExpiry,
  formatMedicationStatus,
  separatePast,
  type DrugEnds,
  type MedicationHeading,
} from './medications.ts';
import { formatInForce, renderDeathNote } from './death-text.ts';
import { formatDrugEnd } from './drug-end-text.ts';
import { formatNames, formatName, formatWords, STATUS_NOT_RECORDED } from './name-text.ts';
import { formatReference } from './reference-text.ts';
import { formatPeriod, STALE_NOTE, formatStale, formatCounts } from './date-text.ts';
import { renderNoneRecorded, renderRecorded } from './withheld-text.ts';
import { renderGroupLimit, LIMITS, renderRest, type SummaryContext } from './summary.ts';
import { renderStatementList } from './statements.ts';
import { compareNewestFirst, computeSpread, REGIMEN_LIMITS, renderSaid } from './summary-rows.ts';

/** The groups of one drug under one heading, those in force first. */
type Group = EntryGroup<'medication'>;
type Drug = Group[];

const HEADINGS = ['Medication', 'Ordered', 'Dosage', 'Reason'];

export function renderMedications(
  groups: readonly Group[],
  ends: DrugEnds,
  { today, staleBefore, withheld, death }: SummaryContext,
): Block {
  const drugs = groups.filter(({ detail }) => !detail.none);
  const stated = renderStatementList(groups.filter(({ detail }) => detail.none));
  if (drugs.length === 0) return stated ?? renderNoneRecorded(withheld, 'MEDICATIONS');
  const byHeading = groupByHeading(drugs, today, ends);
  const getDrugs = (...names: MedicationHeading[]): Drug[] =>
    names.flatMap((name) => byHeading.get(name) ?? []);
  const current = getDrugs('Current');
  const lastDayByDrug = findLastDays(drugs.filter(({ status }) => !UNCONFIRMING.has(status)));
  const denials = new Map(
    drugs.flatMap((group) => (group.status === 'not-taken' ? [[group.groupKey, group] as const] : [])),
  );
  const getStaleDay = (drug: Drug): string | null => {
    const day = lastDayByDrug.get(drug[0]?.groupKey ?? '');
    return day !== undefined && day < staleBefore ? day : null;
  };
  const shown = current.slice(0, LIMITS.current);
  return [
    stated,
    current.length === 0
      ? `No current medications ${renderRecorded(withheld)}.`
      : `${formatInForce('Current', death)} (${formatNumber(current.length)}):`,
    renderFacts(
      HEADINGS,
      shown.map((drug) =>
        toDrugFact(drug, {
          today,
          staleSince: getStaleDay(drug),
          denial: denials.get(drug[0]?.groupKey ?? ''),
          end: ends.get(drug[0]?.groupKey ?? ''),
        }),
      ),
    ),
    renderRest(current.length, LIMITS.current, 'get_medications'),
    current.length > 0 ? renderDeathNote(death) : null,
    shown.some(getStaleDay) ? STALE_NOTE : null,
    renderDrugs(NOT_BEGUN, getDrugs(NOT_BEGUN), (drug) => toDrugFact(drug, { today })),
    renderDrugs(ENDED_LATER, getDrugs(ENDED_LATER), (drug) =>
      toDrugFact(drug, { today, end: ends.get(drug[0]?.groupKey ?? '') }),
    ),
    renderDrugs('Not to be given', getDrugs('Not to be given'), (drug) => toDrugFact(drug, { today })),
    renderPast(getDrugs('On hold', 'Past', 'Status not recorded', 'Not taken').sort(compareDrugs), today),
    renderOthers(byHeading),
    renderGroupLimit(groups),
  ];
}

const renderDrugs = (heading: MedicationHeading, drugs: Drug[], toFact: (drug: Drug) => Fact): Block =>
  drugs.length === 0
    ? null
    : [
        `${heading} (${formatNumber(drugs.length)}):`,
        renderFacts(HEADINGS, drugs.slice(0, LIMITS.current).map(toFact)),
        renderRest(drugs.length, LIMITS.current, 'get_medications'),
      ];

const renderPast = (drugs: Drug[], today: string): Block =>
  drugs.length === 0
    ? null
    : [
        `No longer current, or of unknown status (${formatNumber(drugs.length)}), the newest:`,
        renderFacts(
          [...HEADINGS.slice(0, -1), 'Status'],
          drugs.slice(0, LIMITS.past).map((drug) => toPastFact(drug, today)),
        ),
        renderRest(drugs.length, LIMITS.past, 'get_medications'),
      ];

const renderFacts = (headings: string[], facts: Fact[]): Block =>
  facts.length === 0 ? null : buildFactTable(headings, facts);

/** What was not given confirms nothing. */
const UNCONFIRMING = new Set<string | null>(['not-taken', 'not-done', 'declined']);

/** Finds the newest day of each drug in entries of any kind: a drug that is still dispensed is not stale. */
function findLastDays(groups: readonly Group[]): Map<string, string> {
  const days = new Map<string, string>();
  for (const { groupKey, lastDay } of groups)
    if (lastDay !== null && lastDay > (days.get(groupKey) ?? '')) days.set(groupKey, lastDay);
  return days;
}

const compareDrugs = (one: Drug, other: Drug): number =>
  compareNewestFirst(computeSpread(one), computeSpread(other));

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function formatOrders(groups: readonly Group[]): string {
  const [only] = groups;
  const spread = computeSpread(groups);
  return only !== undefined && spread.times === 1 ? formatPeriod(only) : formatCounted(groups, spread);
}

function formatCounted(groups: readonly Group[], spread = computeSpread(groups)): string {
  const counts = new Map<string, number>();
  for (const group of groups) counts.set(getNoun(group), (counts.get(getNoun(group)) ?? 0) + group.times);
  return formatCounts(
    [...counts].map(([noun, count]) => pluralize(count, noun)),
    spread,
  );
}

interface DrugContext {
  today: string;
  staleSince?: string | null;
  denial?: Group | undefined;
  end?: DrugEnd | undefined;
}

/** The row of a drug in force: each dosage of what is in force, and apart from these how many orders are over. */
function toDrugFact(drug: Drug, { today, staleSince, denial, end }: DrugContext): Fact {
  const { shown, past } = separatePast(drug, today);
  const [primary] = shown as [Group];
  const mark = staleSince ? formatStale(staleSince, computeSpread(drug).lastDay) : '';
  return {
    cells: [
      formatName(primary.title),
      join([
        formatOrders(shown) + (past.length === 0 ? mark : ''),
        past.length > 0 && `past: ${formatCounted(past)}${mark}`,
        renderSaid(shown, (each) => formatBeginning(each, today) ?? ''),
        end !== undefined && formatDrugEnd(end),
        formatExpiry(shown, today),
        denial !== undefined &&
          denial.reference !== end?.ending.reference &&
          join(['stated as not taken', denial.lastDay, `(${formatReference(denial)})`], ' '),
      ]),
      renderSaid(shown, ({ detail }) => formatWords(detail.dosage, 200), REGIMEN_LIMITS),
      renderSaid(shown, ({ detail }) => formatNames(detail.reason, 120)),
    ],
    entries: shown,
    count: computeSpread(drug).times,
  };
}

/** The row of a drug that is over: its orders are not compared, so that the dosage of one of several has its day. */
function toPastFact(drug: Drug, today: string): Fact {
  const [primary] = drug as [Group];
  const { times } = computeSpread(drug);
  const dosage = formatWords(primary.detail.dosage, 200);
  const day = times > 1 && dosage !== '' && primary.dayText !== null ? `(${primary.dayText})` : null;
  return {
    cells: [
      formatName(primary.title),
      formatOrders(drug),
      join([dosage, day], ' '),
      renderSaid(drug, (each) => formatMedicationStatus(each, today) || STATUS_NOT_RECORDED),
    ],
    entries: drug,
    count: times,
  };
}

/** Counts what follows from orders, and what is not ordered yet. */
function renderOthers(byHeading: ReadonlyMap<MedicationHeading, Drug[]>): string | null {
  const parts = (['Planned or proposed', 'Given', 'Dispensed'] as const).flatMap((heading) => {
    const count = byHeading.get(heading)?.length ?? 0;
    return count === 0 ? [] : `${count} ${heading.toLowerCase()}`;
  });
  return parts.length === 0 ? null : `Also recorded: ${parts.join(', ')}, see \`get_medications\`.`;
}
