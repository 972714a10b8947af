import type { StoredEntry } from '../../../clinical/queries/clinical.sql.ts';
import { buildReadingTables, type Reading } from './flow-sheet.ts';
import { renderSection, type Block } from './markdown.ts';
import { getPanelName, toLabReadings } from './readings.ts';

type Lab = StoredEntry<'lab' | 'survey'>;

/** Tests of no panel share a table where most of their moments are the same. */
const MIN_SHARED = 0.7;
/** A test of fewer results shares the last table: a table of its own would be mostly headings. */
const MIN_RESULTS = 3;
const MAX_TESTS = 8;

/** Renders laboratory results by panel and test: panels, cultures and frequent tests, the newest first, then all others. */
export function renderLabPanels(labs: readonly Lab[]): Block {
  const asRecorded = [...labs].sort((one, other) => one.seq - other.seq || one.ordinal - other.ordinal);
  const readings = new Map(labs.map((lab) => [lab, toLabReadings(lab)]));
  const getReadings = (lab: Lab): Reading[] => readings.get(lab) ?? [];
  const columnOrder = [...new Set(asRecorded.flatMap((lab) => getReadings(lab).map(({ name }) => name)))];
  const build = (members: readonly Lab[]): Block =>
    buildReadingTables(members.flatMap(getReadings), { noun: 'Test', columnOrder });
  const panels = Map.groupBy(labs, getPanelName);
  const alone = panels.get(null) ?? [];
  panels.delete(null);
  const byTest = [...Map.groupBy(alone, ({ groupKey }) => groupKey).values()];
  const frequent = byTest.filter(({ length }) => length >= MIN_RESULTS);
  const inOwnTable = new Set(frequent.flat());
  const others = alone.filter((lab) => !inOwnTable.has(lab));
  const tables = [...clusterTests(frequent), others].filter(({ length }) => length > 0);
  return [
    ...[...panels].map(([panel, members]) => renderSection(panel ?? '', build(members))),
    renderSection(panels.size > 0 ? 'Other results' : 'Results', tables.map(build)),
  ];
}

/** Joins tests that were taken together, as those of one draw are, into one table each. */
function clusterTests(tests: readonly (readonly Lab[])[]): Lab[][] {
  const clusters: { members: Lab[]; moments: Set<string>; tests: number }[] = [];
  for (const test of [...tests].sort((one, other) => other.length - one.length)) {
    const moments = new Set(test.map(({ dayText, time }) => `${dayText} ${time}`));
    const cluster = clusters.find(
      (each) =>
        each.tests < MAX_TESTS &&
        moments.intersection(each.moments).size >= MIN_SHARED * Math.max(moments.size, each.moments.size),
    );
    if (cluster === undefined) clusters.push({ members: [...test], moments, tests: 1 });
    else {
      for (const lab of test) cluster.members.push(lab);
      cluster.tests += 1;
    }
  }
  return clusters.map(({ members }) => members.sort(compareNewestFirst));
}

const compareNewestFirst = (one: Lab, other: Lab): number => {
  const [a, b] = [`${one.day ?? ''} ${one.time ?? ''}`, `${other.day ?? ''} ${other.time ?? ''}`];
  return a === b ? other.seq - one.seq : a < b ? 1 : -1;
};
