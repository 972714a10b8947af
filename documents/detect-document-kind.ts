import { decodeText } from './text/decode-text.ts';
import { detectMediaType } from './magic-bytes.ts';
import { parseProlog, type Prolog } from './xml/prolog.ts';

export type DocumentKind = 'ccda' | 'fhir-xml' | 'pdf' | 'rtf' | 'html' | 'text';

/** Why a document is not read at all. */
export type RefusalCode = 'unsupported_kind' | 'doctype_refused';

export const REFUSAL_MESSAGES: Readonly<Record<RefusalCode, string>> = {
  unsupported_kind: 'The file is of a kind that is not read into the record; it is kept as a document.',
  doctype_refused:
    'The XML has a document type declaration (DOCTYPE), which may make a reader open other files; it is not read.',
};

export interface Detection {
  /** Null for a kind that is not read; `refusal` says why. */
  kind: DocumentKind | null;
  refusal: RefusalCode | null;
  /** Detected from the bytes, whatever the name of the file. */
  contentType: string;
}

/**
 * Detects the kind of a document by its first bytes and its content, by its name only where the content leaves it open.
 * `bytes` may be the start of the document; what follows that start is not seen.
 */
export function detectDocumentKind(bytes: Buffer, path: string): Detection {
  const type = detectMediaType(bytes);
  if (type === 'application/pdf') return accept('pdf', type);
  if (type === 'application/rtf') return accept('rtf', type);
  if (type !== null) return refusal('unsupported_kind', type);
  const { text } = decodeText(bytes);
  const prolog = parseProlog(text);
  const detection =
    (prolog && detectXmlKind(prolog, text)) ??
    (looksLikeHtml(text, path) ? accept('html', 'text/html') : null);
  if (detection) return detection;
  // Readers of PDF skip what precedes it (a mail's headers, a printer's commands; ISO 32000-1, annex H, 3.4.1).
  if (/%PDF-\d/.test(bytes.toString('latin1', 0, 1024))) return accept('pdf', 'application/pdf');
  if (prolog?.root && !(isNamedText(path) && !DECLARED_XML.test(text)))
    return refusal('unsupported_kind', 'application/xml');
  return detectTextKind(text, path);
}

const DECLARED_XML = /^\s{0,100}<\?xml\s/;

const accept = (kind: DocumentKind, contentType: string): Detection => ({ kind, refusal: null, contentType });
const refusal = (code: RefusalCode, contentType: string): Detection => ({
  kind: null,
  refusal: code,
  contentType,
});

/** How many characters are searched for the marks of a kind. */
const HEAD = 64 * 1024;

const CDA = 'urn:hl7-org:v3';
const FHIR = 'http://hl7.org/fhir';
const XHTML = 'http://www.w3.org/1999/xhtml';

/** Elements of CDA that are published by themselves, as examples are; without a namespace in 55 of 56. */
const CDA_PARTS = new Set('component section entry recordTarget documentationOf structuredBody'.split(' '));

/** HTML has sections as well, but none of these. */
const CDA_MARKUP = /<(?:templateId|patientRole|serviceEvent)[\s/>]/;

/** Returns null for XML of an unknown kind. */
function detectXmlKind({ doctype, hasSubset, root }: Prolog, text: string): Detection | null {
  const isHtml = /^<!doctype\s{1,20}html(?![^\s>])/i.test(doctype) || isHtmlRoot(root);
  // An internal subset may declare entities: files that the parser opens, a text of a billion words.
  if (doctype !== '' && (hasSubset || !isHtml)) return refusal('doctype_refused', 'application/xml');
  if (isHtml) return accept('html', 'text/html');
  if (root?.namespace === FHIR) return accept('fhir-xml', 'application/fhir+xml');
  const isPart = root?.namespace === '' && CDA_PARTS.has(root.name) && CDA_MARKUP.test(text.slice(0, HEAD));
  return root?.namespace === CDA || isPart ? accept('ccda', 'application/hl7-v3+xml') : null;
}

const isHtmlRoot = (root: Prolog['root']): boolean =>
  root !== null &&
  (root.namespace === XHTML || (root.namespace === '' && root.name.toLowerCase() === 'html'));

const HTML_START =
  /^\s{0,1000}<(?:head|body|title|meta|link|style|table|div|p|h[1-6]|pre|font|center|span|br|b|hr)[\s/>]/i;

/** True for HTML without its own root, and for a file named HTML that has any tags. */
function looksLikeHtml(text: string, path: string): boolean {
  const head = text.slice(0, HEAD);
  if (HTML_START.test(head)) return true;
  return /\.x?html?(?:\.gz)?$/i.test(path) && /<\/?[a-z][a-z0-9]{0,20}[\s/>]/i.test(head);
}

const isNamedText = (path: string): boolean => /\.(?:txt|text|md|asc)(?:\.gz)?$/i.test(path);

/** Messages, tables and logs are text as well, but no notes. */
function detectTextKind(text: string, path: string): Detection {
  if (!isText(text)) return refusal('unsupported_kind', 'application/octet-stream');
  if (/^\v?(?:MSH|FHS|BHS)[|^~\\&#]/.test(text.trimStart()))
    return refusal('unsupported_kind', 'x-application/hl7-v2+er7');
  // Nobody reads what it says, but any program does.
  if (isToken(text)) return refusal('unsupported_kind', 'application/jose');
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(path)) return refusal('unsupported_kind', 'text/csv');
  if (isNamedText(path)) return accept('text', 'text/plain');
  if (isJson(text)) return refusal('unsupported_kind', 'application/json');
  if (/\.log(?:\.\d{1,3})?(?:\.gz)?$/i.test(path)) return refusal('unsupported_kind', 'text/plain');
  return isTable(text) ? refusal('unsupported_kind', 'text/csv') : accept('text', 'text/plain');
}

/** True for nothing but compact JWS or JWE (RFC 7515 §7.1, RFC 7516 §7.1): one, in lines or not, of which this may be the start, or several. */
function isToken(text: string): boolean {
  if (!/^\s{0,100}eyJ/.test(text)) return false;
  const parts = text
    .slice(0, HEAD)
    .trim()
    .split(/[\r\n]+/);
  return TOKEN.test(parts.join('')) || parts.every((part) => TOKEN.test(part));
}

/** Its header is an object of JSON: `{"` in base64. */
const TOKEN = /^eyJ[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){1,4}$/;

/** True without any NUL and with few other control characters: a form feed, a bell of an old printer. */
export function isText(text: string): boolean {
  if (text.includes('\0')) return false;
  let strange = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (
      (code < 0x20 && (code < 0x09 || code > 0x0d) && code !== 0x1b) ||
      (code >= 0x7f && code < 0xa0) ||
      code === 0xfffd
    )
      strange++;
  }
  return strange * 50 <= text.length;
}

function isJson(text: string): boolean {
  if (!/^\s*(?:[[{"]|(?:null|true|false)\s*$)/.test(text.slice(0, 1000)) || text.length > 64 * 1024)
    return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** True for four lines or more, each with the same number, at least two, of the same separator. */
function isTable(text: string): boolean {
  const lines = text
    .slice(0, 16 * 1024)
    .split(/\r?\n/)
    .slice(0, 20)
    .filter((line) => line.trim() !== '');
  if (lines.length < 4) return false;
  return [',', ';', '\t', '|'].some((separator) => {
    const counts = new Set(lines.slice(0, -1).map((line) => line.split(separator).length - 1));
    const [count = 0] = counts;
    return counts.size === 1 && count >= 2;
  });
}
