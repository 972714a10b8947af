import { compile } from 'html-to-text';
import type { Conversion, DocumentToConvert } from '../converter.ts';
import { buildDocumentReference } from '../document-reference.ts';
import { decodeText } from '../text/decode-text.ts';
import { tidyLines } from '../text/tidy-lines.ts';
import { IMPLIED_END_TAGS, VOID } from './element-ends.ts';
import { htmlToFullText } from './html-to-text.ts';
import { removeStruckOut } from './struck-out.ts';

/** Converts an HTML page into a note of its text. */
export function convertHtml(document: DocumentToConvert): Conversion {
  const text = extractHtmlDocumentText(decodeText(document.bytes).text);
  return buildDocumentReference(document, { kind: 'HTML', contentType: 'text/html', text });
}

/** A tree takes a kilobyte for each element: half a million of them were more than a document's whole memory. */
const MAX_TAGS = 50_000;
const MAX_TREE_LENGTH = 4 * 1024 * 1024;
/** The parser's time grows with the square of the depth: a million open elements took it 270 s, 256 cost nothing. */
const MAX_TREE_DEPTH = 256;

/**
 * Extracts the text of an HTML page: a line per block and table row, cells apart, list items marked; no scripts, no
 * styles, no addresses of links and pictures. Pages too large or too deep for a tree are read from front to back without
 * one, with fewer entities and without the numbers of lists. What is struck out is left out. Nothing is fetched.
 */
export function extractHtmlDocumentText(html: string): string {
  const isSmall = html.length <= MAX_TREE_LENGTH && countTags(html) <= MAX_TAGS;
  const usesTree = isSmall && !isDeeperThan(html, MAX_TREE_DEPTH);
  const valid = removeStruckOut(html);
  return tidyLines(usesTree ? treeToText(valid) : htmlToFullText(valid));
}

function countTags(html: string): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++;
  return tags;
}

type Formatter = NonNullable<NonNullable<Parameters<typeof compile>[0]>['formatters']>[string];

/** A node of the parser, as far as its types leave it out. */
interface Node {
  type: string;
  name?: string;
  prev?: Node | null;
  parent?: Node | null;
}

/** Separates a cell from the one before it. */
const cell: Formatter = (element, walk, builder) => {
  if (followsElement(element as Node)) builder.addInline(' | ', { noWordTransform: true });
  walk(element.children, builder);
};

/** Keeps a paragraph that begins a cell on the line of the row. */
const paragraph: Formatter = (...[element, walk, builder, options]) => {
  const { parent } = element as Node;
  const isOnRow = /^t[dh]$/.test(parent?.name ?? '') && !followsElement(element as Node);
  if (!isOnRow) builder.openBlock({ leadingLineBreaks: options.leadingLineBreaks ?? 1 });
  walk(element.children, builder);
  if (!isOnRow) builder.closeBlock({ trailingLineBreaks: options.trailingLineBreaks ?? 1 });
};

function followsElement({ prev }: Node): boolean {
  let before = prev;
  while (before && before.type !== 'tag') before = before.prev;
  return Boolean(before);
}

const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 };
const heading = { uppercase: false, leadingLineBreaks: 2, trailingLineBreaks: 1 };

/** Blocks of HTML (Rendering, §15.3) that the library takes for words within a line: it would join the words of two of them. */
const BLOCKS =
  'address caption center dd details dialog dl dt fieldset figcaption figure hgroup legend option search summary'.split(
    ' ',
  );

const treeToText = compile({
  wordwrap: false,
  formatters: { cell, paragraph },
  selectors: [
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: heading })),
    { selector: 'a', options: { ignoreHref: true } },
    { selector: 'p', format: 'paragraph', options: { leadingLineBreaks: 2, trailingLineBreaks: 1 } },
    { selector: 'div', format: 'paragraph', options: line },
    { selector: 'table', format: 'block', options: { leadingLineBreaks: 2, trailingLineBreaks: 2 } },
    { selector: 'tr', format: 'block', options: line },
    ...BLOCKS.map((selector) => ({ selector, format: 'block', options: line })),
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...['ul', 'ol'].map((selector) => ({ selector, options: { ...line, itemPrefix: '- ' } })),
    ...['head', 'img', 'svg', 'template', 'iframe', 'object', 'noscript'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
});

const TAG = /<(\/?)([a-z][a-z0-9]{0,20})/gi;

/** Says whether a page's elements nest more than `maxDepth` deep, as its parser will see it. */
export function isDeeperThan(html: string, maxDepth: number): boolean {
  const open: string[] = [];
  for (const [, slash, written = ''] of html.matchAll(TAG)) {
    const name = written.toLowerCase();
    if (slash === '/') {
      const start = open.lastIndexOf(name);
      if (start >= 0) open.length = start;
    } else if (!VOID.has(name)) {
      while (open.length > 0 && IMPLIED_END_TAGS.get(name)?.includes(open.at(-1)!)) open.pop();
      if (open.push(name) > maxDepth) return true;
    }
  }
  return false;
}
