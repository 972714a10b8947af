import { DocumentUnreadable, type Conversion, type DocumentToConvert } from './converter.ts';
import type { Converters } from './converters.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { kindOfDocument, type DocumentKind, type Refused } from './kind-of-document.ts';
import { unwrapped } from './unwrap.ts';

/** A document by the converter of its kind. Throws DocumentUnreadable, or whatever a converter throws. */
export async function convertDocument(
  converters: Converters,
  document: DocumentToConvert,
): Promise<Conversion> {
  const { kind, bytes } = recognized(document.bytes, document.path);
  const convert = await converters[kind]();
  const { resources, notices } = await convert({ ...document, bytes });
  let total = 0;
  for (const { text } of resources) {
    total += text.length;
    if (text.length > DOCUMENT_LIMITS.resourceBytes) throw tooMuch();
  }
  if (total > DOCUMENT_LIMITS.outputBytes || resources.length > DOCUMENT_LIMITS.resources) throw tooMuch();
  return { resources, notices };
}

/** What a document is, and its bytes without what they were packed into. Throws DocumentUnreadable. */
export function recognized(packed: Buffer, path: string): { kind: DocumentKind; bytes: Buffer } {
  const bytes = unwrapped(packed);
  const { kind, refused } = kindOfDocument(bytes, path);
  if (kind !== null) return { kind, bytes };
  const code = refused ?? 'unsupported_kind';
  throw new DocumentUnreadable(code, REFUSALS[code]);
}

export const REFUSALS: Readonly<Record<Refused, string>> = {
  unsupported_kind: 'The file is of a kind that is not read into the record; it is kept as a document.',
  doctype_refused:
    'The XML has a document type declaration (DOCTYPE), which may make a reader open other files; it is not read.',
};

const tooMuch = (): DocumentUnreadable =>
  new DocumentUnreadable(
    'document_too_large',
    'The document holds more than a record takes from one document.',
  );
