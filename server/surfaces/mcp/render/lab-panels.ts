import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildReadingTable } from './flow-sheet.ts';
import { renderSection, type Block } from './markdown.ts';
import { formatName } from './name-text.ts';
import { getPanelName, toLabReadings } from './readings.ts';

type Lab = StoredEntry<'lab' | 'survey'>;

/** A test of no panel with fewer results shares the last table: a table of its own would be mostly headings. */
const MIN_RESULTS = 3;

/** Renders laboratory results by panel and test: panels, cultures and frequent tests, the newest first, then all others. */
export function renderLabPanels(labs: readonly Lab[]): Block {
  const asRecorded = [...labs].sort((one, other) => one.seq - other.seq || one.ordinal - other.ordinal);
  const columnOrder = [...new Set(asRecorded.flatMap((lab) => toLabReadings(lab).map(({ name }) => name)))];
  const render = (heading: string, members: readonly Lab[]): Block =>
    renderSection(heading, buildReadingTable(members.flatMap(toLabReadings), { noun: 'Test', columnOrder }));
  const panels = Map.groupBy(labs, getPanelName);
  const alone = panels.get(null) ?? [];
  panels.delete(null);
  const byTest = [...Map.groupBy(alone, ({ groupKey }) => groupKey).values()];
  const frequent = byTest.filter(({ length }) => length >= MIN_RESULTS);
  const others = alone.filter((lab) => !frequent.some((test) => test.includes(lab)));
  const hasSections = panels.size + frequent.length > 0;
  return [
    ...[...panels].map(([panel, members]) => render(panel ?? '', members)),
    ...frequent.map((members) => render(formatName(members[0]?.title ?? null, 120), members)),
    others.length === 0 ? null : render(hasSections ? 'Other results' : 'Results', others),
  ];
}
