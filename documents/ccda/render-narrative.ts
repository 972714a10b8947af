import type { Element, Node } from 'slimdom';
import { getAttribute } from './elements.ts';

/**
 * Whether headings of tables and lists are rendered. Marked, they are lines that begin with the mark, and a `th` beside
 * cells is the first cell of its row.
 */
type Headings = boolean | 'marked';

/** No character of XML 1.0: no narrative has it. */
export const HEADING_MARK = '\u0001';

/**
 * Renders a section's narrative as text (CDA R2 §4.3.5): rows as "a | b", items as "- a", each paragraph a line of its
 * own, a footnote in brackets at its position. Pictures and deleted text are left out.
 */
export function renderNarrative(
  element: Element | undefined,
  { headings = true }: { headings?: Headings } = {},
): string {
  if (element === undefined) return '';
  const pieces: string[] = [];
  // A cell or an item that is rendered by itself has no separator.
  if (CELLS_AND_ITEMS.has(element.localName))
    for (const inner of element.childNodes) renderNode(inner, { pieces, headings });
  else renderNode(element, { pieces, headings });
  return pieces
    .join('')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/^[| ]+$/gm, '')
    .replace(/^- ?\n+/gm, '- ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

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
  headings: Headings;
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
  if (output.headings === false && (HEADINGS.has(name) || name === 'th')) return;
  if (output.headings === 'marked' && (HEADINGS.has(name) || isHeadingRow(element))) {
    output.pieces.push(renderMarked(element));
    return;
  }
  if (name === 'td' || name === 'th') {
    if (element.previousElementSibling !== null) output.pieces.push(' | ');
    output.pieces.push(renderCell(element, output.headings));
    return;
  }
  const [before = '', after = ''] = DELIMITERS.get(name) ?? [];
  output.pieces.push(before);
  for (const inner of element.childNodes) renderNode(inner, output);
  output.pieces.push(after);
}

const isHeadingRow = ({ localName, children }: Element): boolean =>
  localName === 'tr' && children.length > 0 && children.every((cell) => cell.localName === 'th');

const renderMarked = (element: Element): string =>
  renderNarrative(element)
    .split('\n')
    .filter((line) => /[^\s|]/.test(line))
    .map((line) => `\n${HEADING_MARK}${line}`)
    .join('');

/** Renders a cell: lists and paragraphs inside of it stay in its row, a nested table line by line. */
function renderCell(element: Element, headings: Headings): string {
  const pieces: string[] = [];
  for (const inner of element.childNodes) renderNode(inner, { pieces, headings: headings === true });
  return pieces
    .join('')
    .trim()
    .replace(/(\s+)(?:- )?/g, (found, space: string) => (space.includes('\n') ? '; ' : found))
    .replace(/^- /, '');
}
