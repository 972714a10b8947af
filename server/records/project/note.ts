import { createHash } from 'node:crypto';
import type { Entry } from '../entry.ts';
import type { ReadAttachment } from './attachment.ts';
import { normalizedName } from './codeable-concept.ts';
import { text as textOf } from './element.ts';
import { entryBase, namesIn, type Facts } from './entry-base.ts';
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
  const detail = { text, contentType, unreadable, author, docStatus, sameAs };
  const names = [...contentNames(body, base.title), ...(base.names ?? [])];
  return { ...base, ...namesIn(names), kind: 'note', detail };
}

/** Shorter texts than this say the same of many things: "Normal." */
const TELLING = 100;

/** A text as long as this is one document, whatever day its copies are filed under (sample archive 02: three days). */
const WHOLE = 1000;

/** What it says, whoever says it and wherever: line breaks and spaces are each sender's own. */
function contentNames({ text, digest }: NoteBody, title: string): string[] {
  if (text === null) return digest === null ? [] : [`text ${digest}`];
  const words = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
  const said = words.length < TELLING ? `${normalizedName(title)}: ${words}` : words;
  const hash = createHash('sha256').update(said).digest('hex').slice(0, 32);
  return words.length < WHOLE ? [`text ${hash}`] : [`text ${hash}`, `whole ${hash}`];
}

/** A note whose words stand in the resource itself. */
export function wordsAsBody(text: string): NoteBody {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 32);
  return { text, contentType: 'text/plain', unreadable: null, digest };
}

/** What stands for a document of which the record holds nothing but its name. */
export const NO_CONTENT: NoteBody = { text: null, contentType: null, unreadable: 'no content', digest: null };
