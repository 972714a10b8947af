import { findUnquoted, skipPast } from './scan.ts';

/** What precedes the content of an XML document, read without a parser, which might resolve entities. */
export interface Prolog {
  /** The text of `<!DOCTYPE …` up to its first `>` or `[`; "" where there is none. */
  doctype: string;
  /** Whether the document type has an internal subset: entities are declared there. */
  hasSubset: boolean;
  /** Null where no element begins, or where this is no XML. */
  root: { name: string; namespace: string } | null;
}

/** A start tag with all namespaces of a C-CDA has 1 KiB. */
const MAX_TAG_LENGTH = 64 * 1024;

/** Parses the prolog in one pass; returns null for a text that does not begin as XML does. */
export function parseProlog(text: string): Prolog | null {
  const prolog: Prolog = { doctype: '', hasSubset: false, root: null };
  let at = skipWhitespace(text, text.charCodeAt(0) === 0xfeff ? 1 : 0);
  if (text[at] !== '<') return null;
  for (;;) {
    if (text.startsWith('<?', at)) at = skipPast(text, '?>', at + 2);
    else if (text.startsWith('<!--', at)) at = skipPast(text, '-->', at + 4);
    else if (text.startsWith('<!', at)) {
      // XML 1.0 §2.8 allows no markup declaration before the root except the document type; others are treated like it.
      const end = findPosition(text, /[>[]/g, at);
      prolog.doctype = text.slice(at, end).slice(0, MAX_TAG_LENGTH);
      prolog.hasSubset = text[end] === '[';
      if (prolog.hasSubset) return prolog;
      at = end + 1;
    } else {
      prolog.root = parseRoot(text, at);
      return prolog;
    }
    at = skipWhitespace(text, at);
  }
}

const ATTRIBUTE = /\s([^\s=<>"'/]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

function parseRoot(text: string, at: number): Prolog['root'] {
  const tag = text.slice(at, at + MAX_TAG_LENGTH);
  const [, prefix = '', name] =
    /^<(?:([\p{L}_][\p{L}\p{N}_.-]*):)?([\p{L}_][\p{L}\p{N}_.-]*)(?=[\s/>])/u.exec(tag) ?? [];
  if (name === undefined) return null;
  const declares = prefix === '' ? 'xmlns' : `xmlns:${prefix}`;
  const end = findUnquoted(tag, '>', 1);
  for (const [, attribute, double, single] of tag.slice(0, end).matchAll(ATTRIBUTE))
    if (attribute === declares) return { name, namespace: double ?? single ?? '' };
  return { name, namespace: '' };
}

function skipWhitespace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++;
  return at;
}

function findPosition(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
