import type { Element } from 'slimdom';
import { DocumentUnreadable } from '../../converter.ts';
import { codings } from '../concepts.ts';
import { all, attribute, child, first, hasTemplate, nullFlavor, textOf } from '../elements.ts';
import type { Coding } from '../fhir-values.ts';
import { identifiers, idKeys } from '../identifiers.ts';
import { narrativeText } from '../narrative-text.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, Section } from '../section.ts';
import { time } from '../times.ts';
import { addNote } from './add-note.ts';
import { embeddedBytes } from './embedded-data.ts';
import { readEmbedded } from './read-embedded.ts';

const NOTE_ACTIVITY = '2.16.840.1.113883.10.20.22.4.202';
/** LOINC "Note": what kind of note it is says the translation. */
const NOTE = '34109-9';

export const isNoteActivity = (statement: Element): boolean => hasTemplate(statement, NOTE_ACTIVITY);

/** Note activities inside of another entry: a surgeon's note at the operation. */
export const notesInside = (statement: Element): Element[] =>
  all(statement, 'entryRelationship/act').filter(isNoteActivity);

/** A Note Activity (C-CDA R2.1): words in the narrative it points to, or an RTF document in base64. */
export async function convertNoteActivity(
  { statement, position }: Entry,
  context: Context,
  section: Section,
): Promise<LeftOut | null> {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const text = await textOfNote(child(statement, 'text'), { position, context });
  if (text === '') return 'no_content';
  const coding = kindOfNote(statement, section);
  const author = context.people.author(statement);
  addNote(context, position, {
    identifier: identifiers(statement),
    text,
    title: section.title,
    type: { coding, text: coding[0]?.display ?? section.title },
    author: author?.who,
    written: author?.when,
    about: time(child(statement, 'effectiveTime')),
    encounter: visitOf(statement, context),
  });
  return null;
}

async function textOfNote(
  text: Element | undefined,
  { position, context }: { position: string; context: Context },
): Promise<string> {
  if (text === undefined) return '';
  try {
    const bytes = embeddedBytes(text);
    const read = bytes === null ? undefined : await readEmbedded(bytes);
    context.notices.push(...(read?.notices ?? []).map((notice) => ({ ...notice, position })));
    if (read !== undefined && read.text !== '') return read.text;
  } catch (error) {
    if (!(error instanceof DocumentUnreadable)) throw error;
    context.notices.push({ position, code: error.code, message: error.message });
  }
  const place = context.narrative.place(attribute(child(text, 'reference'), 'value'), text);
  const isText = attribute(text, 'representation') !== 'B64';
  return narrativeText(place) || (isText && textOf(text)) || '';
}

function kindOfNote(statement: Element, section: Section): Coding[] {
  const own = codings(child(statement, 'code'));
  const kinds = own.filter(({ code }) => code !== NOTE);
  return kinds.length > 0 ? kinds : [...codings(child(section.element, 'code')), ...own].slice(0, 1);
}

function visitOf(statement: Element, { visit }: Context): Context['encounter'] {
  const named = idKeys(first(statement, 'entryRelationship/encounter'));
  return named.some((key) => visit?.keys.includes(key)) ? visit?.reference : undefined;
}
