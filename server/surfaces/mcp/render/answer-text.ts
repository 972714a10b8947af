import { MODIFIED_WORDS } from '../../../clinical/entries/modifiers.ts';
import { compactTable, markNames, replaceNames, toMark } from './compact-table.ts';
import { joinParagraphs, renderTable, type Block, type FactTable } from './markdown.ts';

/**
 * Renders the paragraphs and tables of an answer. Sources are half of a table that repeats them: what every row of the
 * answer shares is named once, what every row of a table shares once below it; other rows have marks, explained at the end.
 */
export function renderAnswer(body: Block, ...after: readonly (string | null)[]): string {
  const blocks = dropRepeatedNotes(flatten(body));
  const compact = new Map(
    blocks.flatMap((block) => (typeof block === 'string' ? [] : [[block, compactTable(block)] as const])),
  );
  const tables = [...compact.values()].map(({ table }) => table);
  const names = markNames(tables);
  const everywhere = findShared(tables.flatMap(({ rows }) => rows));
  const mixed = tables.filter(({ rows }) => findShared(rows) === null).flatMap(({ rows }) => rows);
  const sources = new Map(
    [...new Set(mixed.flatMap((row) => row.sources))].map((name, index) => [name, toMark(index)]),
  );
  return joinParagraphs(
    ...blocks.map((block) => {
      const given = typeof block === 'string' ? undefined : compact.get(block);
      if (given === undefined) return block as string;
      const shared = findShared(given.table.rows);
      const notes = [given.note, shared === null || everywhere !== null ? null : `Source: ${shared}`];
      return joinParagraphs(
        renderSourcedTable(replaceNames(given.table, names), shared === null ? sources : null),
        notes.filter(Boolean).join('; ') || null,
      );
    }),
    blocks.some(isModifiedBlock) ? MODIFIED_NOTE : null,
    renderLegend('By, seen by, place', names),
    everywhere === null ? renderLegend('Sources', sources) : `Source: ${everywhere}`,
    ...after,
  );
}

const MODIFIED_NOTE = `“${MODIFIED_WORDS}”: an extension changes what the entry says; \`get_details\` names it.`;

/** Names are headings of flow sheets, cells of other tables, and stand in sentences. */
function isModifiedBlock(block: string | FactTable): boolean {
  if (typeof block === 'string') return block.includes(MODIFIED_WORDS);
  const isMarked = (cell: string): boolean => cell.includes(MODIFIED_WORDS);
  return block.headings.some(isMarked) || block.rows.some(({ cells }) => cells.some(isMarked));
}

/** A footnote stands below the first table that needs it. */
const dropRepeatedNotes = (blocks: readonly (string | FactTable)[]): (string | FactTable)[] =>
  blocks.filter(
    (block, index) => typeof block !== 'string' || !/^[†‡] /.test(block) || blocks.indexOf(block) === index,
  );

/** The sources that all rows share; null where they differ. */
function findShared(rows: FactTable['rows']): string | null {
  const all = new Set(rows.map(({ sources }) => [...sources].sort().join(' + ')));
  return all.size === 1 ? ([...all][0] ?? null) : null;
}

const flatten = (block: Block): (string | FactTable)[] => {
  if (block === null || block === '') return [];
  if (typeof block === 'string' || 'rows' in block) return [block];
  return block.flatMap(flatten);
};

type Marks = ReadonlyMap<string, string>;

const renderSourcedTable = ({ headings, rows }: FactTable, marks: Marks | null): string =>
  renderTable(
    [...headings, 'Source', 'Reference'],
    rows.map(({ cells, sources, reference }) => [
      ...cells,
      sources
        .flatMap((name) => marks?.get(name) ?? [])
        .sort((one, other) => one.length - other.length || (one < other ? -1 : 1))
        .join('+'),
      reference,
    ]),
  );

const renderLegend = (what: string, marks: Marks): string | null =>
  marks.size === 0 ? null : `${what}: ${[...marks].map(([name, mark]) => `${mark} = ${name}`).join('; ')}`;
