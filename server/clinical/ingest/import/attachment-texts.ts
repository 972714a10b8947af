import type { ParsedResource } from '../../store/found-resource.ts';
import { extractDocument } from '../../entries/attachment.ts';
import { getPath, toElements } from '../../entries/element.ts';

/** Extracts the text of a document of any format; null where it has none or cannot be read. */
export type ExtractText = (document: Buffer) => Promise<string | null>;

/** Loads the texts of the documents attached to some resources, by the digest of the document. */
export type LoadTexts = (
  resources: readonly { row: { body: string }; resource: ParsedResource }[],
) => Promise<ReadonlyMap<string, string>>;

/** Characters that are cached for the case that the same document comes again. */
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/**
 * Creates a loader that extracts each document once in a run: a discharge letter is often attached to several resources, and
 * a page of resources may be built twice.
 */
export function createTextLoader(extractText: ExtractText): LoadTexts {
  let known = new Map<string, string | null>();
  let characters = 0;
  const extractCached = async (digest: string, bytes: Buffer): Promise<string | null> => {
    const cached = known.get(digest);
    if (cached !== undefined) return cached;
    const text = await extractText(bytes);
    characters += text?.length ?? 0;
    if (characters > MAX_CACHED_CHARACTERS) {
      known = new Map();
      characters = text?.length ?? 0;
    }
    known.set(digest, text);
    return text;
  };
  return async (resources) => {
    const found = new Map<string, string>();
    for (const { row, resource } of resources) {
      if (!MAY_HOLD_DOCUMENT.test(row.body)) continue;
      for (const attachment of listAttachments(resource)) {
        const document = extractDocument(attachment);
        const text = document && (await extractCached(document.digest, document.bytes));
        if (text !== null) found.set(document!.digest, text);
      }
    }
    return found;
  };
}

/**
 * A content type, or the first letters of base64 of PDF, RTF, GZIP and XML. Bodies without a match are not parsed for
 * attachments here: entries of 5,000 resources with plain notes are built as fast as without documents.
 */
const MAY_HOLD_DOCUMENT =
  /"contentType"\s*:\s*"[^"]{0,100}(?:pdf|rtf|xml)|"data"\s*:\s*"(?:JVBER|e1xyd|H4sI|77u\/|PD94|PENsaW5pY2Fs)/i;

function listAttachments(resource: ParsedResource): unknown[] {
  if (resource.resourceType === 'DocumentReference')
    return toElements(resource['content']).map((content) => getPath(content, 'attachment'));
  return resource.resourceType === 'DiagnosticReport' ? toElements(resource['presentedForm']) : [];
}
