import { z } from 'zod';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { VITAL_NAMES } from '../../../clinical/entries/entry.ts';
import { buildHistory } from '../render/history.ts';
import { renderFactTable, joinParagraphs, renderSection, type Fact } from '../render/markdown.ts';
import { formatMeasurement, formatVital, sortCompleteFirst } from '../render/measure-text.ts';
import { formatName } from '../render/name-text.ts';
import { escapeInline } from '../render/escape-markdown.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';
import { formatDateTime } from '../render/date-text.ts';

type Vital = StoredEntry<'vital'>;

const VITALS_FAULT = `must be a list of these names: ${VITAL_NAMES.join(', ')}`;

export const getVitals = defineTool({
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
    buildHistory(deps, access, {
      title: 'Vital signs',
      plural: 'vital signs',
      subject: {
        kind: 'vital',
        alwaysShown: 'none',
        vitals: vitals && vitals.length > 0 ? vitals : undefined,
      },
      window: resolveWindow(deps.clock, input),
      render: renderVitalSections,
    }),
});

function renderVitalSections(entries: Vital[]): string {
  const byName = Map.groupBy(sortCompleteFirst(entries), ({ detail }) => detail.vital);
  const others = byName.get(null) ?? [];
  return joinParagraphs(
    ...VITAL_NAMES.map((name) => {
      const vitals = byName.get(name) ?? [];
      return vitals.length === 0
        ? null
        : renderSection(
            name,
            renderFactTable(['Date', 'Value', 'Flag', 'Reference range', 'Note'], vitals.map(toVitalFact)),
          );
    }),
    others.length === 0
      ? null
      : renderSection(
          'Other measurements',
          renderFactTable(
            ['Date', 'Measurement', 'Value', 'Flag', 'Reference range', 'Note'],
            others.map(toOtherFact),
          ),
        ),
  );
}

const toVitalFact = (vital: Vital): Fact => ({
  cells: [formatDateTime(vital), formatVital(vital), ...formatRemarks(vital)],
  entries: [vital],
});

const toOtherFact = (vital: Vital): Fact => ({
  cells: [
    formatDateTime(vital),
    formatName(vital.title),
    formatMeasurement(vital.detail),
    ...formatRemarks(vital),
  ],
  entries: [vital],
});

const formatRemarks = ({ detail }: Vital): string[] => [
  escapeInline(detail.interpretation, 80),
  escapeInline(detail.referenceRange, 120),
  escapeInline(detail.note),
];
