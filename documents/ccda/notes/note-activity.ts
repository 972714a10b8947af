import type { Element } from 'slimdom';
import { DocumentError } from '../../converter.ts';
import { toCodings } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  selectFirst,
  hasTemplateId,
  getNullFlavor,
  getText,
} from '../elements.ts';
import type { Coding } from '../fhir-values.ts';
import { toIdentifiers, getIdKeys } from '../identifiers.ts';
import { renderNarrative } from '../render-narrative.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, Section } from '../section.ts';
import { toTime } from '../times.ts';
import { addNote } from './add-note.ts';
import { decodeEmbedded } from './embedded-data.ts';

const NOTE_ACTIVITY = '2.16.840.1.113883.10.20.22.4.202';
/** LOINC "Note": the translation has the kind of note. */
const GENERIC_NOTE = '34109-9';

export const isNoteActivity = (statement: Element): boolean => hasTemplateId(statement, NOTE_ACTIVITY);

/** Finds note activities inside of another entry: a surgeon's note at the operation. */
export const findNoteActivities = (statement: Element): Element[] =>
  selectAll(statement, 'entryRelationship/act').filter(isNoteActivity);

/** Converts a Note Activity (C-CDA R2.1): the narrative it points to, or an RTF document in base64. */
export async function convertNoteActivity(
  { statement, position }: CdaEntry,
  context: Context,
  section: Section,
): Promise<SkipReason | null> {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const text = await readNoteText(getChild(statement, 'text'), { position, context });
  if (text === '') return 'no_content';
  const coding = getNoteCodings(statement, section);
  const author = context.people.findAuthor(statement);
  addNote(context, position, {
    identifier: toIdentifiers(statement),
    text,
    title: section.title,
    type: { coding, text: coding[0]?.display ?? section.title },
    author: author?.who,
    authoredOn: author?.when,
    eventTime: toTime(getChild(statement, 'effectiveTime')),
    encounter: findEncounter(statement, context),
  });
  return null;
}

async function readNoteText(
  text: Element | undefined,
  { position, context }: { position: string; context: Context },
): Promise<string> {
  if (text === undefined) return '';
  try {
    const bytes = decodeEmbedded(text);
    const read = bytes === null ? undefined : await context.readEmbedded(bytes);
    context.notices.push(...(read?.notices ?? []).map((notice) => ({ ...notice, position })));
    if (read !== undefined && read.text !== '') return read.text;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    context.notices.push({ position, code: error.code, message: error.message });
  }
  const narrativeElement = context.narrative.findElement(
    getAttribute(getChild(text, 'reference'), 'value'),
    text,
  );
  const isText = getAttribute(text, 'representation') !== 'B64';
  return renderNarrative(narrativeElement) || (isText && getText(text)) || '';
}

function getNoteCodings(statement: Element, section: Section): Coding[] {
  const own = toCodings(getChild(statement, 'code'));
  const kinds = own.filter(({ code }) => code !== GENERIC_NOTE);
  return kinds.length > 0 ? kinds : [...toCodings(getChild(section.element, 'code')), ...own].slice(0, 1);
}

function findEncounter(statement: Element, { visit }: Context): Context['encounter'] {
  const namedKeys = getIdKeys(selectFirst(statement, 'entryRelationship/encounter'));
  return namedKeys.some((key) => visit?.keys.includes(key)) ? visit?.reference : undefined;
}
