import type { Element, Node } from 'slimdom';
import { getAttribute } from './elements.ts';

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
const HEADINGS = new Set(['thead', 'th', 'caption']);
const CELLS_AND_ITEMS = new Set(['td', 'th', 'item']);

interface RenderOutput {
  /** Collected in one list, so that text is copied once however deep it is nested. */
  pieces: string[];
  /** Whether headings of tables and lists are rendered. */
  headings: boolean;
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
  if (!output.headings && HEADINGS.has(name)) return;
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

/** Renders a cell: lists and paragraphs inside of it stay in its row, a nested table line by line. */
function renderCell(element: Element, headings: boolean): string {
  const pieces: string[] = [];
  for (const inner of element.childNodes) renderNode(inner, { pieces, headings });
  return pieces
    .join('')
    .trim()
    .replace(/(\s+)(?:- )?/g, (found, space: string) => (space.includes('\n') ? '; ' : found))
    .replace(/^- /, '');
}
