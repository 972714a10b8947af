import type { ParsedResource } from '../../store/found-resource.ts';
import type { ExtractedText } from '../../../../documents/document-text.ts';
import { extractDocument } from '../../entries/attachment.ts';
import { listContents } from '../../labels/embedded-content.ts';

/** Extracts the text of a document of any format; null where it cannot be read. */
export type ExtractText = (document: Buffer) => Promise<ExtractedText | null>;

/** Loads the texts of the documents attached to some resources, by the digest of the document. */
export type LoadTexts = (
  resources: readonly { row: { body: string }; resource: ParsedResource }[],
) => Promise<ReadonlyMap<string, ExtractedText>>;

/** Characters that are cached for the case that the same document comes again. */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/**
 * Creates a loader that extracts each document once in a run: a discharge letter is often attached to several resources, and
 * a page of resources may be built twice.
 */
export function createTextLoader(extractText: ExtractText): LoadTexts {
  let known = new Map<string, ExtractedText | null>();
  let characters = 0;
  const extractCached = async (digest: string, bytes: Buffer): Promise<ExtractedText | null> => {
    const cached = known.get(digest);
    if (cached !== undefined) return cached;
    const extracted = await extractText(bytes);
    const length = extracted?.text?.length ?? 0;
    characters += length;
    if (characters > MAX_CACHED_CHARACTERS) {
      known = new Map();
      characters = length;
    }
    known.set(digest, extracted);
    return extracted;
  };
  return async (resources) => {
    const found = new Map<string, ExtractedText>();
    for (const { row, resource } of resources) {
      if (!MAY_HOLD_DOCUMENT.test(row.body)) continue;
      for (const { element } of listContents(resource)) {
        const document = extractDocument(element);
        const extracted = document && (await extractCached(document.digest, document.bytes));
        if (document && extracted) found.set(document.digest, extracted);
      }
    }
    return found;
  };
}

/**
 * A content type, or the first letters of base64 of PDF, RTF, GZIP and XML, or content within a URL. Bodies without a match
 * are not searched for documents: entries of 5,000 resources with plain notes are built as fast as without documents. What
 * is written so that it escapes the pattern is not read, and needs all restricted classes.
 */
const MAY_HOLD_DOCUMENT =
  /"contentType"\s*:\s*"[^"]{0,100}(?:pdf|rtf|xml)|"(?:data|valueBase64Binary)"\s*:\s*"(?:JVBER|e1xyd|H4sI|77u\/|PD94|PENsaW5pY2Fs)|"url"\s*:\s*"data:/i;
