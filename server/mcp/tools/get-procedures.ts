import type { Recorded } from '../../records/clinical.sql.ts';
import { history } from '../history.ts';
import { factTable, listed, paragraphs, section, type Fact } from '../markdown.ts';
import { namesText, nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf } from '../window.ts';
import { occurrences } from '../written-dates.ts';

type Procedure = Recorded<'procedure'>;

export const getProcedures = tool({
  name: 'get_procedures',
  title: 'Procedures',
  description:
    'Procedures and surgeries of the window. Repeated ones are one row with their count and their first and last date; those not done are listed apart, with the reason.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Procedures',
      plural: 'procedures',
      subject: { kind: 'procedure', standing: 'none' },
      window: windowOf(deps.clock, input),
      write: procedureSections,
    }),
});

function procedureSections(entries: Procedure[]): string {
  const notDone = entries.filter(({ status }) => status === 'not-done');
  const done = entries.filter(({ status }) => status === 'completed' || status === null);
  const others = entries.filter((entry) => !notDone.includes(entry) && !done.includes(entry));
  return paragraphs(
    titled('Performed', done),
    titled('Under way, planned or stopped', others),
    notDone.length === 0 ? null : section(`Not done (${notDone.length})`, procedureTable(notDone)),
  );
}

const titled = (heading: string, entries: Procedure[]): string | null =>
  entries.length === 0 ? null : section(`${heading} (${entries.length})`, procedureTable(entries));

function procedureTable(entries: Procedure[]): string {
  const groups = Map.groupBy(
    entries,
    ({ groupKey, status, detail }) => `${groupKey} ${status} ${detail.bodySite}`,
  );
  return factTable(
    ['Procedure', 'When', 'Status', 'Body site', 'Reason', 'By', 'Note'],
    [...groups.values()].map(procedureFact),
  );
}

/** Told by the newest; reasons of all. */
function procedureFact(group: Procedure[]): Fact {
  const [told] = group as [Procedure];
  const { status, detail } = told;
  const distinct = (values: (string | null)[]): string => listed([...new Set(values)]);
  return {
    cells: [
      nameText(told.title),
      occurrences(group, 'time'),
      status === 'completed' || status === 'not-done' ? '' : inline(status),
      nameText(detail.bodySite),
      namesText(distinct(group.flatMap((each) => [each.detail.notDoneReason, each.detail.reason])), 300),
      inline(distinct(group.map((each) => each.detail.performer)), 120),
      inline(distinct(group.map((each) => each.detail.note))),
    ],
    entries: group,
  };
}
