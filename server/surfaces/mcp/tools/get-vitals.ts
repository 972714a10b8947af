import { z } from 'zod';
import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { pairHalves } from '../../../clinical/entries/blood-pressure.ts';
import { VITAL_NAMES } from '../../../clinical/entries/entry.ts';
import { buildReadingTables } from '../render/flow-sheet.ts';
import { buildHistory } from '../render/history.ts';
import { renderSection, type Block } from '../render/markdown.ts';
import { toVitalReading } from '../render/readings.ts';
import { defineTool } from '../tool.ts';
import { HistoryWindow, resolveWindow } from '../render/window.ts';

type Vital = StoredEntry<'vital'>;

const VITALS_FAULT = `must be a list of these names: ${VITAL_NAMES.join(', ')}`;

export const getVitals = defineTool({
  name: 'get_vitals',
  title: 'Vital signs',
  description: 'Vital signs of the window, one row a moment; without `vitals` with other measurements.',
  input: HistoryWindow.extend({
    vitals: z.array(z.enum(VITAL_NAMES, VITALS_FAULT), VITALS_FAULT).optional().describe('Only these.'),
  }),
  isKept: true,
  run: (deps, access, { vitals, ...input }) =>
    buildHistory(deps, access, {
      title: 'Vital signs',
      plural: 'vital signs',
      only: vitals && vitals.length > 0 ? ` of ${vitals.join(', ')}` : undefined,
      subject: {
        kind: 'vital',
        alwaysShown: 'none',
        vitals: vitals && vitals.length > 0 ? vitals : undefined,
      },
      window: resolveWindow(deps.clock, input),
      narrower: '`vitals` lists those of a sign.',
      render: renderVitalSections,
    }),
});

function renderVitalSections(entries: Vital[]): Block {
  const named = entries.filter(({ detail }) => detail.vital !== null);
  const others = entries.filter(({ detail }) => detail.vital === null);
  const render = (vitals: Vital[], noun: string): Block =>
    vitals.length === 0
      ? null
      : buildReadingTables(pairHalves(vitals).map(toVitalReading), { noun, columnOrder: VITAL_NAMES });
  return [render(named, 'Vital sign'), renderSection('Other measurements', render(others, 'Measurement'))];
}
