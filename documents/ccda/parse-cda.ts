import { parseXmlDocument, type Element } from 'slimdom';
import { DocumentError } from '../converter.ts';
import { decodeText } from '../text/decode-text.ts';
import { REFUSAL_MESSAGES } from '../detect-document-kind.ts';
import { parseProlog } from '../xml/prolog.ts';
import { SDTC_NS, HL7_V3_NS } from './elements.ts';
import { MAX_ATTRIBUTES } from '../xml/scan.ts';
import { MAX_DEPTH, findMarkupFault, findRootTag, type MarkupFault } from './xml-tags.ts';

/**
 * Parses a CDA document, or a part of one, and returns its root element. Throws DocumentError: for XML that is not
 * well-formed, for a document type (entities are declared there), and for nesting and attributes that no document has.
 */
export function parseCda(bytes: Buffer): Element {
  const { text } = decodeText(bytes);
  if (parseProlog(text)?.doctype)
    throw new DocumentError('doctype_refused', REFUSAL_MESSAGES.doctype_refused);
  const fault = findMarkupFault(text);
  if (fault !== null) throw new DocumentError(fault, MARKUP_FAULTS[fault]);
  const root = parseXml(addMissingNamespaces(text)).documentElement;
  if (root?.namespaceURI !== HL7_V3_NS) throw new DocumentError('not_cda', 'The XML is not a CDA document.');
  return root;
}

const MARKUP_FAULTS: Readonly<Record<MarkupFault, string>> = {
  nested_too_deep: `The XML nests its elements more than ${MAX_DEPTH} deep.`,
  too_many_attributes: `An element of the XML has more than ${MAX_ATTRIBUTES} attributes.`,
};

function parseXml(text: string): ReturnType<typeof parseXmlDocument> {
  try {
    return parseXmlDocument(text);
  } catch {
    throw new DocumentError('not_xml', 'The document is not well-formed XML.');
  }
}

const NAMESPACES = [
  ['xmlns', HL7_V3_NS],
  ['xmlns:sdtc', SDTC_NS],
  ['xmlns:xsi', 'http://www.w3.org/2001/XMLSchema-instance'],
] as const;

/**
 * Adds the namespaces that parts of documents lack, since their documents declare them: 55 of the 56 published ones.
 */
function addMissingNamespaces(text: string): string {
  const tag = findRootTag(text);
  if (tag === null || /^<[^\s/>]*:/.test(tag.text)) return text;
  const missing = NAMESPACES.filter(([name]) => !new RegExp(`\\s${name}\\s*=`).test(tag.text));
  const at = tag.start + (/^<[^\s/>]*/.exec(tag.text)?.[0].length ?? 0);
  return `${text.slice(0, at)}${missing.map(([name, uri]) => ` ${name}="${uri}"`).join('')}${text.slice(at)}`;
}
