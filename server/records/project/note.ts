import { createHash } from 'node:crypto';
import type { Entry } from '../entry.ts';
import type { ReadAttachment } from './attachment.ts';
import { text as textOf } from './element.ts';
import { entryBase, type Facts } from './entry-base.ts';
import { visitOf } from './reference.ts';
import type { Source } from './source.ts';

interface NoteFacts extends Omit<Facts, 'groupKey'> {
  author: string | null;
  docStatus: string | null;
  sameAs: string | null;
}

interface NoteBody extends Omit<ReadAttachment, 'title' | 'digest'> {
  /** null: nothing that could be compared. */
  digest: string | null;
}

/**
 * The same words at the same visit are one note, from whichever resource they come: Synthea writes each note into a
 * DocumentReference and a DiagnosticReport, and v2.5 does not link the two. Not the words alone: 554 notes of one
 * patient have 551 distinct texts.
 */
export function noteEntry(source: Source, facts: NoteFacts, body: NoteBody): Entry {
  const { author, docStatus, sameAs, ...told } = facts;
  const where = visitOf(source) ?? facts.when.day ?? '';
  const { resourceType, id } = source.resource;
  const itself = `${resourceType}/${textOf(id) ?? told.title ?? ''}`;
  const base = entryBase(source, { ...told, groupKey: `note:${where}:${body.digest ?? itself}` });
  const { text, contentType, unreadable } = body;
  return { ...base, kind: 'note', detail: { text, contentType, unreadable, author, docStatus, sameAs } };
}

/** A note whose words stand in the resource itself. */
export function wordsAsBody(text: string): NoteBody {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, contentType: 'text/plain', unreadable: null, digest };
}

/** What stands for a document of which the record holds nothing but its name. */
export const NO_CONTENT: NoteBody = { text: null, contentType: null, unreadable: 'no content', digest: null };
