import { mentionsFhirJson, mentionsFhirXml } from '../../../documents/fhir/mentions-fhir.ts';
import { hasInlinePicture, type ExtractedText } from '../../../documents/document-text.ts';
import { DATA_URL, readAttachment } from '../entries/attachment.ts';
import type { Element } from '../entries/element.ts';
import { decodeWithin } from './decode-within.ts';
import { readJson } from './json-in-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';

/** Returns what was extracted of a document by its digest; null where it could not be read. */
export type GetExtractedText = (digest: string) => ExtractedText | null;

/** Content inside of a resource: an Attachment, a Binary, or a base64Binary by itself. */
export interface EmbeddedContent {
  element: Element;
  /** A photograph of a person or place: nobody reads words in it. */
  isPhoto: boolean;
  /** A signature or a bar code: its words count where it has any, and it is mostly no text. */
  mayBeOpaque?: true;
}

/** Content that is there and was not read, or not wholly. */
export interface UnreadContent {
  /** The same content, the same digest: a statement about it counts wherever it stands. */
  digest: string;
  title: string | null;
  /** "PDF, 120 kB": kind and size. */
  description: string;
}

/**
 * Returns the content that an element holds, in whatever type of resource and at whatever depth: FHIR R4 has 39 paths of an
 * Attachment, and extensions have any. SampledData, whose `data` is numbers, and a Signature, which mostly signs what stands
 * elsewhere and may hold it as well, are the only other types with an element of that name.
 */
export function findContent(element: Element, name: string): EmbeddedContent[] {
  const found: EmbeddedContent[] = [];
  const hasInline = typeof element['url'] === 'string' && DATA_URL.test(element['url']);
  const { data } = element;
  if (isSignature(element)) {
    if (typeof data === 'string') found.push({ element: { data }, isPhoto: false, mayBeOpaque: true });
  } else if ((typeof data === 'string' && !isSampledData(element)) || hasInline)
    found.push({ element, isPhoto: name === 'photo' });
  if (typeof data === 'string' && hasInline)
    found.push({ element: { ...element, data: undefined }, isPhoto: name === 'photo' });
  for (const key of BASE64_ELEMENTS) {
    const base64 = element[key];
    if (typeof base64 === 'string') found.push({ element: { data: base64 }, isPhoto: false });
  }
  if (typeof element['carrierAIDC'] === 'string')
    found.push({ element: { data: element['carrierAIDC'] }, isPhoto: false, mayBeOpaque: true });
  return found;
}

const INLINE = /\bdata:(?:[a-z]+\/[\w.+-]+)?(?:;[\w=.+-]+){0,5},[^\s"'<>]+/g;

/** Finds the content that addresses in a string hold themselves (RFC 2397): of a link or a picture in a narrative, of an extension. */
export const findInlineContents = (text: string): EmbeddedContent[] =>
  (text.match(INLINE) ?? []).map((url) => ({ element: { url }, isPhoto: true }));

const BASE64_ELEMENTS = ['valueBase64Binary', 'defaultValueBase64Binary', 'query'];

const isSampledData = (element: Element): boolean => 'dimensions' in element && 'origin' in element;

const isSignature = (element: Element): boolean => 'who' in element && 'when' in element;

/** Lists all content of a resource, without recursion. */
export function listContents(resource: ParsedResource): EmbeddedContent[] {
  const found: EmbeddedContent[] = [];
  const pending: [node: object, name: string][] = [[resource, '']];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, name] = next;
    if (!Array.isArray(node)) found.push(...findContent(node as Element, name));
    for (const [key, value] of Object.entries(node))
      if (typeof value === 'object' && value !== null)
        pending.push([value as object, Array.isArray(node) ? name : key]);
  }
  return found;
}

/**
 * Reads the words of contents, and finds what could not be read. `onValue` gets each JSON value in them; where it is null, what
 * holds one is not read.
 */
export function readContents(
  contents: readonly EmbeddedContent[],
  getText: GetExtractedText,
  onValue: ((value: object) => void) | null,
): { texts: string[]; unread: UnreadContent[] } {
  const texts: string[] = [];
  const unread: UnreadContent[] = [];
  for (const { element, isPhoto, mayBeOpaque } of contents) {
    const content = readAttachment(element, (digest) => getText(digest)?.text ?? null);
    if (content === null) continue;
    const { text, digest, markup, unreadable } = content;
    const besides = getText(digest)?.besides ?? [];
    const within = decodeWithin(text ?? '');
    const others = [markup, ...besides, ...within.words].filter((each) => typeof each === 'string');
    texts.push(...[text ?? '', ...others, ...within.rewritten].filter((each) => each !== ''));
    const isFhirRead = readFhir(text ?? '', { others, rewritten: within.rewritten }, onValue);
    if (mayBeOpaque || unreadable === 'empty' || (isPhoto && /image,/.test(unreadable ?? ''))) continue;
    const isWhole = getText(digest)?.isComplete ?? !hasInlinePicture(markup ?? '');
    const isComplete = isWhole && within.isComplete && isFhirRead;
    if (text !== null && isComplete) continue;
    const title = content.title ?? content.contentType;
    unread.push({ digest, title, description: unreadable ?? 'read in part' });
  }
  return { texts, unread };
}

/** Reads the JSON in a text and in what else was found of it. Returns false where FHIR is left that was not read. */
function readFhir(
  text: string,
  { others, rewritten }: { others: readonly string[]; rewritten: readonly string[] },
  onValue: ((value: object) => void) | null,
): boolean {
  let values = 0;
  const read = (each: string): boolean =>
    readJson(each, (value) => {
      values++;
      onValue?.(value);
    });
  let isRead = read(text) && !mentionsFhirXml(text);
  const isJson = values > 0 || mentionsFhirJson(text);
  for (const each of isJson ? others : [...others, ...rewritten])
    if (!read(each) && !isJson && mentionsFhirJson(each)) isRead = false;
  return isRead && (values === 0 || onValue !== null);
}
