import { z } from 'zod';
import type { Recorded } from '../../records/clinical.sql.ts';
import { VITAL_NAMES } from '../../records/entry.ts';
import { history } from '../history.ts';
import { factTable, paragraphs, section, type Fact } from '../markdown.ts';
import { isWhole, measurement, vitalText } from '../measure-text.ts';
import { nameText } from '../name-text.ts';
import { inline } from '../record-text.ts';
import { tool } from '../tool.ts';
import { HistoryWindow, windowOf } from '../window.ts';
import { momentOf } from '../written-dates.ts';

type Vital = Recorded<'vital'>;

const VITALS_FAULT = `must be a list of these names: ${VITAL_NAMES.join(', ')}`;

export const getVitals = tool({
  name: 'get_vitals',
  title: 'Vital signs',
  description: `Vital signs of the window, newest first, values and units as written. \`vitals\` limits the answer to some of: ${VITAL_NAMES.join(', ')}. Without it, other measurements taken with them are shown too.`,
  input: HistoryWindow.extend({
    vitals: z
      .array(z.enum(VITAL_NAMES, VITALS_FAULT), VITALS_FAULT)
      .optional()
      .describe('Only these vital signs; all of them unless given.'),
  }),
  run: (deps, access, { vitals, ...input }) =>
    history(deps, access, {
      title: 'Vital signs',
      plural: 'vital signs',
      subject: { kind: 'vital', standing: 'none', vitals: vitals && vitals.length > 0 ? vitals : undefined },
      window: windowOf(deps.clock, input),
      write: vitalSections,
    }),
});

function vitalSections(entries: Vital[]): string {
  const byName = Map.groupBy(wholeFirst(entries), ({ detail }) => detail.vital);
  const others = byName.get(null) ?? [];
  return paragraphs(
    ...VITAL_NAMES.map((name) => {
      const vitals = byName.get(name) ?? [];
      return vitals.length === 0
        ? null
        : section(
            name,
            factTable(['Date', 'Value', 'Flag', 'Reference range', 'Note'], vitals.map(vitalFact)),
          );
    }),
    others.length === 0
      ? null
      : section(
          'Other measurements',
          factTable(
            ['Date', 'Measurement', 'Value', 'Flag', 'Reference range', 'Note'],
            others.map(otherFact),
          ),
        ),
  );
}

/** Of one day what holds a value comes before what holds a part of one, or only says that there is none. */
function wholeFirst(entries: Vital[]): Vital[] {
  if (entries.every(isWhole)) return entries;
  return [...Map.groupBy(entries, ({ dayText }) => dayText).values()].flatMap((day) => [
    ...day.filter(isWhole),
    ...day.filter((vital) => !isWhole(vital)),
  ]);
}

const vitalFact = (vital: Vital): Fact => ({
  cells: [momentOf(vital), vitalText(vital), ...remarks(vital)],
  entries: [vital],
});

const otherFact = (vital: Vital): Fact => ({
  cells: [momentOf(vital), nameText(vital.title), measurement(vital.detail), ...remarks(vital)],
  entries: [vital],
});

const remarks = ({ detail }: Vital): string[] => [
  inline(detail.interpretation, 80),
  inline(detail.referenceRange, 120),
  inline(detail.note),
];
