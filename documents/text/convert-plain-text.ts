import type { Conversion, DocumentToConvert } from '../converter.ts';
import { decodeText } from './decode-text.ts';
import { buildDocumentReference } from '../document-reference.ts';

/** Converts plain text, Markdown included, into a note of that text; only its line ends are normalized. */
export function convertPlainText(document: DocumentToConvert): Conversion {
  const decoded = decodeText(document.bytes).text;
  // PostgreSQL text holds no NUL.
  const text = decoded
    .replace(/^\ufeff/, '')
    .replaceAll('\0', '')
    .replace(/\r\n?/g, '\n');
  return buildDocumentReference(document, {
    kind: 'text',
    contentType: 'text/plain',
    text: text.trim() === '' ? '' : text,
  });
}
