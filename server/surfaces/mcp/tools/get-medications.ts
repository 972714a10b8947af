import type { GroupInForce, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { DrugEnd } from '../../../clinical/queries/drug-ends.ts';
import { formatInForce, renderDeathNote } from '../render/death-text.ts';
import { formatDrugEnd } from '../render/drug-end-text.ts';
import { buildHistory } from '../render/history.ts';
import { type Listing } from '../render/listing.ts';
import { pluralize } from '../render/format-number.ts';
import {
  buildFactTable,
  join,
  renderCountedSection,
  renderSection,
  type Block,
  type Counted,
  type Fact,
} from '../render/markdown.ts';
import {
  ENDED_LATER,
  formatCourse,
  formatValidity,
  groupByHeading,
  getNoun,
  MEDICATION_HEADINGS,
  formatMedicationStatus,
  separatePast,
  type MedicationHeading,
} from '../render/medications.ts';
import { formatOrder, formatReasons } from '../render/context-text.ts';
import { formatName } from '../render/name-text.ts';
import { formatReference } from '../render/reference-text.ts';
import { computeSpread, REGIMEN_LIMITS, renderSaid } from '../render/summary-rows.ts';
import { escapeInline, escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import {
  computeEnds,
  formatDenial,
  formatInForceNote,
  STALE_NOTE,
  formatCounts,
  WINDOW_NOTE,
} from '../render/date-text.ts';
import { renderStatementTable } from '../render/statements.ts';

type Medication = StoredEntry<'medication'>;

export const getMedications = defineTool({
  name: 'get_medications',
  title: 'Medications',
  description:
    'Medications with dosing: current ones whatever their date; past, planned, given and dispensed ones of the window. Renewals of a drug are one row.',
  input: HistoryWindow,
  isKept: true,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Medications',
      plural: 'medications',
      subject: { kind: 'medication', alwaysShown: 'current' },
      window: resolveWindow(deps.clock, input),
      render: renderMedicationSections,
    }),
});

interface SectionContext extends Listing<'medication'> {
  heading: MedicationHeading;
}

/** Lists the drugs of which an entry fits, each with all its entries. */
function renderMedicationSections(entries: Medication[], listing: Listing<'medication'>): Block {
  const { window, inForce, omitted } = listing;
  const stated = entries.filter(({ detail }) => detail.none);
  const byHeading = groupByHeading(
    [...entries, ...omitted].filter(({ detail }) => !detail.none),
    window.today,
    inForce.ends,
  );
  const isOmitted = new Set(omitted);
  const count = (drugs: Medication[][]): Counted<Medication[]> => {
    const items = drugs.filter((drug) => drug.some((entry) => !isOmitted.has(entry)));
    return { items, omitted: drugs.length - items.length };
  };
  return [
    ...MEDICATION_HEADINGS.map((heading) =>
      renderCountedSection(
        heading === 'Current' ? formatInForce(heading, inForce.death) : heading,
        count(byHeading.get(heading) ?? []),
        (drugs) => renderDrugTable(drugs, { heading, ...listing }),
      ),
    ),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  ];
}

function renderDrugTable(drugs: readonly Medication[][], context: SectionContext): Block {
  const { heading, window } = context;
  const { stale, death } = context.inForce;
  const isStale = heading === 'Current' && drugs.some(([primary]) => primary && stale.has(primary.groupKey));
  return [
    buildFactTable(
      [
        'Medication',
        isInForceHeading(heading) ? 'Ordered' : 'When',
        'Dosage',
        'Status',
        'Reason',
        'By',
        'Note',
      ],
      drugs.map((drug) => toDrugFact(drug, context)),
    ),
    heading === 'Current' ? renderDeathNote(death) : null,
    heading === 'Current' && drugs.some(([primary]) => primary?.day && primary.day < window.from)
      ? WINDOW_NOTE
      : null,
    isStale ? STALE_NOTE : null,
  ];
}

const isInForceHeading = (heading: MedicationHeading): boolean =>
  heading === 'Current' || heading === ENDED_LATER;

/** The row shows what is in force, else the newest: each dosage, and who ordered each. */
function toDrugFact(drug: Medication[], { heading, window, inForce }: SectionContext): Fact {
  const isCurrent = isInForceHeading(heading);
  const group = isCurrent ? inForce.groups.get(drug[0]?.groupKey ?? '') : undefined;
  const { shown, past } = separatePast(drug, window.today);
  const [primary] = shown as [Medication];
  const over = isCurrent ? countPast(past, group) : null;
  const times = countTimes(shown);
  const lastDay = computeSpread(over === null ? [times] : [times, over]).lastDay;
  const stale = inForce.stale.get(primary.groupKey);
  const say = (each: (medication: Medication) => string, limits?: typeof REGIMEN_LIMITS): string =>
    renderSaid(shown.map(toMember), ({ medication }) => each(medication), limits);
  return {
    cells: [
      formatName(primary.title),
      join([
        shown.length === 1 ? formatCourse(primary, window.today) : formatTimes(times),
        over !== null && over.times > 0 && `past: ${formatTimes(over)}`,
      ]) + (isCurrent ? formatInForceNote({ day: primary.day, dayText: lastDay }, window, stale) : ''),
      say(({ detail: { dosage } }) => formatName(dosage), REGIMEN_LIMITS),
      isCurrent
        ? formatAgainst(inForce.ends.get(primary.groupKey), group)
        : join(
            [
              say((each) => formatMedicationStatus(each, window.today)),
              say(({ detail: { intent } }) => (intent === 'order' ? '' : escapeValue(intent))),
            ],
            ', ',
          ),
      say((each) => formatReasons(each, each.detail.reason)),
      say((each) => escapeInline(each.detail.prescriber, 80) || formatOrder(each)),
      say(formatRemarks),
    ],
    entries: drug,
    ...(over !== null && { count: times.times + over.times }),
  };
}

/** What other records say against a drug in force. */
const formatAgainst = (end: DrugEnd | undefined, group: GroupInForce | undefined): string =>
  join([
    end === undefined ? null : formatDrugEnd(end),
    end?.ending.status === 'not-taken' ? null : formatDenial('stated as not taken', group),
  ]);

/** How many orders, statements, doses or dispenses a row stands for, between which days. */
interface Times extends ReturnType<typeof computeSpread> {
  nouns: string[];
}

const toMember = (medication: Medication) => ({
  medication,
  times: 1,
  dated: medication.dayText === null ? 0 : 1,
  firstDay: medication.dayText,
  lastDay: medication.dayText,
  ...computeEnds([medication]),
});

const countTimes = (drug: readonly Medication[]): Times => ({
  nouns: [...Map.groupBy(drug, getNoun)].map(([noun, all]) => pluralize(all.length, noun)),
  ...computeSpread(drug.map(toMember)),
});

/** What is over of a drug in force in all of the record, also before the window. */
function countPast(past: readonly Medication[], group: GroupInForce | undefined): Times {
  const times = (group?.pastOrders ?? 0) + (group?.pastStatements ?? 0);
  if (group === undefined || times <= past.length) return countTimes(past);
  const { pastOrders, pastStatements, datedPast, firstPast, lastPast, lastPastEnd } = group;
  return {
    nouns: [
      ...(pastOrders > 0 ? [pluralize(pastOrders, 'order')] : []),
      ...(pastStatements > 0 ? [pluralize(pastStatements, 'statement')] : []),
    ],
    times,
    dated: datedPast,
    firstDay: firstPast,
    lastDay: lastPast,
    lastEnd: lastPastEnd,
    openEnds: 0,
  };
}

/** "67 orders, 2011-03-04 to 2024-06-01" */
const formatTimes = ({ nouns, ...spread }: Times): string => formatCounts(nouns, spread);

/** What is left of the supply, who gave it, whose name it has, and its note. */
const formatRemarks = ({ detail }: Medication): string =>
  join([
    escapeInline(detail.supply ?? null, 120),
    formatValidity(detail.validUntil),
    escapeInline(detail.refills ?? null, 80),
    detail.performer === undefined || detail.performer === detail.prescriber
      ? null
      : `by ${escapeInline(detail.performer, 80)}`,
    detail.nameFrom === undefined ? null : `named by ${formatReference({ reference: detail.nameFrom })}`,
    escapeValue(detail.note),
  ]);
