import type { Element, Node } from 'slimdom';
import { getAttribute } from './elements.ts';

/** A line of a narrative; the headings of tables and lists stand apart from what they head. */
export interface NarrativeLine {
  text: string;
  isHeading: boolean;
}

/**
 * Renders a section's narrative as text (CDA R2 §4.3.5): rows as "a | b", items as "- a", each paragraph a line of its
 * own, a footnote in brackets at its position. Pictures and deleted text are left out.
 */
export function renderNarrative(
  element: Element | undefined,
  { headings = true }: { headings?: boolean } = {},
): string {
  if (element === undefined) return '';
  const pieces: string[] = [];
  renderInside(element, { pieces, headings });
  return joinPieces(pieces).trim();
}

/** Lists the lines of a narrative. A `th` beside cells heads nothing, and is the first cell of its row. */
export function listNarrativeLines(element: Element | undefined): NarrativeLine[] {
  if (element === undefined) return [];
  const lines: NarrativeLine[] = [];
  const pieces: string[] = [];
  const endLines = (): void => {
    const [first = '', ...others] = joinPieces(pieces.splice(0)).split('\n');
    // What stands behind a heading ends its line; further empty lines are the end of a table.
    for (const text of [...(first.trim() === '' ? [] : [first]), ...others])
      lines.push({ text: text.trim(), isHeading: false });
  };
  const onHeading = (heading: Element): void => {
    endLines();
    const headings = renderNarrative(heading).split('\n');
    for (const text of headings) if (/[^\s|]/.test(text)) lines.push({ text: text.trim(), isHeading: true });
  };
  renderInside(element, { pieces, headings: true, onHeading });
  endLines();
  return lines;
}

/** Renders a cell or an item by itself without a separator. */
function renderInside(element: Element, output: RenderOutput): void {
  if (CELLS_AND_ITEMS.has(element.localName))
    for (const inner of element.childNodes) renderNode(inner, output);
  else renderNode(element, output);
}

const joinPieces = (pieces: readonly string[]): string =>
  pieces
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/^[| ]+$/gm, '')
    .replace(/^- ?\n+/gm, '- ')
    .replace(/\n{3,}/g, '\n\n');

/** Renders the narrative in one line, for a text that a code or a name points to. */
export const renderNarrativeLine = (element: Element | undefined): string =>
  renderNarrative(element)
    .replace(/\n+(?:- )?/g, ' ')
    .trim();

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** The text before and after an element's content; other elements are inline. */
const DELIMITERS = new Map([
  ['paragraph', ['\n', '\n']],
  ['table', ['\n\n', '\n\n']],
  ['list', ['\n', '\n']],
  ['item', ['\n- ', '']],
  ['tr', ['\n', '']],
  ['caption', ['\n', '\n']],
  ['title', ['\n', '\n']],
  ['footnote', [' [', ']']],
  ['br', ['\n', '']],
]);
const SKIPPED = new Set(['renderMultiMedia', 'col', 'colgroup']);
const HEADINGS = new Set(['thead', 'caption']);
const CELLS_AND_ITEMS = new Set(['td', 'th', 'item']);

interface RenderOutput {
  /** Collected in one list, so that text is copied once however deep it is nested. */
  pieces: string[];
  headings: boolean;
  /** Takes the headings instead of `pieces`. */
  onHeading?: (heading: Element) => void;
}

function renderNode(node: Node, output: RenderOutput): void {
  if (node.nodeType === TEXT || node.nodeType === CDATA) {
    output.pieces.push((node.nodeValue ?? '').replace(/\s+/g, ' '));
    return;
  }
  if (node.nodeType !== ELEMENT) return;
  const element = node as Element;
  const name = element.localName;
  if (SKIPPED.has(name) || getAttribute(element, 'revised') === 'delete') return;
  if (!output.headings && (HEADINGS.has(name) || name === 'th')) return;
  if (output.onHeading !== undefined && (HEADINGS.has(name) || isHeadingRow(element))) {
    output.onHeading(element);
    return;
  }
  if (name === 'td' || name === 'th') {
    if (element.previousElementSibling !== null) output.pieces.push(' | ');
    output.pieces.push(renderCell(element, output));
    return;
  }
  const [before = '', after = ''] = DELIMITERS.get(name) ?? [];
  output.pieces.push(before);
  for (const inner of element.childNodes) renderNode(inner, output);
  output.pieces.push(after);
}

const isHeadingRow = ({ localName, children }: Element): boolean =>
  localName === 'tr' && children.length > 0 && children.every((cell) => cell.localName === 'th');

/** Renders a cell: lists and paragraphs inside of it stay in its row, a nested table line by line, without headings of its own. */
function renderCell(element: Element, { headings, onHeading }: RenderOutput): string {
  const pieces: string[] = [];
  const output = { pieces, headings, ...(onHeading && { onHeading: () => {} }) };
  for (const inner of element.childNodes) renderNode(inner, output);
  return pieces
    .join('')
    .trim()
    .replace(/(\s+)(?:- )?/g, (found, space: string) => (space.includes('\n') ? '; ' : found))
    .replace(/^- /, '');
}
