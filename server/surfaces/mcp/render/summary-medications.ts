import type { EntryGroup } from '../../../clinical/queries/summary.sql.ts';
import { formatNumber, pluralize } from './format-number.ts';
import { join, buildFactTable, type Fact, type Block } from './markdown.ts';
import { groupByHeading, getNoun, formatMedicationStatus, type MedicationHeading } from './medications.ts';
import { formatInForce, renderDeathNote } from './death-text.ts';
import { formatNames, formatName, formatWords, STATUS_NOT_RECORDED } from './name-text.ts';
import { escapeValue } from './escape-markdown.ts';
import { formatReference } from './reference-text.ts';
import { formatPeriod, STALE_NOTE, formatStale, formatCounts } from './date-text.ts';
import { renderNoneRecorded, renderRecorded } from './withheld-text.ts';
import { renderGroupLimit, LIMITS, renderRest, type SummaryContext } from './summary.ts';
import { renderStatementList } from './statements.ts';

/** The groups of one drug under one heading, those in force first. */
type Drug = EntryGroup<'medication'>[];

export function renderMedications(
  groups: readonly EntryGroup<'medication'>[],
  { today, staleBefore, withheld, death }: SummaryContext,
): Block {
  const drugs = groups.filter(({ detail }) => !detail.none);
  const stated = renderStatementList(groups.filter(({ detail }) => detail.none));
  if (drugs.length === 0) return stated ?? renderNoneRecorded(withheld, 'MEDICATIONS');
  const byHeading = groupByHeading(drugs, today);
  const getDrugs = (...names: MedicationHeading[]): Drug[] =>
    names.flatMap((name) => byHeading.get(name) ?? []);
  const current = getDrugs('Current');
  const past = getDrugs('On hold', 'Past', 'Status not recorded', 'Not taken').sort(compareNewestFirst);
  const forbidden = getDrugs('Not to be given');
  const lastDayByDrug = findLastDays(drugs.filter(({ status }) => !UNCONFIRMING.has(status)));
  const denials = new Map(
    drugs.flatMap((group) => (group.status === 'not-taken' ? [[group.groupKey, group] as const] : [])),
  );
  const getStaleDay = (drug: Drug): string | null => {
    const day = lastDayByDrug.get(drug[0]?.groupKey ?? '');
    return day !== undefined && day < staleBefore ? day : null;
  };
  const shown = current.slice(0, LIMITS.current);
  const headings = ['Medication', 'Ordered', 'Dosage'];
  return [
    stated,
    current.length === 0
      ? `No current medications ${renderRecorded(withheld)}.`
      : `${formatInForce('Current', death)} (${formatNumber(current.length)}):`,
    renderFacts(
      [...headings, 'Reason'],
      shown.map((drug) => toDrugFact(drug, getStaleDay(drug), denials.get(drug[0]?.groupKey ?? ''))),
    ),
    renderRest(current.length, LIMITS.current, 'get_medications'),
    current.length > 0 ? renderDeathNote(death) : null,
    shown.some(getStaleDay) ? STALE_NOTE : null,
    forbidden.length === 0 ? null : `Not to be given (${formatNumber(forbidden.length)}):`,
    renderFacts(
      [...headings, 'Reason'],
      forbidden.slice(0, LIMITS.current).map((drug) => toDrugFact(drug, null)),
    ),
    renderRest(forbidden.length, LIMITS.current, 'get_medications'),
    past.length === 0
      ? null
      : `No longer current, or of unknown status (${formatNumber(past.length)}), the newest:`,
    renderFacts([...headings, 'Status'], past.slice(0, LIMITS.past).map(toPastFact)),
    renderRest(past.length, LIMITS.past, 'get_medications'),
    renderOthers(byHeading),
    renderGroupLimit(groups),
  ];
}

const renderFacts = (headings: string[], facts: Fact[]): Block =>
  facts.length === 0 ? null : buildFactTable(headings, facts);

/** What was not given confirms nothing. */
const UNCONFIRMING = new Set<string | null>(['not-taken', 'not-done', 'declined']);

/** Finds the newest day of each drug in entries of any kind: a drug that is still dispensed is not stale. */
function findLastDays(groups: readonly EntryGroup<'medication'>[]): Map<string, string> {
  const days = new Map<string, string>();
  for (const { groupKey, lastDay } of groups)
    if (lastDay !== null && lastDay > (days.get(groupKey) ?? '')) days.set(groupKey, lastDay);
  return days;
}

const findLastDay = (drug: Drug): string => computeSpread(drug).lastDay ?? '';
const compareNewestFirst = (one: Drug, other: Drug): number =>
  findLastDay(one) < findLastDay(other) ? 1 : -1;

function computeSpread(drug: Drug) {
  const [only] = drug;
  if (drug.length === 1 && only) return only;
  const days = drug
    .flatMap(({ firstDay, lastDay }) => (firstDay && lastDay ? [firstDay, lastDay] : []))
    .sort();
  return {
    times: drug.reduce((sum, { times }) => sum + times, 0),
    dated: drug.reduce((sum, { dated }) => sum + dated, 0),
    firstDay: days[0] ?? null,
    lastDay: days.at(-1) ?? null,
  };
}

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function formatOrders(drug: Drug): string {
  const [primary] = drug as [EntryGroup<'medication'>];
  const spread = computeSpread(drug);
  if (spread.times === 1) return formatPeriod(primary);
  const counts = new Map<string, number>();
  for (const group of drug) counts.set(getNoun(group), (counts.get(getNoun(group)) ?? 0) + group.times);
  return formatCounts(
    [...counts].map(([noun, count]) => pluralize(count, noun)),
    spread,
  );
}

function toDrugFact(drug: Drug, staleSince: string | null, denial?: EntryGroup<'medication'>): Fact {
  const [primary] = drug as [EntryGroup<'medication'>];
  const mark = staleSince === null ? '' : formatStale(staleSince, computeSpread(drug).lastDay);
  const orders = `${formatOrders(drug)}${mark}`;
  return {
    cells: [
      formatName(primary.title),
      denial === undefined
        ? orders
        : join([orders, join(['stated as not taken', denial.lastDay, `(${formatReference(denial)})`], ' ')]),
      formatWords(primary.detail.dosage, 200),
      formatNames(primary.detail.reason, 120),
    ],
    entries: [primary],
    count: computeSpread(drug).times,
  };
}

function toPastFact(drug: Drug): Fact {
  const [primary] = drug as [EntryGroup<'medication'>];
  const status = escapeValue(formatMedicationStatus(primary) ?? STATUS_NOT_RECORDED);
  return {
    cells: [formatName(primary.title), formatOrders(drug), formatWords(primary.detail.dosage, 200), status],
    entries: [primary],
    count: computeSpread(drug).times,
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
