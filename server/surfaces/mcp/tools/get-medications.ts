import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory, type StaleGroups } from '../render/history.ts';
import {
  pluralize,
  renderFactTable,
  join,
  joinParagraphs,
  renderCountedSection,
  renderSection,
  type Fact,
} from '../render/markdown.ts';
import {
  groupByHeading,
  getNoun,
  MEDICATION_HEADINGS,
  formatMedicationStatus,
  type MedicationHeading,
} from '../render/medications.ts';
import { formatNames, formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow, type Window } from '../render/window.ts';
import { formatInForceNote, formatPeriod, STALE_NOTE, formatCounts } from '../render/date-text.ts';
import { renderStatementTable } from '../render/statements.ts';

type Medication = StoredEntry<'medication'>;

export const getMedications = defineTool({
  name: 'get_medications',
  title: 'Medications',
  description:
    'Medications with dosing: current ones whatever their date, and past, planned, given and dispensed ones recorded in the window. Renewals of one drug are one row with its count and its first and last date.',
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

function renderMedicationSections(entries: Medication[], window: Window, stale: StaleGroups): string {
  const stated = entries.filter(({ detail }) => detail.none);
  const byHeading = groupByHeading(
    entries.filter(({ detail }) => !detail.none),
    window.today,
  );
  return joinParagraphs(
    ...MEDICATION_HEADINGS.map((heading) =>
      renderCountedSection(heading, byHeading.get(heading) ?? [], (drugs) =>
        renderDrugTable(drugs, { heading, window, stale }),
      ),
    ),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  );
}

function renderDrugTable(drugs: readonly Medication[][], context: SectionContext): string {
  const { heading, stale } = context;
  const isStale = heading === 'Current' && drugs.some(([primary]) => primary && stale.has(primary.groupKey));
  return joinParagraphs(
    renderFactTable(
      ['Medication', heading === 'Current' ? 'Ordered' : 'When', 'Dosage', 'Status', 'Reason', 'By', 'Note'],
      drugs.map((drug) => toDrugFact(drug, context)),
    ),
    isStale ? STALE_NOTE : null,
  );
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
      formatNames(detail.reason),
      escapeInline(detail.prescriber, 80),
      escapeInline(detail.note),
    ],
    entries: drug,
  };
}

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
