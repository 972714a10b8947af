import { recognizeDocument } from './convert-document.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { extractCcdaText } from './ccda/ccda-text.ts';
import { DocumentError, type Converters } from './converter.ts';

/** For conversions of which only the text is used. */
const NO_DOCUMENT = { path: '', documentId: '00000000-0000-8000-8000-000000000000' };

/**
 * Returns the text of a document that lies inside of a resource; null where it has none. A C-CDA gives all its narratives,
 * since the resource around it holds its facts; a file embedded as its body is read as well.
 */
export async function extractDocumentText(
  converters: Converters,
  packed: Buffer,
  depth = 0,
): Promise<string | null> {
  const { kind, bytes } = recognizeDocument(packed, '');
  if (kind !== 'ccda') {
    const convert = await converters[kind]();
    const { resources } = await convert({ bytes, ...NO_DOCUMENT });
    return joinParts(resources.flatMap(({ text }) => readNotes(text)));
  }
  const { narratives, embedded } = extractCcdaText(bytes);
  if (embedded === null || depth > 0) return joinParts(narratives);
  return joinParts([...narratives, await extractEmbeddedText(converters, embedded)]);
}

async function extractEmbeddedText(converters: Converters, bytes: Buffer): Promise<string | null> {
  try {
    return await extractDocumentText(converters, bytes, 1);
  } catch (error) {
    if (error instanceof DocumentError) return null;
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

function joinParts(parts: readonly (string | null)[]): string | null {
  const text = parts.filter((part) => part !== null && part.trim() !== '').join('\n\n');
  return text === '' ? null : text.slice(0, DOCUMENT_LIMITS.textCharacters).toWellFormed();
}
