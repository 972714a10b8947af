import { createHash } from 'node:crypto';
import type { Entry } from './entry.ts';
import type { AttachmentContent } from './attachment.ts';
import { normalizeName } from './codeable-concept.ts';
import { readText } from './element.ts';
import { buildEntryBase, toNamesField, type EntryFacts } from './entry-base.ts';
import { findVisitReference } from './reference.ts';
import type { EntryInput } from './entry-builder.ts';

interface NoteFacts extends Omit<EntryFacts, 'groupKey'> {
  author: string | null;
  docStatus: string | null;
  sameAs: string | null;
}

interface NoteBody extends Omit<AttachmentContent, 'title' | 'digest'> {
  /** null: nothing that could be compared. */
  digest: string | null;
}

/**
 * The same words at the same visit are one note, from whichever resource they come: Synthea writes each note into a
 * DocumentReference and a DiagnosticReport, and v2.5 does not link the two. Not the words alone: 554 notes of one
 * patient have 551 distinct texts.
 */
export function buildNoteEntry(input: EntryInput, facts: NoteFacts, body: NoteBody): Entry {
  const { author, docStatus, sameAs, ...entryFacts } = facts;
  const where = findVisitReference(input) ?? facts.when.day ?? '';
  const { resourceType, id } = input.resource;
  const itself = `${resourceType}/${readText(id) ?? entryFacts.title ?? ''}`;
  const base = buildEntryBase(input, { ...entryFacts, groupKey: `note:${where}:${body.digest ?? itself}` });
  const { text, contentType, unreadable } = body;
  const detail = { text, contentType, unreadable, author, docStatus, sameAs };
  const names = [...buildContentNames(body, base.title), ...(base.names ?? [])];
  return { ...base, ...toNamesField(names), kind: 'note', detail };
}

/** Shorter texts than this say the same of many things: "Normal." */
const MIN_DISTINCTIVE_LENGTH = 100;

/** A text as long as this is one document, whatever day its copies are filed under (sample archive 02: three days). */
const MIN_DOCUMENT_LENGTH = 1000;

/** What it says, whoever says it and wherever: line breaks and spaces are each sender's own. */
function buildContentNames({ text, digest }: NoteBody, title: string): string[] {
  if (text === null) return digest === null ? [] : [`text ${digest}`];
  const words = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const content = words.length < MIN_DISTINCTIVE_LENGTH ? `${normalizeName(title)}: ${words}` : words;
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 32);
  return words.length < MIN_DOCUMENT_LENGTH ? [`text ${hash}`] : [`text ${hash}`, `whole ${hash}`];
}

/** A note whose words stand in the resource itself. */
export function buildTextBody(text: string): NoteBody {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, contentType: 'text/plain', unreadable: null, digest };
}

/** What stands for a document of which the record holds nothing but its name. */
export const NO_CONTENT: NoteBody = { text: null, contentType: null, unreadable: 'no content', digest: null };
