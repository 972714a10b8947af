import type { Conversion, DocumentToConvert } from '../converter.ts';
import { decodeText } from '../decode-text.ts';
import { noteDocument } from '../note-document.ts';
import { textOfHtmlDocument } from './text-of-html-document.ts';

/** An HTML page as a note of its words. */
export function convertHtml(document: DocumentToConvert): Conversion {
  const text = textOfHtmlDocument(decodeText(document.bytes).text);
  return noteDocument(document, { kind: 'HTML', contentType: 'text/html', text });
}
