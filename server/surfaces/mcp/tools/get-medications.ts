import type { GroupInForce, StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { formatInForce, renderDeathNote } from '../render/death-text.ts';
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
  groupByHeading,
  getNoun,
  MEDICATION_HEADINGS,
  formatMedicationStatus,
  type MedicationHeading,
} from '../render/medications.ts';
import { formatOrder, formatReasons } from '../render/context-text.ts';
import { formatName } from '../render/name-text.ts';
import { formatReference } from '../render/reference-text.ts';
import { escapeInline, escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import {
  formatDenial,
  formatInForceNote,
  formatPeriod,
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
      ['Medication', heading === 'Current' ? 'Ordered' : 'When', 'Dosage', 'Status', 'Reason', 'By', 'Note'],
      drugs.map((drug) => toDrugFact(drug, context)),
    ),
    heading === 'Current' ? renderDeathNote(death) : null,
    heading === 'Current' && drugs.some(([primary]) => primary?.day && primary.day < window.from)
      ? WINDOW_NOTE
      : null,
    isStale ? STALE_NOTE : null,
  ];
}

/** The row shows the newest entry in force, else the newest. */
function toDrugFact(drug: Medication[], { heading, window, inForce }: SectionContext): Fact {
  const [primary] = drug as [Medication];
  const { stale } = inForce;
  const { detail } = primary;
  const dosage = detail.dosage ?? drug.find((each) => each.detail.dosage !== null)?.detail.dosage ?? null;
  const isCurrent = heading === 'Current';
  const all = isCurrent ? formatAllOrders(drug, inForce.groups.get(primary.groupKey)) : null;
  const { text, lastDay } = all ?? formatTimes(drug);
  return {
    cells: [
      formatName(primary.title),
      isCurrent
        ? `${text}${formatInForceNote({ day: primary.day, dayText: lastDay }, window, stale.get(primary.groupKey))}`
        : text,
      formatName(dosage),
      isCurrent
        ? (formatDenial('stated as not taken', inForce.groups.get(primary.groupKey)) ?? '')
        : join(
            [
              escapeValue(formatMedicationStatus(primary)),
              detail.intent === 'order' ? null : escapeValue(detail.intent),
            ],
            ', ',
          ),
      formatReasons(primary, detail.reason),
      escapeInline(detail.prescriber, 80) || formatOrder(primary),
      formatRemarks(primary),
    ],
    entries: drug,
    ...(all !== null && { count: all.count }),
  };
}

/**
 * "67 orders, 2011-03-04 to 2024-06-01": of a drug in force all of the record, also those before the window; null where
 * there are no more.
 */
function formatAllOrders(
  drug: readonly Medication[],
  group: GroupInForce | undefined,
): { text: string; lastDay: string | null; count: number } | null {
  if (group === undefined || group.orders + group.statements <= drug.length) return null;
  const { orders, statements, datedOrders, firstOrder, lastOrder } = group;
  const count = orders + statements;
  const counts = [
    ...(orders > 0 ? [pluralize(orders, 'order')] : []),
    ...(statements > 0 ? [pluralize(statements, 'statement')] : []),
  ];
  const spread = { times: count, dated: datedOrders, firstDay: firstOrder, lastDay: lastOrder };
  return { text: formatCounts(counts, spread), lastDay: lastOrder, count };
}

/** What is left of the supply, who gave it, whose name it has, and its note. */
const formatRemarks = ({ detail }: Medication): string =>
  join([
    escapeInline(detail.supply ?? null, 120),
    escapeInline(detail.refills ?? null, 80),
    detail.performer === undefined ? null : `by ${escapeInline(detail.performer, 80)}`,
    detail.nameFrom === undefined ? null : `named by ${formatReference({ reference: detail.nameFrom })}`,
    escapeValue(detail.note),
  ]);

/** "2021-06-01", or "12 orders, 2 statements, 2019-03-04 to 2021-06-01". */
function formatTimes(drug: Medication[]): { text: string; lastDay: string | null } {
  const [only] = drug as [Medication];
  if (drug.length === 1) return { text: formatPeriod(only), lastDay: only.dayText };
  const counts = [...Map.groupBy(drug, getNoun)].map(([noun, all]) => pluralize(all.length, noun));
  const days = drug.flatMap(({ dayText }) => dayText ?? []).sort();
  const lastDay = days.at(-1) ?? null;
  const spread = { times: drug.length, dated: days.length, firstDay: days[0] ?? null, lastDay };
  return { text: formatCounts(counts, spread), lastDay };
}
