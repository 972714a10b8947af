import { findOrEnd, skipPast } from '../xml/scan.ts';
import { lowerAscii } from './lower-ascii.ts';
import { removeStruckOut } from './struck-out.ts';

const BLOCK = new Set(
  `address article aside blockquote br caption center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3
  h4 h5 h6 header hgroup hr legend li main nav ol option p pre search section summary table tr ul`.split(
    /\s+/,
  ),
);
const CELL = new Set(['td', 'th']);
/** Elements whose content is no text. */
const HIDDEN_ELEMENTS = ['script', 'style', 'head', 'template', 'iframe', 'object'];

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['ndash', '–'],
  ['mdash', '—'],
  ['hellip', '…'],
  ['bull', '•'],
  ['deg', '°'],
  ['micro', 'µ'],
  ['plusmn', '±'],
  ['le', '≤'],
  ['ge', '≥'],
  ['lsquo', '‘'],
  ['rsquo', '’'],
  ['ldquo', '“'],
  ['rdquo', '”'],
]);

/** Extracts the text of (X)HTML, a line per block, without what is struck out. */
export const htmlToText = (html: string): string => htmlToFullText(removeStruckOut(html));

/**
 * Extracts the text of (X)HTML with what is struck out, which no reader sees as such: for what a text may name at all. It
 * reads once from front to back, so that a megabyte of unclosed tags costs a megabyte; the result is text for a renderer
 * to escape, not sanitized HTML.
 */
export function htmlToFullText(html: string): string {
  const lower = lowerAscii(html);
  const parts: string[] = [];
  let position = 0;
  let preformatted = false;
  while (position < html.length) {
    const open = findOrEnd(html, '<', position);
    const words = decodeEntities(html.slice(position, open));
    // White space of the source is layout, except inside of `pre`.
    parts.push(preformatted ? words : words.replace(/\s+/g, ' '));
    if (open === html.length) break;
    if (lower.startsWith('<pre', open)) preformatted = true;
    if (lower.startsWith('</pre', open)) preformatted = false;
    const { next, text } = readMarkup(html, lower, open);
    parts.push(text);
    position = next;
  }
  return tidyLines(parts.join(''));
}

/** Reads the markup at one `<`: returns its text and where reading continues. */
function readMarkup(html: string, lower: string, open: number): { next: number; text: string } {
  if (lower.startsWith('<!--', open)) return { next: skipPast(html, '-->', open + 4), text: '' };
  const name = /^\/?[a-z][a-z0-9:]*|^[!?]/.exec(lower.slice(open + 1, open + 24))?.[0];
  if (name === undefined) return { next: open + 1, text: '<' };
  if (name === '!') return { next: skipDeclaration(html, open), text: '' };
  const end = html.indexOf('>', open);
  if (end < 0) return { next: html.length, text: '' };
  const selfClosed = html[end - 1] === '/';
  if (HIDDEN_ELEMENTS.includes(name) && !selfClosed) {
    return { next: skipPast(html, '>', findOrEnd(lower, `</${name}`, end)), text: ' ' };
  }
  const bare = name.replace(/^\//, '');
  if (name === 'li') return { next: end + 1, text: '\n- ' };
  if (CELL.has(bare)) return { next: end + 1, text: name === bare ? '' : ' | ' };
  return { next: end + 1, text: BLOCK.has(bare) ? '\n' : '' };
}

/** Skips a document type with its internal subset in brackets. */
function skipDeclaration(html: string, open: number): number {
  const end = findOrEnd(html, '>', open);
  const isNested = html.slice(open, end).includes('[');
  return isNested ? skipPast(html, '>', findOrEnd(html, ']', open)) : end + 1;
}

function decodeEntities(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,8});/gi, (match, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? match;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\ufffd';
  });
}

/** Collapses white space, removes repeated empty lines and empty cells at a line's end. */
function tidyLines(text: string): string {
  const lines = text.split('\n').map((line) => trimEmptyCells(line.replace(/[ \t\r\u00a0]+/g, ' ').trim()));
  return lines
    .filter((line, index) => line !== '-' && (line !== '' || (lines[index - 1] ?? '') !== ''))
    .join('\n')
    .trim();
}

function trimEmptyCells(line: string): string {
  let end = line.length;
  while (end > 0 && ' |'.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}
