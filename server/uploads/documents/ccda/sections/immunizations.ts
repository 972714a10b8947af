import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, children, first, isNegated, nullFlavor, textOf } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { absentExtension } from '../null-flavors.ts';
import { quantity } from '../quantities.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import { dated, time } from '../times.ts';
import { isOf, notesOf, phraseOf, relatedObservations } from './entry-parts.ts';
import { namedConcept } from './own-words.ts';
import { cellBeside } from './narrative-row.ts';

const REFUSAL = { codes: [], templates: ['2.16.840.1.113883.10.20.22.4.53'] };
const REACTION = { codes: [], templates: ['2.16.840.1.113883.10.20.22.4.9'] };

/** Immunization Activities: given, refused (negated), or planned. */
export const immunizations: SectionKind = {
  name: 'immunizations',
  codes: ['11369-6'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.2',
    '2.16.840.1.113883.10.20.22.2.2.1',
    '2.16.840.1.113883.10.20.1.6',
  ],
  convert: convertImmunization,
};

function convertImmunization({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName !== 'substanceAdministration') return 'no_form';
  const vaccine = vaccineOf(statement, context);
  if (vaccine === undefined) return isUnknown(statement) ? 'null_flavored' : 'no_content';
  context.resources.add('Immunization', position, immunizationOf(statement, vaccine, { position, context }));
  return null;
}

const isUnknown = (statement: Element): boolean =>
  nullFlavor(first(statement, 'consumable/manufacturedProduct/manufacturedMaterial/code')) !== undefined;

function vaccineOf(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const material = first(statement, 'consumable/manufacturedProduct/manufacturedMaterial');
  const code = child(material, 'code');
  const read = namedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const name =
    textOf(child(material, 'name')) ??
    cellBeside(code ?? statement, HEADING, narrative) ??
    phraseOf(statement, narrative);
  return name === undefined ? read : { ...read, text: name };
}

const HEADING = /^(vaccin|immuni[sz]ation|name|description)/i;

function immunizationOf(
  statement: Element,
  vaccineCode: CodeableConcept,
  { position, context }: { position: string; context: Context },
): FhirObject {
  const { narrative, patient, people } = context;
  const product = first(statement, 'consumable/manufacturedProduct');
  const observations = relatedObservations(statement);
  const refusals = observations.filter((one) => isOf(one, REFUSAL));
  const reactions = observations.filter((one) => isOf(one, REACTION));
  const author = people.author(statement);
  return {
    identifier: identifiers(statement),
    status: statusOf(statement),
    statusReason: refusals.map((one) => concept(child(one, 'code'), narrative))[0],
    vaccineCode,
    patient,
    ...occurrence(statement),
    ...dated('recorded', author?.when),
    manufacturer: people.organization(child(product, 'manufacturerOrganization')),
    lotNumber: textOf(first(product, 'manufacturedMaterial/lotNumberText')),
    site: concept(child(statement, 'approachSiteCode'), narrative),
    route: concept(child(statement, 'routeCode'), narrative),
    doseQuantity: quantity(child(statement, 'doseQuantity')),
    performer: people.performers(statement).map(({ who }) => ({ actor: who })),
    note: notesOf(statement, { narrative, besides: [...refusals, ...reactions] }),
    reasonCode: reasonsOf(statement, context),
    reaction: reactions.flatMap((one) => reactionOf(one, { position, context })),
    protocolApplied: doseNumber(statement),
  };
}

/** R4 knows completed, not done and entered in error. One that is ordered or under way was not done yet. */
function statusOf(statement: Element): string {
  const status = attribute(child(statement, 'statusCode'), 'code');
  if (status === 'nullified') return 'entered-in-error';
  const isDone = !isNegated(statement) && attribute(statement, 'moodCode') !== 'INT';
  return isDone && status !== 'cancelled' && status !== 'aborted' ? 'completed' : 'not-done';
}

/** R4 demands when; what is not known says so. */
function occurrence(statement: Element): FhirObject {
  const effective = children(statement, 'effectiveTime').find((one) => time(one) !== undefined);
  const when = time(effective);
  if (when !== undefined) return dated('occurrenceDateTime', when);
  return { _occurrenceDateTime: { extension: [absentExtension(child(statement, 'effectiveTime'))] } };
}

/** Indications: why it was given. */
const reasonsOf = (statement: Element, { narrative }: Context): FhirObject[] =>
  all(statement, 'entryRelationship')
    .filter((one) => attribute(one, 'typeCode') === 'RSON')
    .flatMap((one) => {
      const observation = child(one, 'observation');
      return isOf(observation ?? one, REFUSAL) ? [] : (concept(child(observation, 'value'), narrative) ?? []);
    });

function reactionOf(
  observation: Element,
  { position, context }: { position: string; context: Context },
): FhirObject[] {
  const value = concept(child(observation, 'value'), context.narrative);
  if (value === undefined) return [];
  const when = time(child(observation, 'effectiveTime'));
  const detail = context.resources.add('Observation', position, {
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '31044-1', display: 'Immunization reaction' }] },
    subject: context.patient,
    ...dated('effectiveDateTime', when),
    valueCodeableConcept: value,
  });
  return [{ ...dated('date', when), detail }];
}

/** C-CDA's repeatNumber of an immunization that happened is its number in the series. */
function doseNumber(statement: Element): FhirObject[] {
  const number = attribute(child(statement, 'repeatNumber'), 'value');
  return number !== undefined && /^[1-9]\d{0,2}$/.test(number) && attribute(statement, 'moodCode') === 'EVN'
    ? [{ doseNumberPositiveInt: Number(number) }]
    : [];
}
