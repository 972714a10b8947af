import type { DataMask } from '../../../../contract/brands.ts';
import type {
  GroupMember,
  NamedReference,
  ReferencedEntry,
  ReferencedName,
  ReferencedNote,
  ReferencedResource,
} from '../../../clinical/queries/details.sql.ts';
import { readAttachment } from '../../../clinical/entries/attachment.ts';
import { splitStrength } from '../../../clinical/entries/drug-strength.ts';
import { findObjection, IN_ERROR, isInError } from '../../../clinical/entries/objection.ts';
import { PERSON_TYPES, withoutContact } from '../../../clinical/labels/contact-elements.ts';
import { redactBody } from '../../../clinical/labels/redact.ts';
import type { ParsedResource } from '../../../clinical/store/found-resource.ts';
import { parseResource } from '../../../clinical/store/parse-resource.ts';
import { labelBit } from '../../../consent/access/sensitivity-labels.ts';
import { renderContext, renderDuplicates, renderMembers, type Group } from './details-tables.ts';
import { escapeInline } from './escape-markdown.ts';
import { join, joinParagraphs, type Block } from './markdown.ts';
import { formatName } from './name-text.ts';
import { findNarrative } from './narrative-text.ts';
import { renderProvenance } from './provenance.ts';
import { renderAskFor, renderFields, renderText, type DocumentText, type Place } from './read-on.ts';
import { formatReference } from './reference-text.ts';
import { listFields, type Field } from './resource-text.ts';
import { renderUnreadable } from './unreadable-text.ts';

/** What was read of the record for the references of one call. */
export interface DetailsRead {
  resources: readonly ReferencedResource[];
  names: readonly ReferencedName[];
  entries: readonly ReferencedEntry[];
  notes: readonly ReferencedNote[];
  members: readonly GroupMember[];
  today: string;
  /** The mask of labels that the consent withholds. */
  withheld: DataMask;
}

/** How much of a resource an answer shows. */
export interface View {
  /** Characters of each value and each text. */
  valueLength: number;
  fields: number;
  /** Entries of its group. */
  entries: number;
  /** Whether what is not a field is shown too. */
  hasRest: boolean;
}

/** A resource that was asked for, ready to be shown in any view. */
export interface ResourceDetails {
  place: Place;
  fields: number;
  /** About how many characters a view has, before escaping. */
  measure(view: View): number;
  render(view: View): Block[];
}

export function readDetails(
  read: DetailsRead,
  resource: ReferencedResource,
  named: NamedReference,
): ResourceDetails {
  const { from } = named;
  const members = read.members.filter((each) => each.place === resource.place);
  const place: Place = { mark: formatMark(resource, named, members[0]?.groupSize), from };
  const parsed = resource.body === null ? null : readShared(resource, resource.body, read.withheld);
  const heading = `## ${escapeInline(resource.reference, 200)}`;
  if (parsed !== null && isInError(parsed))
    return { place, fields: 0, measure: () => 0, render: () => [heading, IN_ERROR_NOTE] };
  const entry = read.entries.find(({ reference }) => reference === resource.reference);
  const group: Group = { members, marked: named.count, place };
  const notes = read.notes.filter((each) => each.place === resource.place);
  const { fields, documents } = readContents(read, parsed, notes);
  const head = [heading, renderHead(resource, entry)];
  const renderRest = ({ valueLength, entries }: View): Block[] => [
    ...documents.map((document) => renderDocument(document, place, valueLength)),
    ...(from.character > 0
      ? []
      : [
          renderContext(entry?.context ?? []),
          renderDuplicates(entry),
          (members[0]?.groupSize ?? 0) > 1 ? renderMembers(group, entries, read.today) : null,
        ]),
  ];
  return {
    place,
    fields: fields?.length ?? 0,
    measure: (view) => measureFields(fields ?? [], place, view),
    render: (view) =>
      from.entry > 1
        ? [...head, members.length > 0 ? renderMembers(group, view.entries, read.today) : NO_MEMBERS]
        : [
            ...head,
            fields === null ? TOO_LONG : renderFields(fields, place, view),
            ...(view.hasRest ? renderRest(view) : [renderRestPointer(view, fields?.length ?? 0, place)]),
          ],
  };
}

/** Lists the fields of a resource, null where it is too long to be read, and its texts. */
function readContents(
  read: DetailsRead,
  parsed: ParsedResource | null,
  notes: readonly ReferencedNote[],
): { fields: Field[] | null; documents: Document[] } {
  const content = parsed && readContent(parsed);
  const shown = content === null ? parsed : withoutData(parsed);
  const fields = shown && listFields(shown, createResourceContext(read));
  return { fields, documents: listDocuments({ parsed, content, fields: fields ?? [], notes }) };
}

function measureFields(
  fields: readonly Field[],
  { from }: Place,
  { valueLength, fields: most }: View,
): number {
  const first = from.field - 1;
  return fields
    .slice(first, first + most)
    .reduce((sum, { value }) => sum + Math.min(valueLength, Math.max(0, value.length - from.character)), 0);
}

/** As a row shows it: with the number of entries that it stands for. */
const formatMark = (
  resource: ReferencedResource,
  { isMark, count }: NamedReference,
  groupSize: number | undefined,
): string => `${formatReference(resource)}${isMark ? ` (${count ?? groupSize ?? 1})` : ''}`;

const IN_ERROR_NOTE = 'This record was entered in error; what it says is not shown.';
const NO_MEMBERS = 'There are no such entries.';
const TOO_LONG =
  'Its fields are too long to be shown beside others; asked for alone they are read up to 4,000,000 characters.';

/** Where all fields fit an answer, what is not a field follows in the next. */
const renderRestPointer = (view: View, fields: number, place: Place): string | null =>
  view.fields < fields - (place.from.field - 1)
    ? null
    : place.from.field > fields
      ? 'What else is recorded of it is longer than an answer.'
      : `What else is recorded of it: ${renderAskFor(place, { ...place.from, field: fields + 1 })}.`;

const renderHead = (resource: ReferencedResource, entry: ReferencedEntry | undefined): string =>
  joinParagraphs(
    join([
      entry === undefined ? null : formatName(entry.title, 200),
      entry?.kind === 'medication' && formatStrength(entry.detail),
      `source: ${renderProvenance([{ organization: null, ...entry, ...resource }])}`,
      resource.origin === '' ? null : `server: ${escapeInline(resource.origin, 120)}`,
    ]),
  );

/** "strength 300 U/mL", of a drug that is another resource. */
function formatStrength({ dosage }: { dosage: string | null }): string | null {
  const { strength } = splitStrength(dosage);
  return strength && `strength ${escapeInline(strength, 80)}`;
}

/** Parses a resource without what it says of categories that the consent withholds. */
function readShared(resource: ReferencedResource, body: string, withheld: DataMask): ParsedResource {
  const parsed = parseResource(redactBody(Buffer.from(body), resource, [withheld]).toString());
  const hasContact = (withheld & labelBit('CONTACT_INFO')) === 0;
  return PERSON_TYPES.has(parsed.resourceType) && !hasContact ? withoutContact(parsed) : parsed;
}

function createResourceContext({ names, withheld }: DetailsRead) {
  const byReference = new Map(names.map((each) => [each.reference, each]));
  return {
    withheld,
    findName(reference: string): string | null {
      const target = byReference.get(reference);
      return target === undefined ? null : formatTarget(target);
    },
  };
}

/** "Asthma (Condition/6d6e1f3a)", "Asthma (refuted) (Condition/6d6e1f3a)", "entered in error (Condition/6d6e1f3a)" */
function formatTarget(target: ReferencedName): string {
  const objection = target.body === null ? null : findObjection(parseResource(target.body));
  const words =
    objection === IN_ERROR
      ? ['entered in error']
      : [target.name, objection === null ? null : `(${objection})`];
  return join([...words, `(${formatReference(target)})`], ' ');
}

/**
 * Returns the text of a Binary: plain text and HTML are read here, and shown in the place of their base64. What is compressed is not,
 * which may be a thousand times as long.
 */
const readContent = (resource: ParsedResource): string | null =>
  resource.resourceType === 'Binary' && !String(resource['data']).startsWith('H4sI')
    ? (readAttachment(resource)?.text ?? null)
    : null;

const withoutData = (resource: ParsedResource | null): ParsedResource | null =>
  resource && { ...resource, data: undefined };

/** A narrative or a note: what the fields do not say. */
interface Document {
  heading: string | null;
  /** Null where it can't be read. */
  words: DocumentText | null;
  unreadable: string | null;
}

interface Words {
  parsed: ParsedResource | null;
  /** The text of a Binary. */
  content: string | null;
  fields: readonly Field[];
  notes: readonly ReferencedNote[];
}

function listDocuments({ parsed, content, fields, notes }: Words): Document[] {
  if (content !== null)
    return [{ heading: 'Its text:', words: { text: content, length: null }, unreadable: null }];
  const shown = notes.filter(({ text }) => text === null || !fields.some(({ value }) => holds(value, text)));
  const texts = shown.flatMap(({ text }) => text || []);
  const narrative = parsed === null ? null : findNarrative(parsed, texts);
  const first: Document[] =
    narrative === null
      ? []
      : [{ heading: 'Its narrative:', words: { text: narrative, length: null }, unreadable: null }];
  return [
    ...first,
    ...shown.map(({ title, text, length, unreadable }) => ({
      heading: shown.length > 1 ? `${formatName(title, 200)}:` : null,
      words: text === null ? null : { text, length },
      unreadable,
    })),
  ];
}

/** True of a note whose words a field has, perhaps with those of others behind them: a conclusion and its codes. */
const holds = (value: string, note: string): boolean =>
  note !== '' && (value.includes(note) || note.startsWith(`${value}\n`));

function renderDocument({ heading, words, unreadable }: Document, place: Place, most: number): Block {
  if (words !== null) {
    const text = renderText(words, place, most);
    return text === null ? null : [heading, text];
  }
  return place.from.character > 0 ? null : [heading, renderUnreadable('Its text', unreadable)];
}
