import { findUnquoted, hasTooManyAttributes } from '../xml/scan.ts';

/** A tag and its range in the text. */
export interface XmlTag {
  kind: 'start' | 'end' | 'empty';
  /** With its prefix. */
  name: string;
  from: number;
  /** Behind the `>`. */
  to: number;
}

/** The text is not well-formed XML, has a document type, which FHIR XML may not, or more attributes than FHIR knows. */
export class XmlError extends Error {
  readonly code: 'not_xml' | 'doctype_refused' | 'too_many_attributes';
  constructor(code: XmlError['code']) {
    super(code);
    this.code = code;
  }
}

const NAME = /[\p{L}_:][\p{L}\p{N}\p{M}_:.·-]{0,255}/uy;

/**
 * Yields the tags of a document in one pass. It only finds where elements begin and end: their content is validated by the
 * XML parser, piece by piece. Throws XmlError.
 */
export function* readXmlTags(text: string): Generator<XmlTag> {
  let at = text.indexOf('<');
  while (at >= 0) {
    if (text.startsWith('<!--', at)) at = skipPastOrThrow(text, '-->', at + 4);
    else if (text.startsWith('<![CDATA[', at)) at = skipPastOrThrow(text, ']]>', at + 9);
    else if (text.startsWith('<?', at)) at = skipPastOrThrow(text, '?>', at + 2);
    else if (text.startsWith('<!', at))
      throw new XmlError(/^<!doctype/i.test(text.slice(at, at + 9)) ? 'doctype_refused' : 'not_xml');
    else {
      const tag = parseTag(text, at);
      yield tag;
      at = tag.to;
    }
    at = text.indexOf('<', at);
  }
}

function parseTag(text: string, from: number): XmlTag {
  const isEnd = text[from + 1] === '/';
  NAME.lastIndex = from + (isEnd ? 2 : 1);
  const name = NAME.exec(text)?.[0];
  if (name === undefined) throw new XmlError('not_xml');
  const to = findTagEnd(text, NAME.lastIndex);
  if (hasTooManyAttributes(text, from + 1)) throw new XmlError('too_many_attributes');
  return { kind: isEnd ? 'end' : text[to - 2] === '/' ? 'empty' : 'start', name, from, to };
}

function findTagEnd(text: string, start: number): number {
  const end = findUnquoted(text, '<>', start);
  if (text[end] !== '>') throw new XmlError('not_xml');
  return end + 1;
}

function skipPastOrThrow(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found < 0) throw new XmlError('not_xml');
  return found + mark.length;
}
