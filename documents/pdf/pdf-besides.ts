import type { getDocumentProxy } from 'unpdf';
import type { WordsBesides } from '../converter.ts';
import { DOCUMENT_LIMITS } from '../document-limits.ts';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

/**
 * Returns the words of a PDF that are no text of its pages: properties, bookmarks, comments, values of forms. Files that it holds,
 * and forms of XFA, are not read.
 */
export async function readPdfBesides(pdf: Pdf, pages: number): Promise<WordsBesides> {
  try {
    const { info, metadata } = await pdf.getMetadata();
    const found = [info, metadata === null ? null : [...metadata], await pdf.getOutline()].flatMap(
      listStrings,
    );
    let hasFiles = (await pdf.getAttachments()) !== null;
    for (let page = 1; page <= pages && countCharacters(found) < DOCUMENT_LIMITS.textCharacters; page++) {
      const annotations = (await (await pdf.getPage(page)).getAnnotations()) as { subtype?: unknown }[];
      for (const text of listStrings(annotations)) found.push(text);
      hasFiles ||= annotations.some(({ subtype }) => subtype === 'FileAttachment');
    }
    const hasForm = (info as { IsXFAPresent?: unknown }).IsXFAPresent === true;
    return { words: [found.join('\n')], isComplete: !hasForm && !hasFiles };
  } catch {
    return { words: [], isComplete: false };
  }
}

const countCharacters = (texts: readonly string[]): number =>
  texts.reduce((sum, { length }) => sum + length, 0);

/** All texts of a value, without recursion: a PDF says how deep its bookmarks are. */
function listStrings(root: unknown): string[] {
  const found: string[] = [];
  const pending: unknown[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') found.push(value);
    else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
      for (const each of Object.values(value)) pending.push(each ?? null);
  }
  return found;
}
