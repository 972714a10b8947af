import { formatNumber } from './format-number.ts';
import { listSources, renderReference, type Provenance } from './provenance.ts';

/** A row: its cells, safe Markdown already, and the entries behind it, the one that the row shows first. */
export interface Fact {
  cells: readonly string[];
  entries: readonly (Provenance & { groupKey?: string })[];
  /** How many facts the row stands for, where that is not the number of its entries. */
  count?: number;
}

/** A table whose sources are named when all of an answer is known: one that every row shares is named once. */
export interface FactTable {
  headings: readonly string[];
  rows: readonly { cells: readonly string[]; sources: readonly string[]; reference: string }[];
}

/** What answers are made of: paragraphs, tables, and lists of both. */
export type Block = string | FactTable | null | readonly Block[];

/**
 * Builds a table that ends each row with its source and its FHIR reference. Columns without content are left out, and
 * equal rows become one fact with several sources.
 */
export function buildFactTable(headings: readonly string[], facts: readonly Fact[]): FactTable {
  const rows = groupAlike(facts).map((same) => ({
    cells: same[0]?.cells ?? [],
    sources: listSources(
      same.length === 1 ? (same[0]?.entries ?? []) : same.flatMap(({ entries }) => entries),
    ),
    reference: renderReferences(same),
  }));
  return { headings, rows };
}

/** Groups rows with equal cells. No cell holds a line break, so joined by it different rows stay different. */
function groupAlike(facts: readonly Fact[]): Fact[][] {
  if (facts.length === 1) return [[...facts]];
  return [...Map.groupBy(facts, ({ cells }) => cells.join('\n')).values()];
}

/** One reference for each thing that `get_details` opens as a whole, with the number of facts it stands for. */
function renderReferences(same: readonly Fact[]): string {
  const things =
    same.length === 1
      ? [same]
      : [...Map.groupBy(same, ({ entries: [first] }) => first?.groupKey ?? first?.reference).values()];
  return things
    .flatMap((facts) => {
      const [newest] = facts[0]?.entries ?? [];
      return newest === undefined ? [] : renderReference(newest, countFacts(facts));
    })
    .join(', ');
}

function countFacts(facts: readonly Fact[]): number {
  const [only] = facts;
  if (only !== undefined && facts.length === 1) return only.count ?? only.entries.length;
  const counted = facts.reduce(
    (sum, { count, entries }) => sum + (count ?? entries.length) - entries.length,
    0,
  );
  return counted + new Set(facts.flatMap(({ entries }) => entries.map(({ reference }) => reference))).size;
}

export function renderTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const columns = headings.flatMap((_, column) => (rows.some((row) => row[column]) ? column : []));
  const renderRow = (cells: readonly string[]): string => {
    let text = '|';
    for (const column of columns) text += ` ${cells[column]} |`;
    return text;
  };
  let text = `${renderRow(headings)}\n|${'---|'.repeat(columns.length)}`;
  for (const row of rows) text += `\n${renderRow(row)}`;
  return text;
}

/** Returns null when there is nothing below the heading. */
export const renderSection = (heading: string, body: Block): Block =>
  isEmpty(body) ? null : [`## ${heading}`, body];

const isEmpty = (block: Block): boolean =>
  block === null || block === '' || (Array.isArray(block) && (block as readonly Block[]).every(isEmpty));

/** What a section is of: the items that it lists, and how many more there are. */
export interface Counted<T> {
  items: readonly T[];
  omitted: number;
  /** How many there are, in words where that is not the number of items. */
  size?: string;
}

/** Renders a section headed "Active (3)", "Active (2 conditions, 3 records)", "Active (600; 346 shown)"; returns null where there is nothing. */
export function renderCountedSection<T>(
  heading: string,
  { items, omitted, size }: Counted<T>,
  render: (items: readonly T[]) => Block,
): Block {
  const all = items.length + omitted;
  if (all === 0) return null;
  const shown = omitted === 0 ? '' : `; ${items.length === 0 ? 'none' : formatNumber(items.length)} shown`;
  return [`## ${heading} (${size ?? formatNumber(all)}${shown})`, items.length === 0 ? null : render(items)];
}

export function joinParagraphs(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join('\n\n');
}

export const join = (parts: readonly (string | null | false)[], separator = '; '): string =>
  parts.filter(Boolean).join(separator);
