import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory, type StaleGroups } from '../render/history.ts';
import {
  pluralize,
  buildFactTable,
  join,
  renderCountedSection,
  renderSection,
  type Block,
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
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
import {
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
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Medications',
      plural: 'medications',
      subject: { kind: 'medication', alwaysShown: 'current' },
      window: resolveWindow(deps.clock, input),
      render: renderMedicationSections,
    }),
});

interface SectionContext {
  heading: MedicationHeading;
  window: Window;
  stale: StaleGroups;
}

function renderMedicationSections(entries: Medication[], window: Window, stale: StaleGroups): Block {
  const stated = entries.filter(({ detail }) => detail.none);
  const byHeading = groupByHeading(
    entries.filter(({ detail }) => !detail.none),
    window.today,
  );
  return [
    ...MEDICATION_HEADINGS.map((heading) =>
      renderCountedSection(heading, byHeading.get(heading) ?? [], (drugs) =>
        renderDrugTable(drugs, { heading, window, stale }),
      ),
    ),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  ];
}

function renderDrugTable(drugs: readonly Medication[][], context: SectionContext): Block {
  const { heading, stale, window } = context;
  const isStale = heading === 'Current' && drugs.some(([primary]) => primary && stale.has(primary.groupKey));
  return [
    buildFactTable(
      ['Medication', heading === 'Current' ? 'Ordered' : 'When', 'Dosage', 'Status', 'Reason', 'By', 'Note'],
      drugs.map((drug) => toDrugFact(drug, context)),
    ),
    heading === 'Current' && drugs.some(([primary]) => primary?.day && primary.day < window.from)
      ? WINDOW_NOTE
      : null,
    isStale ? STALE_NOTE : null,
  ];
}

/** The row shows the newest entry in force, else the newest. */
function toDrugFact(drug: Medication[], { heading, window, stale }: SectionContext): Fact {
  const [primary] = drug as [Medication];
  const { detail } = primary;
  const dosage = detail.dosage ?? drug.find((each) => each.detail.dosage !== null)?.detail.dosage ?? null;
  const isCurrent = heading === 'Current';
  const { text, lastDay } = formatTimes(drug);
  return {
    cells: [
      formatName(primary.title),
      isCurrent
        ? `${text}${formatInForceNote({ day: primary.day, dayText: lastDay }, window, stale.get(primary.groupKey))}`
        : text,
      formatName(dosage),
      isCurrent
        ? ''
        : join(
            [
              escapeInline(formatMedicationStatus(primary)),
              detail.intent === 'order' ? null : escapeInline(detail.intent),
            ],
            ', ',
          ),
      formatReasons(primary, detail.reason),
      escapeInline(detail.prescriber, 80) || formatOrder(primary),
      formatRemarks(primary),
    ],
    entries: drug,
  };
}

/** What is left of the supply, who gave it, whose name it has, and its note. */
const formatRemarks = ({ title, detail }: Medication): string =>
  join([
    detail.ingredients === undefined || detail.ingredients.every((each) => title.includes(each))
      ? null
      : `of ${escapeInline(detail.ingredients.join(' + '), 200)}`,
    escapeInline(detail.supply ?? null, 120),
    escapeInline(detail.refills ?? null, 80),
    detail.performer === undefined ? null : `by ${escapeInline(detail.performer, 80)}`,
    detail.nameFrom === undefined ? null : `named by ${formatReference({ reference: detail.nameFrom })}`,
    escapeInline(detail.note),
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
