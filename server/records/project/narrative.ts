const BLOCK = new Set(
  'address article blockquote br caption dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul'.split(
    ' ',
  ),
);
const CELL = new Set(['td', 'th']);
/** Their content is no text. */
const SILENT = ['script', 'style', 'head', 'template', 'iframe', 'object'];

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

/**
 * The words of an (X)HTML text, a line per block. It reads once from front to back, so that a megabyte of unclosed
 * tags costs a megabyte; the result is text for a renderer to escape, not HTML that was made safe.
 */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase();
  const parts: string[] = [];
  let here = 0;
  let preformatted = false;
  while (here < html.length) {
    const open = positionOf(html, '<', here);
    const words = entitiesDecoded(html.slice(here, open));
    // White space of the source is layout, but where the author says that it is text.
    parts.push(preformatted ? words : words.replace(/\s+/g, ' '));
    if (open === html.length) break;
    if (lower.startsWith('<pre', open)) preformatted = true;
    if (lower.startsWith('</pre', open)) preformatted = false;
    const { next, said } = markup(html, lower, open);
    parts.push(said);
    here = next;
  }
  return tidied(parts.join(''));
}

/** What one `<` says, and where reading goes on. */
function markup(html: string, lower: string, open: number): { next: number; said: string } {
  if (lower.startsWith('<!--', open)) return { next: after(html, '-->', open + 4), said: '' };
  const name = /^\/?[a-z][a-z0-9:]*|^[!?]/.exec(lower.slice(open + 1, open + 24))?.[0];
  if (name === undefined) return { next: open + 1, said: '<' };
  if (name === '!') return { next: afterDeclaration(html, open), said: '' };
  const end = html.indexOf('>', open);
  if (end < 0) return { next: html.length, said: '' };
  const selfClosed = html[end - 1] === '/';
  if (SILENT.includes(name) && !selfClosed) {
    return { next: after(html, '>', positionOf(lower, `</${name}`, end)), said: ' ' };
  }
  const bare = name.replace(/^\//, '');
  if (name === 'li') return { next: end + 1, said: '\n- ' };
  if (CELL.has(bare)) return { next: end + 1, said: name === bare ? '' : ' | ' };
  return { next: end + 1, said: BLOCK.has(bare) ? '\n' : '' };
}

/** A document type may bring declarations of its own in brackets. */
function afterDeclaration(html: string, open: number): number {
  const end = positionOf(html, '>', open);
  const isNested = html.slice(open, end).includes('[');
  return isNested ? after(html, '>', positionOf(html, ']', open)) : end + 1;
}

function positionOf(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

function entitiesDecoded(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{1,8});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole;
    const point = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const isCharacter = point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
    return isCharacter ? String.fromCodePoint(point) : '\ufffd';
  });
}

/** White space runs as one space, at most one empty line in a row, no empty cells at a line's end. */
function tidied(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => withoutEmptyCells(line.replace(/[ \t\r\u00a0]+/g, ' ').trim()));
  return lines
    .filter((line, index) => line !== '-' && (line !== '' || (lines[index - 1] ?? '') !== ''))
    .join('\n')
    .trim();
}

function withoutEmptyCells(line: string): string {
  let end = line.length;
  while (end > 0 && ' |'.includes(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}
