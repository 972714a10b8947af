import { compile } from 'html-to-text';
import { htmlToText } from '../../server/clinical/entries/narrative.ts';
import { tidyLines } from '../tidy-lines.ts';
import { isDeeperThan } from './html-depth.ts';

/** A tree takes a kilobyte for each element: half a million of them were more than a document's whole memory. */
const MAX_TAGS = 50_000;
const MAX_TREE_LENGTH = 4 * 1024 * 1024;
/** The parser's time grows with the square of the depth: a million open elements took it 270 s, 256 cost nothing. */
const MAX_TREE_DEPTH = 256;

/**
 * The words of an HTML page: a line per block and table row, cells apart, list items marked; no scripts, no styles,
 * no addresses of links and pictures. Pages too large or too deep for a tree are read from front to back without one,
 * which knows fewer entities and no numbers of lists. Nothing is fetched.
 */
export function extractHtmlDocumentText(html: string): string {
  const isSmall = html.length <= MAX_TREE_LENGTH && countTags(html) <= MAX_TAGS;
  const usesTree = isSmall && !isDeeperThan(html, MAX_TREE_DEPTH);
  return tidyLines(usesTree ? treeToText(html) : htmlToText(html));
}

function countTags(html: string): number {
  let tags = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++;
  return tags;
}

type Formatter = NonNullable<NonNullable<Parameters<typeof compile>[0]>['formatters']>[string];

/** What the parser makes of an element, as far as its types don't tell. */
interface Node {
  type: string;
  name?: string;
  prev?: Node | null;
  parent?: Node | null;
}

/** A cell, held apart from the one before it. */
const cell: Formatter = (element, walk, builder) => {
  if (followsElement(element as Node)) builder.addInline(' | ', { noWordTransform: true });
  walk(element.children, builder);
};

/** A paragraph that is all of its cell, or the first of it, stays on the line of the row. */
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
    { selector: 'caption', format: 'block', options: line },
    ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
    ...['ul', 'ol'].map((selector) => ({ selector, options: { ...line, itemPrefix: '- ' } })),
    ...['head', 'img', 'svg', 'template', 'iframe', 'object', 'noscript'].map((selector) => ({
      selector,
      format: 'skip',
    })),
  ],
});
