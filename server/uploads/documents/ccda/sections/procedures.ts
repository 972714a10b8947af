import type { Element } from 'slimdom';
import { all, attribute, child, children, first, isNegated, nullFlavor, textOf } from '../elements.ts';
import { concept } from '../concepts.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, EntryConverter, SectionKind } from '../section.ts';
import { timed } from '../times.ts';
import { conceptOfValue, notesOf, phraseOf, termOf } from './entry-parts.ts';
import { tellsNothing } from './absent-statement.ts';
import { medications } from './medications.ts';
import { cellBeside } from './narrative-row.ts';
import { valueOf } from './observation-value.ts';
import { namedConcept } from './own-words.ts';
import { devicesOf } from './product-instances.ts';

/** Procedure Activity Procedure, Act and Observation: whatever its form, something that was done. */
export const procedures: SectionKind = {
  name: 'procedures',
  codes: ['47519-4'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.7',
    '2.16.840.1.113883.10.20.22.2.7.1',
    '2.16.840.1.113883.10.20.1.12',
  ],
  convert: convertProcedure,
};

/** Anesthesia: what was done, and the drugs given for it. */
export const anesthesia: SectionKind = {
  name: 'anesthesia',
  codes: ['59774-0'],
  templates: ['2.16.840.1.113883.10.20.22.2.25'],
  convert: (...given: Parameters<EntryConverter>) =>
    given[0].statement.localName === 'substanceAdministration'
      ? medications.convert(...given)
      : procedures.convert(...given),
};

const FORMS = new Set(['procedure', 'act', 'observation']);

export function convertProcedure({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  if (!FORMS.has(statement.localName)) return 'no_form';
  const code = procedureCode(statement, context);
  if (code === undefined)
    return nullFlavor(child(statement, 'code')) === undefined ? 'no_content' : 'null_flavored';
  const procedure = context.resources.add(
    'Procedure',
    position,
    procedureOf(statement, { code, position }, context),
  );
  const found =
    statement.localName === 'observation' ? valueOf(child(statement, 'value'), context.narrative) : {};
  if (Object.keys(found).some((name) => name.startsWith('value')))
    context.resources.add('Observation', position, {
      partOf: [procedure],
      status: 'final',
      category: [termOf('observation-category', 'procedure')],
      code,
      subject: context.patient,
      ...timed('effective', child(statement, 'effectiveTime')),
      ...found,
    });
  return null;
}

function procedureCode(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const code = child(statement, 'code');
  const read = namedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const name =
    cellBeside(code, HEADING, narrative) ??
    cellBeside(statement, HEADING, narrative) ??
    phraseOf(statement, narrative);
  return name === undefined || tellsNothing(name) ? read : { ...read, text: name };
}

const HEADING = /^(procedure|name|description|surgery|operation)/i;

function procedureOf(
  statement: Element,
  { code, position }: { code: CodeableConcept; position: string },
  context: Context,
): FhirObject {
  const { narrative, patient, people, encounter } = context;
  const author = people.author(statement);
  const devices = devicesOf(statement, position, context);
  const note = notesOf(statement, { narrative, besides: all(statement, 'entryRelationship/observation') });
  return {
    identifier: identifiers(statement),
    status: statusOf(statement),
    code,
    subject: patient,
    encounter: isOfVisit(statement, context) ? encounter : undefined,
    ...timed('performed', child(statement, 'effectiveTime')),
    recorder: author?.who.reference?.startsWith('Practitioner/') ? author.who : undefined,
    performer: people.performers(statement).map(({ who, organization }) => ({
      actor: who,
      onBehalfOf: who.reference?.startsWith('Practitioner/') ? organization : undefined,
    })),
    location: locationOf(statement, context),
    reasonCode: all(statement, 'entryRelationship')
      .filter((one) => attribute(one, 'typeCode') === 'RSON')
      .flatMap((one) => conceptOfValue(first(one, 'observation/value'), narrative) ?? []),
    bodySite: children(statement, 'targetSiteCode').flatMap((site) => concept(site, narrative) ?? []),
    focalDevice: devices.map((manipulated) => ({ manipulated })),
    note,
  };
}

const STATUSES = new Map([
  ['completed', 'completed'],
  ['active', 'in-progress'],
  ['aborted', 'stopped'],
  ['cancelled', 'not-done'],
  ['suspended', 'on-hold'],
  ['held', 'on-hold'],
  ['new', 'preparation'],
  ['nullified', 'entered-in-error'],
]);

/** Negated, it was not done; of what is only intended nothing says that it was. */
function statusOf(statement: Element): string {
  if (isNegated(statement)) return 'not-done';
  if (attribute(statement, 'moodCode') !== 'EVN') return 'preparation';
  return STATUSES.get(attribute(child(statement, 'statusCode'), 'code') ?? '') ?? 'unknown';
}

/** An entry names its visit by an encounter with the visit's identifier, or with none but its reference. */
function isOfVisit(statement: Element, { visit }: Context): boolean {
  return all(statement, 'entryRelationship/encounter/id').some((id) =>
    visit?.keys.includes(`${attribute(id, 'root') ?? ''}|${attribute(id, 'extension') ?? ''}`),
  );
}

function locationOf(statement: Element, { people }: Context): FhirObject | undefined {
  const role = children(statement, 'participant')
    .filter((one) => attribute(one, 'typeCode') === 'LOC')
    .map((one) => child(one, 'participantRole'))[0];
  return people.place(role, textOf(first(role, 'playingEntity/name')));
}
