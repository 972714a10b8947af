import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import { buildFactTable, join, type Fact, type Block } from '../render/markdown.ts';
import { formatDiagnoses, formatReasons } from '../render/context-text.ts';
import { formatName, STATUS_NOT_RECORDED } from '../render/name-text.ts';
import { escapeInline, escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatDateTime, formatPeriod } from '../render/date-text.ts';

type Visit = StoredEntry<'visit'>;

export const getVisits = defineTool({
  name: 'get_visits',
  title: 'Visits',
  description:
    'Visits of the window with reason and place; search_clinical_notes reads the notes of one by its Encounter reference.',
  input: HistoryWindow,
  isKept: true,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Visits',
      plural: 'visits',
      subject: { kind: 'visit', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderVisitTable,
    }),
});

function renderVisitTable(entries: Visit[]): Block {
  const days = Map.groupBy(entries, ({ dayText }) => dayText);
  return [
    buildFactTable(
      ['Date', 'Visit', 'Class', 'Reason', 'Place', 'Seen by', 'Discharged to', 'Status', 'Remarks'],
      entries.map((entry) => toVisitFact(entry, (days.get(entry.dayText)?.length ?? 0) > 1)),
    ),
    "`search_clinical_notes` with a row's Encounter reference as `encounterId` reads the notes of that visit.",
  ];
}

/** The hour is of use only where the day has another visit. */
function toVisitFact(entry: Visit, hasSeveral: boolean): Fact {
  const { detail, status, organization } = entry;
  const isOneDay = entry.endText === null || entry.endText === entry.dayText;
  const reasons = formatReasons(entry, detail.reason, detail.diagnoses ?? null);
  const cells = [
    isOneDay && hasSeveral ? formatDateTime(entry) : formatPeriod(entry),
    formatName(entry.title),
    escapeValue(detail.class),
    join([reasons, formatDiagnoses(entry, reasons)]),
    detail.location === organization ? '' : escapeValue(detail.location),
    escapeValue(detail.participants ?? detail.practitioner, 200),
    escapeInline(detail.disposition ?? null, 120),
    status === 'finished' ? '' : escapeValue(status ?? STATUS_NOT_RECORDED),
    join([
      detail.serviceType === undefined || entry.title.includes(detail.serviceType)
        ? null
        : formatName(detail.serviceType, 120),
      escapeInline(detail.admitSource ?? null, 120),
      escapeValue(detail.admission ?? null, 200),
      escapeInline(detail.priority ?? null, 80),
      escapeValue(detail.note ?? null),
    ]),
  ];
  return { cells, entries: [entry] };
}
