import type { Recorded } from '../records/clinical.sql.ts';
import { referencesOf, sourceOf } from './source.ts';

/** A row: its cells, safe Markdown already, and the entries that say so, the one that tells it first. */
export interface Fact {
  cells: readonly string[];
  entries: readonly Recorded[];
}

/**
 * A table that ends each row with its source and its FHIR reference. Columns in which no row says anything are left
 * out; rows that say the same are one fact with several sources.
 */
export function factTable(heads: readonly string[], facts: readonly Fact[]): string {
  const rows = [...Map.groupBy(facts, ({ cells }) => JSON.stringify(cells)).values()].map((same) => [
    ...(same[0]?.cells ?? []),
    sourceOf(same.flatMap(({ entries }) => entries)),
    referencesOf(same.map(({ entries }) => entries)),
  ]);
  return table([...heads, 'Source', 'Reference'], rows);
}

export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const told = heads.map((_, column) => rows.some((row) => row[column]));
  const line = (cells: readonly string[]): string =>
    `| ${cells.filter((_, column) => told[column]).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Nothing when there is nothing below the heading. */
export function section(heading: string, body: string): string {
  return body === '' ? '' : `## ${heading}\n\n${body}`;
}

export function paragraphs(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

/** "1 order", "12 orders". */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? noun : plural}`;
}

export const listed = (parts: readonly (string | null | false)[], separator = '; '): string =>
  parts.filter(Boolean).join(separator);
