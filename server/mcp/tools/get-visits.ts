import type { Recorded } from '../../records/clinical.sql.ts';
import { history } from '../history.ts';
import { factTable, paragraphs, type Fact } from '../markdown.ts';
import { namesText, nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf } from '../window.ts';
import { momentOf, periodOf } from '../written-dates.ts';

type Visit = Recorded<'visit'>;

export const getVisits = tool({
  name: 'get_visits',
  title: 'Visits',
  description:
    'Clinical visits of the window, newest first, with reason and place. The Encounter reference at the end of a row is the encounterId that search_clinical_notes takes to read the notes of that visit.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Visits',
      plural: 'visits',
      subject: { kind: 'visit', standing: 'none' },
      window: windowOf(deps.clock, input),
      write: visitTable,
    }),
});

function visitTable(entries: Visit[]): string {
  return paragraphs(
    factTable(['Date', 'Visit', 'Class', 'Reason', 'Place', 'Seen by', 'Status'], entries.map(visitFact)),
    "`search_clinical_notes` with a row's Encounter reference as `encounterId` reads the notes of that visit.",
  );
}

function visitFact(entry: Visit): Fact {
  const { detail, status, organization } = entry;
  const cells = [
    entry.endText === null || entry.endText === entry.dayText ? momentOf(entry) : periodOf(entry),
    nameText(entry.title),
    inline(detail.class),
    namesText(detail.reason),
    detail.location === organization ? '' : inline(detail.location),
    inline(detail.practitioner, 120),
    status === 'finished' ? '' : inline(status ?? 'status not told'),
  ];
  return { cells, entries: [entry] };
}
