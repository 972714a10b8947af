import { recognized } from './convert-document.ts';
import type { Converters } from './converters.ts';
import { DOCUMENT_LIMITS } from './document-limits.ts';
import { textOfCcda } from './text-of-ccda.ts';
import { DocumentUnreadable } from './converter.ts';

/** For conversions whose resources are thrown away but for their words. */
const NO_DOCUMENT = { path: '', documentId: '00000000-0000-8000-8000-000000000000' };

/**
 * The words of a document that lies inside of a resource; null where it has none. Of a C-CDA all narratives, since its
 * facts are told by the resource around it; a file that is embedded in it in the place of its body is looked into.
 */
export async function textOfDocument(
  converters: Converters,
  packed: Buffer,
  within = 0,
): Promise<string | null> {
  const { kind, bytes } = recognized(packed, '');
  if (kind !== 'ccda') {
    const convert = await converters[kind]();
    const { resources } = await convert({ bytes, ...NO_DOCUMENT });
    return joined(resources.flatMap(({ text }) => notesIn(text)));
  }
  const { narratives, embedded } = textOfCcda(bytes);
  if (embedded === null || within > 0) return joined(narratives);
  return joined([...narratives, await embeddedText(converters, embedded)]);
}

async function embeddedText(converters: Converters, bytes: Buffer): Promise<string | null> {
  try {
    return await textOfDocument(converters, bytes, 1);
  } catch (error) {
    if (error instanceof DocumentUnreadable) return null;
    throw error;
  }
}

interface Note {
  resourceType?: unknown;
  content?: { attachment?: { contentType?: string; data?: string } }[];
}

/** What a converter made of the document's words: attachments of text. */
function notesIn(resource: string): string[] {
  const { resourceType, content } = JSON.parse(resource) as Note;
  if (resourceType !== 'DocumentReference') return [];
  return (content ?? []).flatMap(({ attachment }) =>
    attachment?.contentType?.startsWith('text/plain') && attachment.data
      ? [Buffer.from(attachment.data, 'base64').toString('utf8')]
      : [],
  );
}

function joined(parts: readonly (string | null)[]): string | null {
  const text = parts.filter((part) => part !== null && part.trim() !== '').join('\n\n');
  return text === '' ? null : text.slice(0, DOCUMENT_LIMITS.textCharacters).toWellFormed();
}
