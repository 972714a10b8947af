import { recognizeDocument } from './convert-document.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { extractCcdaText } from './ccda/ccda-text.ts';
import { DocumentError, type Converters } from './converter.ts';

/** For conversions of which only the text is used. */
const NO_DOCUMENT = { path: '', documentId: '00000000-0000-8000-8000-000000000000' };

export interface ExtractedText {
  /** null where the document has none. */
  text: string | null;
  /** False where some of the document was not read: a page or a picture without text, what follows the limit of length. */
  isComplete: boolean;
}

/**
 * Returns the text of a document that lies inside of a resource. A C-CDA gives all its narratives, since the resource around
 * it holds its facts; a file embedded as its body is read as well.
 */
export async function extractDocumentText(
  converters: Converters,
  packed: Buffer,
  depth = 0,
): Promise<ExtractedText> {
  const { kind, bytes } = recognizeDocument(packed, '');
  if (kind !== 'ccda') {
    const convert = await converters[kind]();
    const { resources, notices } = await convert({ bytes, ...NO_DOCUMENT });
    const parts = resources.flatMap(({ text }) => readNotes(text));
    return joinParts(
      parts,
      notices.length === 0 && !bytes.includes('\\pict') && !hasInlinePicture(bytes.toString('latin1')),
    );
  }
  const { narratives, embedded } = extractCcdaText(bytes);
  const hasMedia = bytes.includes('observationMedia');
  if (embedded === null || depth > 0) return joinParts(narratives, embedded === null && !hasMedia);
  const inner = await extractEmbeddedText(converters, embedded);
  return joinParts([...narratives, inner.text], inner.isComplete && !hasMedia);
}

/** True for HTML with a picture inside, which may be a scanned page. */
export const hasInlinePicture = (html: string): boolean =>
  /\b(?:src|data|href)\s{0,10}=\s{0,10}["']?data:/i.test(html);

async function extractEmbeddedText(converters: Converters, bytes: Buffer): Promise<ExtractedText> {
  try {
    return await extractDocumentText(converters, bytes, 1);
  } catch (error) {
    if (error instanceof DocumentError) return { text: null, isComplete: false };
    throw error;
  }
}

interface Note {
  resourceType?: unknown;
  content?: { attachment?: { contentType?: string; data?: string } }[];
}

/** Returns the texts that a converter put into attachments. */
function readNotes(resource: string): string[] {
  const { resourceType, content } = JSON.parse(resource) as Note;
  if (resourceType !== 'DocumentReference') return [];
  return (content ?? []).flatMap(({ attachment }) =>
    attachment?.contentType?.startsWith('text/plain') && attachment.data
      ? [Buffer.from(attachment.data, 'base64').toString('utf8')]
      : [],
  );
}

function joinParts(parts: readonly (string | null)[], isComplete: boolean): ExtractedText {
  const text = parts.filter((part) => part !== null && part.trim() !== '').join('\n\n');
  if (text === '') return { text: null, isComplete: false };
  const read = text.slice(0, DOCUMENT_LIMITS.textCharacters).toWellFormed();
  return { text: read, isComplete: isComplete && text.length <= DOCUMENT_LIMITS.textCharacters };
}
