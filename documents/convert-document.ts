import { DocumentError, type Conversion, type Converters, type DocumentToConvert } from './converter.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { detectDocumentKind, REFUSAL_MESSAGES, type DocumentKind } from './detect-document-kind.ts';
import { unwrap } from './unwrap.ts';

/** Converts a document by the converter of its kind. Throws DocumentError, or whatever a converter throws. */
export async function convertDocument(
  converters: Converters,
  document: DocumentToConvert,
): Promise<Conversion> {
  const { kind, bytes } = recognizeDocument(document.bytes, document.path);
  const convert = await converters[kind]();
  const { resources, notices, bundles } = await convert({ ...document, bytes });
  let total = 0;
  for (const { text } of resources) {
    total += text.length;
    if (text.length > DOCUMENT_LIMITS.resourceBytes) throw createTooLargeError();
  }
  if (total > DOCUMENT_LIMITS.outputBytes || resources.length > DOCUMENT_LIMITS.resources)
    throw createTooLargeError();
  return { resources, notices, ...(bundles && { bundles }) };
}

/** Returns the kind of a document and its bytes unpacked. Throws DocumentError. */
export function recognizeDocument(packed: Buffer, path: string): { kind: DocumentKind; bytes: Buffer } {
  const bytes = unwrap(packed);
  const { kind, refusal } = detectDocumentKind(bytes, path);
  if (kind !== null) return { kind, bytes };
  const code = refusal ?? 'unsupported_kind';
  throw new DocumentError(code, REFUSAL_MESSAGES[code]);
}

const createTooLargeError = (): DocumentError =>
  new DocumentError('document_too_large', 'The document holds more than a record takes from one document.');
