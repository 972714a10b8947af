import type { Element } from 'slimdom';
import { getAttribute, getChild } from '../elements.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { renderNarrativeLine } from '../render-narrative.ts';

/**
 * Finds the cell, in the table row that an entry points into, under the first heading that matches. It often holds what
 * the coded entry leaves open: of 33 drugs of one vendor every entry is "completed" and every row says "Active".
 */
export function findCell(
  element: Element | undefined,
  heading: RegExp,
  narrative: NarrativeIndex,
): string | undefined {
  for (const pointer of getReferences(element)) {
    const cell = findCellInRow(
      narrative.findElement(getAttribute(pointer, 'value'), pointer),
      heading,
      narrative,
    );
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** Returns the references of an element: of its `text`, its `originalText` and the `originalText` of its value. */
function getReferences(element: Element | undefined): Element[] {
  return [
    getChild(element, 'text'),
    getChild(element, 'originalText'),
    getChild(getChild(element, 'value'), 'originalText'),
  ].flatMap((holder) => getChild(holder, 'reference') ?? []);
}

/** Finds the heading of the cell that an `originalText` points to. */
export function findHeading(code: Element | undefined, narrative: NarrativeIndex): string | undefined {
  const pointer = getChild(getChild(code, 'originalText'), 'reference');
  const element = pointer && narrative.findElement(getAttribute(pointer, 'value'), pointer);
  const cell = findAncestor(element, 'td');
  const row = findAncestor(cell, 'tr');
  if (cell === undefined || row === undefined) return undefined;
  return getHeadings(findAncestor(row, 'table'), narrative)?.[getCells(row).indexOf(cell)];
}

function findCellInRow(
  element: Element | undefined,
  heading: RegExp,
  narrative: NarrativeIndex,
): string | undefined {
  const row = findAncestor(element, 'tr');
  const table = findAncestor(row, 'table');
  const columnHeadings = getHeadings(table, narrative);
  const column = columnHeadings?.findIndex((head) => heading.test(head)) ?? -1;
  if (row === undefined || column < 0) return undefined;
  const cell = getCells(row)[column];
  return cell === undefined ? undefined : renderNarrativeLine(cell) || undefined;
}

function getHeadings(table: Element | undefined, { headings }: NarrativeIndex): string[] | undefined {
  if (table === undefined) return undefined;
  const known = headings.get(table);
  if (known !== undefined || headings.has(table)) return known;
  const found = readHeadings(table);
  headings.set(table, found);
  return found;
}

/** Reads the last row of the `thead`, else a first row of `th`. */
function readHeadings(table: Element): string[] | undefined {
  const rows = getChild(table, 'thead')?.children.filter(({ localName }) => localName === 'tr');
  const row = rows?.at(-1) ?? findHeaderRow(table);
  return row && getCells(row).map((cell) => renderNarrativeLine(cell));
}

function findHeaderRow(table: Element): Element | undefined {
  const row = getChild(getChild(table, 'tbody') ?? table, 'tr');
  return row?.children.every(({ localName }) => localName === 'th') ? row : undefined;
}

const getCells = (row: Element): Element[] =>
  row.children.filter(({ localName }) => localName === 'td' || localName === 'th');

function findAncestor(element: Element | undefined, name: string): Element | undefined {
  for (let next = element ?? null; next !== null; next = next.parentElement) {
    if (next.localName === name) return next;
    if (next.localName === 'text' || next.localName === 'section') return undefined;
  }
  return undefined;
}
