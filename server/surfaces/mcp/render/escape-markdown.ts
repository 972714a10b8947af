import { revealInvisible } from '../../../../contract/reveal-invisible.ts';
import { countCharacters } from './cut-text.ts';
import { formatNumber } from './format-number.ts';

/**
 * Text from a record is data. Escaped, it can't act as Markdown (a heading, a link, HTML, the end of a cell or a fence, a
 * metadata line of its own) and can't hide anything: invisible characters are shown as `\u{202E}`.
 */

/** Escapes the colon after a name of the metadata line, without which neither a person nor a pattern takes it for one. */
const neutralize = (text: string): string =>
  text.replace(/\b(hasMoreData|dateRange|nextBeforeDate)(\s*):/gi, '$1$2\\:');

/** The longest value in a cell; `search` shows passages of longer ones, and `get_details` reads all of it. */
const MAX_VALUE_LENGTH = 600;

/**
 * Matches most cells by far: words, numbers, units and dates that mean nothing in Markdown. It saves the 17 replacements
 * below; a test checks that it gives the same result.
 */
const HARMLESS =
  /^(?:[A-Za-zÀ-ÿ("{[<]|\d+(?:[.,/:-]\d+)*(?: ?[A-Za-z%([{°]|$))[A-Za-z0-9À-ÿ ,.;:()[\]{}<>%/'"°µ^+=#-]*$/;
/** Sequences of those characters that still need escaping; the metadata line's names end with an "a" or "e". */
const HARMFUL = / {2}| $|www\.|:\/\/|[ae] ?:|\][([:]|<(?!\d)/i;

/** Returns one line of plain text that is safe anywhere in a line, in a cell, and after a list marker. */
export function escapeInline(text: string | null, maxLength: number): string {
  if (text === null || isPlain(text, maxLength)) return text ?? '';
  return escapeLine(toLine(text), maxLength);
}

/** The same of a value of a record: of one that is cut it says how much follows, and which tool reads it. */
export function escapeValue(text: string | null, maxLength: number = MAX_VALUE_LENGTH): string {
  if (text === null || isPlain(text, maxLength)) return text ?? '';
  const line = toLine(text);
  const escaped = escapeLine(line, maxLength);
  if (line.length <= maxLength) return escaped;
  return `${escaped} (${formatNumber(countCharacters(line.slice(maxLength)))} further characters: get_details)`;
}

const isPlain = (text: string, maxLength: number): boolean =>
  text.length <= maxLength && HARMLESS.test(text) && !HARMFUL.test(text);

const toLine = (text: string): string =>
  revealInvisible(text)
    .trim()
    .replace(/\s+/g, (space) => (space.includes('\n') ? ' / ' : ' '));

const escapeLine = (line: string, maxLength: number): string =>
  neutralize(escapeMarkdown(truncate(line, maxLength)));

export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text
    .slice(0, maxLength)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`;
}

const ESCAPES: readonly [RegExp, string][] = [
  [/\\(?=[!-/:-@[-`{-~])/g, '\\\\'],
  [/[`|]/g, '\\$&'],
  // A comparison ("<0.1") opens no tag.
  [/&(?=#?\w+;)/g, '\\&'],
  [/<(?=[A-Za-z/!?])/g, '&lt;'],
  // Brackets alone are no link, and LOINC names are full of them.
  [/\](?=[([:])/g, ']\\'],
  [/!(?=\[)/g, '!\\'],
  // GFM turns bare addresses into links.
  [/:(?=\/\/)/g, '\\:'],
  [/\b(www)(?=\.)/gi, '$1\\'],
  [/(?<=\w)@(?=\w)/g, '\\@'],
  [/\*(?=\S)|(?<=\S)\*/g, '\\*'],
  [/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\_'],
  [/~(?=~)/g, '\\~'],
  // Characters with a meaning at the start of a line only.
  [/^(?=#{1,6}( |$)|>|[-+]( |$)|-{2,}|=+ *$)/, '\\'],
  [/^(\d{1,9})(?=[.)]( |$))/, '$1\\'],
];

function escapeMarkdown(line: string): string {
  return ESCAPES.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line);
}

/** Fences text as written; the fence is longer than any run of backticks inside. */
export function fenced(text: string): string {
  const body = neutralize(revealInvisible(text))
    .trimEnd()
    .replace(/^\s*\n/, '');
  const runs = body.match(/`+/g) ?? [];
  const fence = '`'.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), 3));
  return `${fence}text\n${body}\n${fence}`;
}
