import { referencesOf, sourceOf, type Provenance } from './source.ts';

/** A row: its cells, safe Markdown already, and the entries that say so, the one that tells it first. */
export interface Fact {
  cells: readonly string[];
  entries: readonly Provenance[];
}

/**
 * A table that ends each row with its source and its FHIR reference. Columns in which no row says anything are left
 * out; rows that say the same are one fact with several sources.
 */
export function factTable(heads: readonly string[], facts: readonly Fact[]): string {
  const rows = alike(facts).map((same) => [
    ...(same[0]?.cells ?? []),
    sourceOf(same.length === 1 ? (same[0]?.entries ?? []) : same.flatMap(({ entries }) => entries)),
    referencesOf(same.map(({ entries }) => entries)),
  ]);
  return table([...heads, 'Source', 'Reference'], rows);
}

/** No cell holds a line break, so joined by it no two rows are mistaken for one. */
function alike(facts: readonly Fact[]): Fact[][] {
  if (facts.length === 1) return [[...facts]];
  return [...Map.groupBy(facts, ({ cells }) => cells.join('\n')).values()];
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const told = heads.flatMap((_, column) => (rows.some((row) => row[column]) ? column : []));
  const line = (cells: readonly string[]): string => {
    let text = '|';
    for (const column of told) text += ` ${cells[column]} |`;
    return text;
  };
  let text = `${line(heads)}\n|${' --- |'.repeat(told.length)}`;
  for (const row of rows) text += `\n${line(row)}`;
  return text;
}

/** Nothing when there is nothing below the heading. */
export function section(heading: string, body: string): string {
  return body === '' ? '' : `## ${heading}\n\n${body}`;
}

export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

const NUMBERS = new Intl.NumberFormat('en-US');

/** "1,234"; a formatter is made once, for `toLocaleString` makes one at every call. */
export const number = (count: number): string => (count < 1000 ? String(count) : NUMBERS.format(count));

/** "1 order", "12 orders". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${number(count)} ${count === 1 ? noun : plural}`;
}

export const listed = (parts: readonly (string | null | false)[], separator = '; '): string =>
  parts.filter(Boolean).join(separator);
