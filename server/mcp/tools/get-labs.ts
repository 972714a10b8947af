import type { Recorded } from '../../records/clinical.sql.ts';
import type { Measure } from '../../records/entry.ts';
import { history } from '../history.ts';
import { factTable, paragraphs, section, type Fact } from '../markdown.ts';
import { holdsValue, valueText } from '../measure-text.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf } from '../window.ts';
import { dateOf } from '../written-dates.ts';

type Lab = Recorded<'lab'>;

export const getLabs = tool({
  name: 'get_labs',
  title: 'Laboratory results',
  description:
    'Laboratory results of the window by day, newest first: value and unit as written, reference range and flag where the record holds them.',
  input: HistoryWindow,
  run: (deps, access, input) =>
    history(deps, access, {
      title: 'Laboratory results',
      plural: 'laboratory results',
      subject: { kind: 'lab', standing: 'none' },
      window: windowOf(deps.clock, input),
      write: labDays,
    }),
});

const HEADS = ['Test', 'Result', 'Reference range', 'Flag', 'Panel', 'Time', 'Status', 'Note'];

function labDays(entries: Lab[]): string {
  const days = Map.groupBy(entries, dateOf);
  return paragraphs(
    ...[...days].map(([day, labs]) => {
      const severalTimes = labs.some(({ time }) => time !== labs[0]?.time);
      return section(
        day,
        factTable(
          HEADS,
          asRecorded(labs).flatMap((lab) => labFacts(lab, severalTimes)),
        ),
      );
    }),
  );
}

/** Members of one panel side by side, in the order of the record; results that hold no value after those that do. */
function asRecorded(labs: Lab[]): Lab[] {
  const inOrder = [...labs].sort((one, other) => one.seq - other.seq || one.ordinal - other.ordinal);
  const panels = Map.groupBy(inOrder, ({ detail, time }) =>
    holdsValue(detail) ? `${time} ${detail.panel}` : null,
  );
  const silent = panels.get(null) ?? [];
  panels.delete(null);
  return [...panels.values(), silent].flat();
}

/** A result, and a row for each component, which has its own range and flag. */
function labFacts(lab: Lab, severalTimes: boolean): Fact[] {
  const { detail } = lab;
  const rest = [
    inline(detail.panel, 80),
    severalTimes ? (lab.time ?? '') : '',
    ['final', 'corrected', 'amended'].includes(lab.status ?? 'final') ? '' : inline(lab.status),
    inline(detail.note),
  ];
  const row = (name: string, measure: Omit<Measure, 'label' | 'code'>): Fact => ({
    cells: [
      name,
      valueText(measure),
      inline(measure.referenceRange, 120),
      inline(measure.interpretation, 80),
      ...rest,
    ],
    entries: [lab],
  });
  const parts = detail.components.map((part) => row(`${nameText(lab.title)}: ${nameText(part.label)}`, part));
  return [...(detail.value === null && parts.length > 0 ? [] : [row(nameText(lab.title), detail)]), ...parts];
}
