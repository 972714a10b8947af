import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import {
  renderFactTable,
  join,
  joinParagraphs,
  renderCountedSection,
  type Fact,
} from '../render/markdown.ts';
import { formatNames, formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatOccurrences } from '../render/date-text.ts';

type Procedure = StoredEntry<'procedure'>;

export const getProcedures = defineTool({
  name: 'get_procedures',
  title: 'Procedures',
  description:
    'Procedures and surgeries of the window. Repeated ones are one row with their count and their first and last date; those not done are listed apart, with the reason.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Procedures',
      plural: 'procedures',
      subject: { kind: 'procedure', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderProcedureSections,
    }),
});

function renderProcedureSections(entries: Procedure[]): string {
  const notDone = entries.filter(({ status }) => status === 'not-done');
  const done = entries.filter(({ status }) => status === 'completed' || status === null);
  const others = entries.filter((entry) => !notDone.includes(entry) && !done.includes(entry));
  return joinParagraphs(
    renderCountedSection('Performed', done, renderProcedureTable),
    renderCountedSection('Under way, planned or stopped', others, renderProcedureTable),
    renderCountedSection('Not done', notDone, renderProcedureTable),
  );
}

function renderProcedureTable(entries: readonly Procedure[]): string {
  const groups = Map.groupBy(
    entries,
    ({ groupKey, status, detail }) => `${groupKey} ${status} ${detail.bodySite}`,
  );
  return renderFactTable(
    ['Procedure', 'When', 'Status', 'Body site', 'Reason', 'By', 'Note'],
    [...groups.values()].map(toProcedureFact),
  );
}

/** The row shows the newest procedure, and the reasons of all. */
function toProcedureFact(group: Procedure[]): Fact {
  const [primary] = group as [Procedure];
  const { status, detail } = primary;
  const joinDistinct = (values: (string | null)[]): string => join([...new Set(values)]);
  return {
    cells: [
      formatName(primary.title),
      formatOccurrences(group, 'time'),
      status === 'completed' || status === 'not-done' ? '' : escapeInline(status),
      formatName(detail.bodySite),
      formatNames(
        joinDistinct(group.flatMap((each) => [each.detail.notDoneReason, each.detail.reason])),
        300,
      ),
      escapeInline(joinDistinct(group.map((each) => each.detail.performer)), 120),
      escapeInline(joinDistinct(group.map((each) => each.detail.note))),
    ],
    entries: group,
  };
}
