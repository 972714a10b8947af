import { isFhir } from '../../../documents/fhir/mentions-fhir.ts';
import type { Entry } from './entry.ts';
import { computeDigest, readAttachment, type AttachmentContent, type GetDocumentText } from './attachment.ts';
import { normalizeName } from './codeable-concept.ts';
import { readText } from './element.ts';
import { buildEntryBase, toNamesField, type EntryFacts } from './entry-base.ts';
import { collectRelations } from './document-relations.ts';
import { findVisitReference } from './reference.ts';
import type { EntryInput } from './entry-builder.ts';

interface NoteFacts extends Omit<EntryFacts, 'groupKey'> {
  author: string | null;
  docStatus: string | null;
  sameAs: string | null;
  /** What the document, or the one it is a part of, is called besides its type. */
  displays?: readonly string[];
}

interface NoteBody extends Omit<AttachmentContent, 'title' | 'digest'> {
  /** null: there is no content to compare. */
  digest: string | null;
}

/**
 * The same words at the same visit are one note, from whichever resource they come: Synthea writes each note into a
 * DocumentReference and a DiagnosticReport, and v2.5 does not link the two. Not the words alone: 554 notes of one
 * patient have 551 distinct texts.
 */
export function buildNoteEntry(input: EntryInput, facts: NoteFacts, body: NoteBody): Entry {
  const { author, docStatus, sameAs, displays = [], ...entryFacts } = facts;
  const where = findVisitReference(input) ?? facts.when.day ?? '';
  const { resourceType, id } = input.resource;
  const itself = `${resourceType}/${readText(id) ?? entryFacts.title ?? ''}`;
  const relations = collectRelations(input.resource);
  const {
    links: _links,
    displays: _types,
    ...base
  } = buildEntryBase(input, {
    ...entryFacts,
    groupKey: `note:${where}:${body.digest ?? itself}`,
  });
  const { text, contentType, unreadable } = body;
  const detail = { text, contentType, unreadable, author, docStatus, sameAs };
  const names = [...buildContentNames(body, base.title), ...(base.names ?? [])];
  return {
    ...base,
    ...toNamesField(names),
    ...(displays.length === 0 ? {} : { displays }),
    ...(relations.length === 0 ? {} : { links: relations }),
    kind: 'note',
    detail,
  };
}

/** Shorter texts are no names: "Normal." says the same of many things. */
const MIN_DISTINCTIVE_LENGTH = 100;

/** A copy without a date of a text as long as this is that note, whatever its day: what is shorter may be a phrase. */
const MIN_COPY_LENGTH = 200;

/** Copies of a text as long as this are one document, whatever day they are filed under (sample archive 02: three days). */
const MIN_DOCUMENT_LENGTH = 1000;

/** White space but a single blank, which is what most of it is. */
const UNEVEN_SPACE = /[^\S ]\s*| \s+/g;

/** Names a note by its words, by which record linkage finds copies: line breaks and spaces are each sender's own. */
function buildContentNames({ text, digest }: NoteBody, title: string): string[] {
  if (text === null) return digest === null ? [] : [`text ${digest}`];
  const words = text.normalize('NFKC').replace(UNEVEN_SPACE, ' ').trim();
  const content = words.length < MIN_DISTINCTIVE_LENGTH ? `${normalizeName(title)}: ${words}` : words;
  const hash = computeDigest(content);
  return [
    `text ${hash}`,
    ...(words.length >= MIN_COPY_LENGTH ? [`copy ${hash}`] : []),
    ...(words.length >= MIN_DOCUMENT_LENGTH ? [`whole ${hash}`] : []),
  ];
}

/** Reads the body of a note from an attachment; null where it holds none. FHIR in it is no note, as a file of it is none. */
export function readAttachedBody(
  attachment: unknown,
  getDocumentText: GetDocumentText | undefined,
): AttachmentContent | null {
  const content = readAttachment(attachment, getDocumentText);
  return content !== null && isFhir(content.text ?? '')
    ? { ...content, text: null, unreadable: 'FHIR data' }
    : content;
}

/** Builds the body of a note whose words stand in the resource itself. */
export function buildTextBody(text: string): NoteBody {
  return { text, contentType: 'text/plain', unreadable: null, digest: computeDigest(text) };
}

/** The body of a document of which the record holds only the name. */
export const NO_CONTENT: NoteBody = { text: null, contentType: null, unreadable: 'no content', digest: null };
