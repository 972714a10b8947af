import type { Conversion, DocumentToConvert } from '../converter.ts';
import { decodeText } from '../decode-text.ts';
import { buildDocumentReference } from '../document-reference.ts';
import { extractHtmlDocumentText } from './html-document-text.ts';

/** An HTML page as a note of its words. */
export function convertHtml(document: DocumentToConvert): Conversion {
  const text = extractHtmlDocumentText(decodeText(document.bytes).text);
  return buildDocumentReference(document, { kind: 'HTML', contentType: 'text/html', text });
}
