import { parseXmlDocument, type Element } from 'slimdom';
import { DocumentUnreadable } from '../converter.ts';
import { decodeText } from '../decode-text.ts';
import { prologOf } from '../xml-prolog.ts';
import { SDTC, V3 } from './elements.ts';
import { DEEPEST, nestsTooDeep, rootTag } from './xml-tags.ts';

/**
 * The root element of a CDA document, or of a part of one. Throws DocumentUnreadable: for what is not well-formed, for a
 * document type (entities are declared there), and for nesting that no document has.
 */
export function parseCda(bytes: Buffer): Element {
  const { text } = decodeText(bytes);
  if (prologOf(text)?.doctype) throw new DocumentUnreadable('doctype_refused', DOCTYPE);
  if (nestsTooDeep(text)) throw new DocumentUnreadable('nested_too_deep', TOO_DEEP);
  const root = parsed(withNamespaces(text)).documentElement;
  if (root?.namespaceURI !== V3) throw new DocumentUnreadable('not_cda', 'The XML is not a CDA document.');
  return root;
}

const DOCTYPE =
  'The XML has a document type declaration (DOCTYPE), which may make a reader open other files; it is not read.';
const TOO_DEEP = `The XML nests its elements more than ${DEEPEST} deep.`;

function parsed(text: string): ReturnType<typeof parseXmlDocument> {
  try {
    return parseXmlDocument(text);
  } catch {
    throw new DocumentUnreadable('not_xml', 'The document is not well-formed XML.');
  }
}

const NAMESPACES = [
  ['xmlns', V3],
  ['xmlns:sdtc', SDTC],
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
] as const;

/**
 * Parts of documents are handed on without the namespaces that their documents declare: 55 of the 56 published ones.
 */
function withNamespaces(text: string): string {
  const tag = rootTag(text);
  if (tag === null || /^<[^\s/>]*:/.test(tag.text)) return text;
  const missing = NAMESPACES.filter(([name]) => !new RegExp(`\\s${name}\\s*=`).test(tag.text));
  const at = tag.start + (/^<[^\s/>]*/.exec(tag.text)?.[0].length ?? 0);
  return `${text.slice(0, at)}${missing.map(([name, uri]) => ` ${name}="${uri}"`).join('')}${text.slice(at)}`;
}
