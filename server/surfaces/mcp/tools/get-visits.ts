import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import { renderFactTable, joinParagraphs, type Fact } from '../render/markdown.ts';
import { formatNames, formatName, STATUS_NOT_RECORDED } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatDateTime, formatPeriod } from '../render/date-text.ts';

type Visit = StoredEntry<'visit'>;

export const getVisits = defineTool({
  name: 'get_visits',
  title: 'Visits',
  description:
    'Clinical visits of the window, newest first, with reason and place. The Encounter reference at the end of a row is the encounterId that search_clinical_notes takes to read the notes of that visit.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Visits',
      plural: 'visits',
      subject: { kind: 'visit', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderVisitTable,
    }),
});

function renderVisitTable(entries: Visit[]): string {
  return joinParagraphs(
    renderFactTable(
      ['Date', 'Visit', 'Class', 'Reason', 'Place', 'Seen by', 'Status'],
      entries.map(toVisitFact),
    ),
    "`search_clinical_notes` with a row's Encounter reference as `encounterId` reads the notes of that visit.",
  );
}

function toVisitFact(entry: Visit): Fact {
  const { detail, status, organization } = entry;
  const cells = [
    entry.endText === null || entry.endText === entry.dayText ? formatDateTime(entry) : formatPeriod(entry),
    formatName(entry.title),
    escapeInline(detail.class),
    formatNames(detail.reason),
    detail.location === organization ? '' : escapeInline(detail.location),
    escapeInline(detail.practitioner, 120),
    status === 'finished' ? '' : escapeInline(status ?? STATUS_NOT_RECORDED),
  ];
  return { cells, entries: [entry] };
}
