import type { FactTable } from './markdown.ts';

/** Columns that mostly say the same in every row of a table; measurements are no such columns. */
const REPEATED = new Set(
  'Class,Status,Unit,By,Seen by,Place,Type,Kind,Criticality,Body site,Of,Discharged to'.split(','),
);
/** Columns with people and places, of which a record names a few again and again. */
const NAMED = new Set('By,Seen by,Place'.split(','));

const MIN_ROWS = 4;
/** Where fewer rows say it, a reader looks up more than they save. */
const MIN_SHARE = 0.6;
const MIN_LENGTH = 3;
const NOT_RECORDED = '–';

export interface CompactTable {
  table: FactTable;
  /** What the blank cells say; null when nothing was left out. */
  note: string | null;
}

/** Leaves out of a column what most of its rows say, and says it once; a cell without anything is then marked. */
export function compactTable(table: FactTable): CompactTable {
  if (table.rows.length < MIN_ROWS) return { table, note: null };
  const usual = new Map(
    table.headings.flatMap((heading, column) => {
      const value = REPEATED.has(heading)
        ? findUsual(table.rows.map(({ cells }) => cells[column] ?? ''))
        : null;
      return value === null ? [] : [[column, value] as const];
    }),
  );
  if (usual.size === 0) return { table, note: null };
  const notes = [...usual].map(([column, value]) => {
    const isEverywhere = table.rows.every(({ cells }) => cells[column] === value);
    return `${table.headings[column]}${isEverywhere ? '' : ' where blank'}: ${value}`;
  });
  const rows = table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, column) => {
      const value = usual.get(column);
      if (value === undefined) return cell;
      return cell === value ? '' : cell || NOT_RECORDED;
    }),
  }));
  return { table: { ...table, rows }, note: notes.join('; ') };
}

function findUsual(cells: readonly string[]): string | null {
  const counts = countEach(cells.filter((cell) => cell.length >= MIN_LENGTH));
  const [value, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? ['', 0];
  return count >= MIN_ROWS && count / cells.length >= MIN_SHARE ? value : null;
}

function countEach(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const MIN_TIMES = 3;
const MIN_NAME_LENGTH = 12;

/** Marks for the names that the tables of an answer repeat: a, b, c. */
export function markNames(tables: readonly FactTable[]): ReadonlyMap<string, string> {
  const cells = tables.flatMap(({ headings, rows }) =>
    headings.flatMap((heading, column) =>
      NAMED.has(heading) ? rows.map((row) => row.cells[column] ?? '') : [],
    ),
  );
  const repeated = [...countEach(cells)].filter(
    ([name, count]) => count >= MIN_TIMES && name.length >= MIN_NAME_LENGTH,
  );
  return new Map(repeated.map(([name], index) => [name, toMark(index).toLowerCase()]));
}

/** Puts marks in place of the names. */
export const replaceNames = (table: FactTable, marks: ReadonlyMap<string, string>): FactTable => ({
  ...table,
  rows: table.rows.map((row) => ({
    ...row,
    cells: row.cells.map((cell, column) =>
      NAMED.has(table.headings[column] ?? '') ? (marks.get(cell) ?? cell) : cell,
    ),
  })),
});

/** A … Z, AA … */
export const toMark = (index: number): string =>
  index < 26
    ? String.fromCodePoint(65 + index)
    : `${toMark(Math.floor(index / 26) - 1)}${toMark(index % 26)}`;
