import { IMPLIED_END_TAGS, VOID } from './element-ends.ts';
import { findOrEnd } from '../xml/scan.ts';
import { lowerAscii } from './lower-ascii.ts';

/** A page without any of these strikes nothing out. */
const MAY_STRIKE = /<(?:s|strike|del)[\s>]|line-through/i;

const STRUCK = new Set(['s', 'strike', 'del']);
/** Elements whose content holds no tags. */
const RAW = new Set(['script', 'style', 'textarea', 'title']);
const NAME = /^[a-z][a-z0-9]{0,20}/;

/**
 * Leaves out what a page strikes out: the content of `s`, `strike` and `del`, and of whatever has that style. It is no longer
 * valid, and a text does not show the line through it. What no end tag ends stays, so that a fault of the page loses nothing
 * of the rest. One pass, whatever the tags are.
 */
export function removeStruckOut(html: string): string {
  if (!MAY_STRIKE.test(html)) return html;
  const parts: string[] = [];
  let from = 0;
  for (const { start, end } of findStruckOut(html)) {
    if (start < from) continue;
    parts.push(html.slice(from, start));
    from = end;
  }
  return parts.length === 0 ? html : parts.join('') + html.slice(from);
}

interface Span {
  start: number;
  end: number;
}

interface OpenElement {
  name: string;
  /** Where its content begins, where that is struck out. */
  struckFrom: number | null;
}

/** Finds the content of struck out elements, in the order of the page; those within others may be among them. */
function findStruckOut(html: string): Span[] {
  const found: Span[] = [];
  const open: OpenElement[] = [];
  const counts = new Map<string, number>();
  // Of each open cell, how many elements it stands in; of a table, which its cells do not leave, -1.
  const cells: number[] = [];
  const close = (at: number, by: string | null = null): string | undefined => {
    const element = open.pop();
    if (element === undefined) return undefined;
    counts.set(element.name, (counts.get(element.name) ?? 1) - 1);
    if (CELLS.has(element.name) || element.name === 'table') cells.pop();
    const isEnded = by === null || by === element.name || ENDED_AROUND.has(element.name);
    if (element.struckFrom !== null && isEnded) found.push({ start: element.struckFrom, end: at });
    return element.name;
  };
  for (const { name, isEnd, start, end, tag } of listTags(html)) {
    if (isEnd) {
      // An end tag of nothing that is open ends nothing; whatever is open within an element ends with it.
      if ((counts.get(name) ?? 0) > 0) while (close(start, name) !== name);
      continue;
    }
    while (isEndedBy(name, open.at(-1)?.name)) close(start);
    // A cell ends with all that is open in it where the next one begins.
    const around = cells.at(-1) ?? -1;
    const ended = around >= 0 && (CELLS.has(name) || name === 'tr') ? open.length - around : 0;
    for (let left = ended; left > 0; left--) close(start, name);
    if (VOID.has(name) || tag.endsWith('/')) continue;
    if (CELLS.has(name)) cells.push(open.length);
    if (name === 'table') cells.push(-1);
    open.push({ name, struckFrom: STRUCK.has(name) || isStruckByStyle(tag) ? end : null });
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return found.sort((one, other) => one.start - other.start);
}

const CELLS = new Set(['td', 'th']);

/** Elements without an end tag that end where the one around them does. */
const ENDED_AROUND = new Set([...IMPLIED_END_TAGS.keys()].filter((name) => name !== 'p'));

/** Blocks whose start ends a paragraph (HTML §13.1.2.4). */
const BLOCKS = new Set(
  `address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr main
  menu nav ol p pre search section table ul`.split(/\s+/),
);

const isEndedBy = (name: string, last = ''): boolean =>
  last === 'p' ? BLOCKS.has(name) : IMPLIED_END_TAGS.get(name)?.includes(last) === true;

interface Tag extends Span {
  name: string;
  isEnd: boolean;
  /** Its text in lower case, without the signs around it. */
  tag: string;
}

function* listTags(html: string): Generator<Tag> {
  const lower = lowerAscii(html);
  for (let start = lower.indexOf('<'); start >= 0; start = lower.indexOf('<', start)) {
    if (lower.startsWith('<!--', start)) {
      start = findOrEnd(lower, '-->', start + 4);
      continue;
    }
    const isEnd = lower[start + 1] === '/';
    const nameAt = start + (isEnd ? 2 : 1);
    const name = NAME.exec(lower.slice(nameAt, nameAt + 24))?.[0];
    if (name === undefined) {
      start += 1;
      continue;
    }
    const close = lower.indexOf('>', nameAt);
    if (close < 0) return;
    const tag = lower.slice(nameAt, close);
    yield { name, isEnd, start, end: close + 1, tag };
    const isRaw = RAW.has(name) && !isEnd && !tag.endsWith('/');
    start = isRaw ? findOrEnd(lower, `</${name}`, close) : close + 1;
  }
}

/** An attribute of a tag, with its value as it is quoted. */
const ATTRIBUTE = /([^\s"'=]{1,40})\s{0,9}(?:=\s{0,9}("[^"]*"|'[^']*'|[^\s"']{1,1000}))?/g;

/** By the style attribute alone, of which the last declaration counts. */
function isStruckByStyle(tag: string): boolean {
  if (!tag.includes('line-through')) return false;
  const style = Array.from(tag.matchAll(ATTRIBUTE)).find(([, name]) => name === 'style')?.[2] ?? '';
  const decorations = style
    .split(/["';]/)
    .filter((each) => /^\s{0,9}text-decoration(?:-line)?\s{0,9}:/.test(each));
  return decorations.at(-1)?.includes('line-through') === true;
}
