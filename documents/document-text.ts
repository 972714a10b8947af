import { recognizeDocument } from './convert-document.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { readCcdaBesides } from './ccda/ccda-besides.ts';
import { extractCcdaText } from './ccda/ccda-text.ts';
import { DocumentError, type Converters } from './converter.ts';

/** For conversions of which only the text is used. */
const NO_DOCUMENT = { path: '', documentId: '00000000-0000-8000-8000-000000000000' };

export interface ExtractedText {
  /** null where the document has none. */
  text: string | null;
  /** False where some of the document was not read: a page or a picture without text, what follows the limit of length. */
  isComplete: boolean;
  /** Words that stand in it beside its text, and are shown to nobody. */
  besides: string[];
  /** The Patients of whom it says that it is, where it is a C-CDA; FHIR stands in `besides`. */
  patients: readonly object[];
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
    const { resources, notices, besides = NOTHING } = await convert({ bytes, ...NO_DOCUMENT });
    const parts = resources.flatMap(({ text }) => readNotes(text));
    // The codes and words of FHIR count as those of the resource around it do.
    const facts = kind === 'fhir-xml' ? [`[${resources.map(({ text }) => text).join()}]`] : [];
    const isComplete =
      notices.length === 0 && besides.isComplete && !hasInlinePicture(bytes.toString('latin1'));
    return { ...joinParts(parts, isComplete, [...besides.words, ...facts]), patients: [] };
  }
  const { narratives, embedded } = extractCcdaText(bytes);
  const hasMedia = bytes.includes('observationMedia');
  const besides = readCcdaBesides(bytes);
  const { readCcdaPatient } = await import('./ccda/ccda-patient.ts');
  const patients = [readCcdaPatient(bytes) ?? []].flat();
  if (embedded === null || depth > 0)
    return { ...joinParts(narratives, embedded === null && !hasMedia, besides), patients };
  const inner = await extractEmbeddedText(converters, embedded);
  const isComplete = inner.isComplete && !hasMedia;
  const joined = joinParts([...narratives, inner.text], isComplete, [...besides, ...inner.besides]);
  return { ...joined, patients: [...patients, ...inner.patients] };
}

/** True for HTML with a picture inside, which may be a scanned page. */
export const hasInlinePicture = (html: string): boolean =>
  /\b(?:src|data|href)\s{0,10}=\s{0,10}["']?data:/i.test(html);

async function extractEmbeddedText(converters: Converters, bytes: Buffer): Promise<ExtractedText> {
  try {
    return await extractDocumentText(converters, bytes, 1);
  } catch (error) {
    if (error instanceof DocumentError) return { text: null, isComplete: false, besides: [], patients: [] };
    throw error;
  }
}

const NOTHING = { words: [], isComplete: true };
const MAX_CHARACTERS = DOCUMENT_LIMITS.textCharacters;

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

function joinParts(
  parts: readonly (string | null)[],
  isComplete: boolean,
  besides: readonly string[],
): Omit<ExtractedText, 'patients'> {
  const text = parts.filter((part) => part !== null && part.trim() !== '').join('\n\n');
  const found = { besides: besides.map((words) => words.slice(0, MAX_CHARACTERS).toWellFormed()) };
  if (text === '') return { ...found, text: null, isComplete: false };
  const isWhole = [text, ...besides].every(({ length }) => length <= MAX_CHARACTERS);
  return {
    ...found,
    text: text.slice(0, MAX_CHARACTERS).toWellFormed(),
    isComplete: isComplete && isWhole,
  };
}
