import { renderReferences, renderProvenance, type Provenance } from './provenance.ts';

/** A row: its cells, safe Markdown already, and the entries behind it, the one that the row shows first. */
export interface Fact {
  cells: readonly string[];
  entries: readonly Provenance[];
}

/**
 * Renders a table that ends each row with its source and its FHIR reference. Columns without content are left out, and
 * equal rows become one fact with several sources.
 */
export function renderFactTable(headings: readonly string[], facts: readonly Fact[]): string {
  const rows = groupAlike(facts).map((same) => [
    ...(same[0]?.cells ?? []),
    renderProvenance(same.length === 1 ? (same[0]?.entries ?? []) : same.flatMap(({ entries }) => entries)),
    renderReferences(same.map(({ entries }) => entries)),
  ]);
  return renderTable([...headings, 'Source', 'Reference'], rows);
}

/** Groups rows with equal cells. No cell holds a line break, so joined by it different rows stay different. */
function groupAlike(facts: readonly Fact[]): Fact[][] {
  if (facts.length === 1) return [[...facts]];
  return [...Map.groupBy(facts, ({ cells }) => cells.join('\n')).values()];
}

export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.flatMap((_, column) => (rows.some((row) => row[column]) ? column : []));
  const renderRow = (cells: readonly string[]): string => {
    let text = '|';
    for (const column of columns) text += ` ${cells[column]} |`;
    return text;
  };
  let text = `${renderRow(headings)}\n|${' --- |'.repeat(columns.length)}`;
  for (const row of rows) text += `\n${renderRow(row)}`;
  return text;
}

/** Returns '' when there is nothing below the heading. */
export function renderSection(heading: string, body: string): string {
  return body === '' ? '' : `## ${heading}\n\n${body}`;
}

/** Renders a section headed "Active (3)"; returns '' without items. */
export const renderCountedSection = <T>(
  heading: string,
  items: readonly T[],
  render: (items: readonly T[]) => string,
): string => (items.length === 0 ? '' : renderSection(`${heading} (${items.length})`, render(items)));

export function joinParagraphs(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

const NUMBER_FORMAT = new Intl.NumberFormat('en-US');

/** "1,234"; the formatter is made once, because `toLocaleString` makes one at every call. */
export const formatNumber = (count: number): string =>
  count < 1000 ? String(count) : NUMBER_FORMAT.format(count);

/** "1 order", "12 orders". */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(count)} ${count === 1 ? noun : plural}`;
}

export const join = (parts: readonly (string | null | false)[], separator = '; '): string =>
  parts.filter(Boolean).join(separator);
