import { findUnquoted, hasTooManyAttributes, skipPast } from '../xml/scan.ts';

/** How deep elements may nest; the published documents reach 30. */
export const MAX_DEPTH = 200;

export type MarkupFault = 'nested_too_deep' | 'too_many_attributes';

/**
 * Returns what no document has and a parser would take too long over, by counting tags and attributes before it builds a
 * tree; null for what it may read.
 */
export function findMarkupFault(text: string): MarkupFault | null {
  let depth = 0;
  let at = text.indexOf('<');
  while (at >= 0) {
    const end = skipMarkup(text, at);
    if (text[at + 1] === '/') depth--;
    else if (isStartTag(text, at)) {
      if (hasTooManyAttributes(text, at + 1)) return 'too_many_attributes';
      if (text[end - 2] !== '/' && ++depth > MAX_DEPTH) return 'nested_too_deep';
    }
    at = text.indexOf('<', end);
  }
  return null;
}

/** Finds the start tag of the root and its position; returns null where there is none. */
export function findRootTag(text: string): { text: string; start: number } | null {
  let at = text.indexOf('<');
  while (at >= 0 && !isStartTag(text, at)) at = text.indexOf('<', skipMarkup(text, at));
  return at < 0 ? null : { text: text.slice(at, skipMarkup(text, at)), start: at };
}

const isStartTag = (text: string, at: number): boolean => !'!?/'.includes(text[at + 1] ?? '!');

/** Returns the end of a tag, a comment, a CDATA section or an instruction; the end of the text where it is not closed. */
function skipMarkup(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return skipPast(text, '-->', at + 4);
  if (text.startsWith('<![CDATA[', at)) return skipPast(text, ']]>', at + 9);
  if (text.startsWith('<?', at)) return skipPast(text, '?>', at + 2);
  return Math.min(findUnquoted(text, '>', at + 1) + 1, text.length);
}
