import { joinParagraphs, renderTable, type Block, type FactTable } from './markdown.ts';

/**
 * Renders the paragraphs and tables of an answer. Sources are half of a table that repeats them: what every row of the
 * answer shares is named once, what every row of a table shares once below it; other rows have marks, explained at the end.
 */
export function renderAnswer(body: Block, ...after: readonly (string | null)[]): string {
  const blocks = flatten(body);
  const tables = blocks.filter((block) => typeof block !== 'string');
  const everywhere = findShared(tables.flatMap(({ rows }) => rows));
  const mixed = tables.filter(({ rows }) => findShared(rows) === null).flatMap(({ rows }) => rows);
  const marks = new Map(
    [...new Set(mixed.flatMap(({ sources }) => sources))].map((name, index) => [name, toMark(index)]),
  );
  return joinParagraphs(
    ...blocks.map((block) => {
      if (typeof block === 'string') return block;
      const shared = findShared(block.rows);
      return joinParagraphs(
        renderSourcedTable(block, shared === null ? marks : null),
        shared === null || everywhere !== null ? null : `Source: ${shared}`,
      );
    }),
    everywhere === null ? renderLegend(marks) : `Source: ${everywhere}`,
    ...after,
  );
}

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

/** A … Z, AA … */
const toMark = (index: number): string =>
  index < 26
    ? String.fromCodePoint(65 + index)
    : `${toMark(Math.floor(index / 26) - 1)}${toMark(index % 26)}`;

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

const renderLegend = (marks: Marks): string | null =>
  marks.size === 0 ? null : `Sources: ${[...marks].map(([name, mark]) => `${mark} = ${name}`).join('; ')}`;
