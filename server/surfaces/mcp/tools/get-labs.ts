import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import type { Measure } from '../../../clinical/entries/observation-detail.ts';
import { buildHistory } from '../render/history.ts';
import { renderFactTable, joinParagraphs, renderSection, type Fact } from '../render/markdown.ts';
import { hasValue, formatValue } from '../render/measure-text.ts';
import { formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatDate } from '../render/date-text.ts';

type Lab = StoredEntry<'lab'>;

export const getLabs = defineTool({
  name: 'get_labs',
  title: 'Laboratory results',
  description:
    'Laboratory results of the window by day, newest first: value and unit as written, reference range and flag where the record holds them.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    buildHistory(deps, access, {
      title: 'Laboratory results',
      plural: 'laboratory results',
      subject: { kind: 'lab', alwaysShown: 'none' },
      window: resolveWindow(deps.clock, input),
      render: renderLabDays,
    }),
});

const HEADINGS = ['Test', 'Result', 'Reference range', 'Flag', 'Panel', 'Time', 'Status', 'Note'];

function renderLabDays(entries: Lab[]): string {
  const days = Map.groupBy(entries, formatDate);
  return joinParagraphs(
    ...[...days].map(([day, labs]) => {
      const hasSeveralTimes = labs.some(({ time }) => time !== labs[0]?.time);
      return renderSection(
        day,
        renderFactTable(
          HEADINGS,
          sortAsRecorded(labs).flatMap((lab) => buildLabFacts(lab, hasSeveralTimes)),
        ),
      );
    }),
  );
}

/** Keeps the members of a panel together, in the order of the record; results without a value come last. */
function sortAsRecorded(labs: Lab[]): Lab[] {
  const inOrder = [...labs].sort((one, other) => one.seq - other.seq || one.ordinal - other.ordinal);
  const panels = Map.groupBy(inOrder, ({ detail, time }) =>
    hasValue(detail) ? `${time} ${detail.panel}` : null,
  );
  const withoutValue = panels.get(null) ?? [];
  panels.delete(null);
  return [...panels.values(), withoutValue].flat();
}

/** Builds a row for the result and one for each component, which has its own range and flag. */
function buildLabFacts(lab: Lab, hasSeveralTimes: boolean): Fact[] {
  const { detail } = lab;
  const rest = [
    escapeInline(detail.panel, 80),
    hasSeveralTimes ? (lab.time ?? '') : '',
    ['final', 'corrected', 'amended'].includes(lab.status ?? 'final') ? '' : escapeInline(lab.status),
    escapeInline(detail.note),
  ];
  const toFact = (name: string, measure: Omit<Measure, 'label' | 'code'>): Fact => ({
    cells: [
      name,
      formatValue(measure),
      escapeInline(measure.referenceRange, 120),
      escapeInline(measure.interpretation, 80),
      ...rest,
    ],
    entries: [lab],
  });
  const parts = detail.components.map((part) =>
    toFact(`${formatName(lab.title)}: ${formatName(part.label)}`, part),
  );
  return [
    ...(detail.value === null && parts.length > 0 ? [] : [toFact(formatName(lab.title), detail)]),
    ...parts,
  ];
}
