import type { Element } from 'slimdom';
import { attribute, child } from '../elements.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { narrativeLine } from '../narrative-text.ts';

/**
 * The cell of the table row that an entry points into, under the first heading that matches. What the coded entry leaves
 * open is often told there: of 33 drugs of one vendor every entry is "completed" and every row says "Active".
 */
export function cellBeside(
  element: Element | undefined,
  heading: RegExp,
  narrative: NarrativePlaces,
): string | undefined {
  for (const pointer of pointers(element)) {
    const cell = cellOf(narrative.place(attribute(pointer, 'value'), pointer), heading, narrative);
    if (cell !== undefined) return cell;
  }
  return undefined;
}

/** References of an entry's own: of its `text`, and of the `originalText` of whatever is handed over. */
function pointers(element: Element | undefined): Element[] {
  return [
    child(element, 'text'),
    child(element, 'originalText'),
    child(child(element, 'value'), 'originalText'),
  ].flatMap((holder) => child(holder, 'reference') ?? []);
}

/** What stands over the cell that an `originalText` points to. */
export function headingOver(code: Element | undefined, narrative: NarrativePlaces): string | undefined {
  const pointer = child(child(code, 'originalText'), 'reference');
  const place = pointer && narrative.place(attribute(pointer, 'value'), pointer);
  const cell = ancestor(place, 'td');
  const row = ancestor(cell, 'tr');
  if (cell === undefined || row === undefined) return undefined;
  return headsOf(ancestor(row, 'table'), narrative)?.[cells(row).indexOf(cell)];
}

function cellOf(place: Element | undefined, heading: RegExp, narrative: NarrativePlaces): string | undefined {
  const row = ancestor(place, 'tr');
  const table = ancestor(row, 'table');
  const heads = headsOf(table, narrative);
  const wanted = heads?.findIndex((head) => heading.test(head)) ?? -1;
  if (row === undefined || wanted < 0) return undefined;
  const cell = cells(row)[wanted];
  return cell === undefined ? undefined : narrativeLine(cell) || undefined;
}

function headsOf(table: Element | undefined, { headings }: NarrativePlaces): string[] | undefined {
  if (table === undefined) return undefined;
  const known = headings.get(table);
  if (known !== undefined || headings.has(table)) return known;
  const found = readHeads(table);
  headings.set(table, found);
  return found;
}

/** The last row of the `thead`, else a first row made of `th`. */
function readHeads(table: Element): string[] | undefined {
  const rows = child(table, 'thead')?.children.filter(({ localName }) => localName === 'tr');
  const row = rows?.at(-1) ?? firstRow(table);
  return row && cells(row).map((cell) => narrativeLine(cell));
}

function firstRow(table: Element): Element | undefined {
  const row = child(child(table, 'tbody') ?? table, 'tr');
  return row?.children.every(({ localName }) => localName === 'th') ? row : undefined;
}

const cells = (row: Element): Element[] =>
  row.children.filter(({ localName }) => localName === 'td' || localName === 'th');

function ancestor(element: Element | undefined, name: string): Element | undefined {
  for (let next = element ?? null; next !== null; next = next.parentElement) {
    if (next.localName === name) return next;
    if (next.localName === 'text' || next.localName === 'section') return undefined;
  }
  return undefined;
}
