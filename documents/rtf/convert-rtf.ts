import type { Conversion, DocumentToConvert } from '../converter.ts';
import { buildDocumentReference } from '../document-reference.ts';
import { readRtfBesides } from './rtf-besides.ts';
import { readRtf } from './rtf-text.ts';

/** Converts an RTF document into a note of its text. Throws DocumentError. */
export function convertRtf(document: DocumentToConvert): Conversion {
  const { text, created, complete } = readRtf(document.bytes);
  const cutOff = {
    position: '',
    code: 'cut_off',
    message: 'The RTF ends before its content does: the end of the document is missing.',
  };
  const notices = complete ? [] : [cutOff];
  const conversion = buildDocumentReference(document, {
    kind: 'RTF',
    contentType: 'application/rtf',
    text,
    created,
    notices,
  });
  return { ...conversion, besides: readRtfBesides(document.bytes) };
}
