import type { Conversion, DocumentToConvert } from '../converter.ts';
import { decodeText } from './decode-text.ts';
import { buildDocumentReference } from '../document-reference.ts';

/** Text, Markdown among it, as a note of just that text: only its line ends become those of everybody else. */
export function convertPlainText(document: DocumentToConvert): Conversion {
  const decoded = decodeText(document.bytes).text;
  // PostgreSQL text holds no NUL, and no note does.
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
