import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildHistory } from '../render/history.ts';
import { groupListed, type Listing } from '../render/listing.ts';
import {
  buildFactTable,
  join,
  renderCountedSection,
  renderSection,
  type Block,
  type Fact,
} from '../render/markdown.ts';
import { formatReasons } from '../render/context-text.ts';
import { formatName, formatWords, STATUS_NOT_RECORDED } from '../render/name-text.ts';
import { renderStatementTable } from '../render/statements.ts';
import { escapeInline, escapeValue } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatOccurrences } from '../render/date-text.ts';

type Procedure = StoredEntry<'procedure'>;

export const getProcedures = defineTool({
  name: 'get_procedures',
  title: 'Procedures',
  description:
    'Procedures and surgeries of the window; repeated ones are one row; those not done apart, with the reason.',
  input: HistoryWindow,
  isKept: true,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Procedures',
      plural: 'procedures',
      subject: { kind: 'procedure', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderProcedureSections,
    }),
});

type ProcedureGroup = 'stated' | 'done' | 'notDone' | 'other';

function classifyProcedure({ detail, status }: Procedure): ProcedureGroup {
  if (detail.none) return 'stated';
  if (status === 'not-done') return 'notDone';
  return status === 'completed' || status === null ? 'done' : 'other';
}

function renderProcedureSections(entries: Procedure[], { omitted }: Listing<'procedure'>): Block {
  const getGroup = groupListed(entries, omitted, classifyProcedure);
  const stated = getGroup('stated').items;
  return [
    renderCountedSection('Performed', getGroup('done'), renderProcedureTable),
    renderCountedSection('Under way, planned or stopped', getGroup('other'), renderProcedureTable),
    renderCountedSection('Not done', getGroup('notDone'), renderProcedureTable),
    stated.length === 0 ? null : renderSection('Statements', renderStatementTable(stated)),
  ];
}

function renderProcedureTable(entries: readonly Procedure[]): Block {
  const groups = Map.groupBy(
    entries,
    ({ groupKey, status, detail }) => `${groupKey} ${status} ${detail.bodySite}`,
  );
  return buildFactTable(
    ['Procedure', 'When', 'Status', 'Body site', 'Reason', 'By', 'Place', 'Note'],
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
      status === 'completed' || status === 'not-done' ? '' : escapeValue(status ?? STATUS_NOT_RECORDED),
      formatName(detail.bodySite),
      join([
        ...new Set(group.map((each) => formatReasons(each, each.detail.notDoneReason, each.detail.reason))),
      ]),
      escapeInline(joinDistinct(group.map((each) => each.detail.performer)), 120),
      escapeInline(joinDistinct(group.map((each) => each.detail.location ?? null)), 120),
      joinDistinct(group.map(formatRemarks)),
    ],
    entries: group,
  };
}

/** What came of it, and its note. */
const formatRemarks = ({ detail }: Procedure): string =>
  join([
    detail.outcome === undefined ? null : `outcome: ${formatWords(detail.outcome, 200)}`,
    detail.complications === undefined ? null : `complications: ${escapeValue(detail.complications, 200)}`,
    detail.followUp === undefined ? null : `follow-up: ${escapeValue(detail.followUp, 200)}`,
    escapeValue(detail.note),
  ]);
