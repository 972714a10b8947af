import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  selectFirst,
  getNullFlavor,
  getText,
} from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import { toQuantity } from '../quantities.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import { buildDateTime, findTime, toTime } from '../times.ts';
import { getGroupedStatus, isDenied, isPlanned } from './clinical-status.ts';
import { hasCodeOrTemplate, buildNotes, getPhrase, getRelatedObservations } from './entry-relationships.ts';
import { toCheckedConcept } from './named-concepts.ts';
import { findCell } from './narrative-table.ts';
import { buildServiceRequest } from './service-requests.ts';

const REFUSAL = { codes: [], templates: ['2.16.840.1.113883.10.20.22.4.53'] };
const REACTION = { codes: [], templates: ['2.16.840.1.113883.10.20.22.4.9'] };

/** Converts Immunization Activities: given, refused (negated), or planned. */
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

function convertImmunization({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  if (statement.localName !== 'substanceAdministration') return 'no_form';
  const vaccine = toVaccineCode(statement, context);
  if (vaccine === undefined) return isUnknown(statement) ? 'null_flavored' : 'no_content';
  if (isPlanned(statement) && !isDenied(statement))
    context.resources.add('ServiceRequest', position, buildPlanned(statement, vaccine, context));
  else
    context.resources.add(
      'Immunization',
      position,
      buildImmunization(statement, vaccine, { position, context }),
    );
  return null;
}

const isUnknown = (statement: Element): boolean =>
  getNullFlavor(selectFirst(statement, 'consumable/manufacturedProduct/manufacturedMaterial/code')) !==
  undefined;

function toVaccineCode(statement: Element, { narrative }: Context): CodeableConcept | undefined {
  const material = selectFirst(statement, 'consumable/manufacturedProduct/manufacturedMaterial');
  const code = getChild(material, 'code');
  const read = toCheckedConcept(code, narrative);
  if (read?.text !== undefined) return read;
  const name =
    getText(getChild(material, 'name')) ??
    findCell(code ?? statement, HEADING, narrative) ??
    getPhrase(statement, narrative);
  return name === undefined ? read : { ...read, text: name };
}

const HEADING = /^(vaccin|immuni[sz]ation|name|description)/i;

function buildImmunization(
  statement: Element,
  vaccineCode: CodeableConcept,
  { position, context }: { position: string; context: Context },
): FhirObject {
  const { narrative, patient, people } = context;
  const product = selectFirst(statement, 'consumable/manufacturedProduct');
  const observations = getRelatedObservations(statement);
  const refusals = observations.filter((one) => hasCodeOrTemplate(one, REFUSAL));
  const reactions = observations.filter((one) => hasCodeOrTemplate(one, REACTION));
  const author = people.findAuthor(statement);
  return {
    identifier: toIdentifiers(statement),
    status: toStatus(statement),
    statusReason: refusals.map((one) => toCodeableConcept(getChild(one, 'code'), narrative))[0],
    vaccineCode,
    patient,
    ...buildOccurrence(statement),
    ...buildDateTime('recorded', author?.when),
    manufacturer: people.resolveOrganization(getChild(product, 'manufacturerOrganization')),
    lotNumber: getText(selectFirst(product, 'manufacturedMaterial/lotNumberText')),
    site: toCodeableConcept(getChild(statement, 'approachSiteCode'), narrative),
    route: toCodeableConcept(getChild(statement, 'routeCode'), narrative),
    doseQuantity: toQuantity(getChild(statement, 'doseQuantity')),
    performer: people.findPerformers(statement).map(({ who }) => ({ actor: who })),
    note: buildNotes(statement, { narrative, exclude: [...refusals, ...reactions] }),
    reasonCode: getReasons(statement, context),
    reaction: reactions.flatMap((one) => addReaction(one, { position, context })),
    protocolApplied: buildProtocolApplied(statement),
  };
}

/** Returns the status. R4 has completed, not done and entered in error. */
function toStatus(statement: Element): string {
  const status = getGroupedStatus(statement);
  if (status === 'nullified') return 'entered-in-error';
  const isDone = !isDenied(statement) && status !== 'cancelled' && status !== 'aborted';
  return isDone ? 'completed' : 'not-done';
}

/**
 * Builds the ServiceRequest of a vaccine that shall be given, which R4 has no Immunization for: it was neither given nor
 * refused. Senders write "completed" of plans too.
 */
function buildPlanned(statement: Element, vaccineCode: CodeableConcept, context: Context): FhirObject {
  const { narrative } = context;
  const { status, ...request } = buildServiceRequest(statement, vaccineCode, context);
  return {
    ...request,
    status: status === 'completed' ? 'unknown' : status,
    category: [
      {
        coding: [{ system: 'http://snomed.info/sct', code: '33879002' }],
        text: 'Immunization',
      },
    ],
    orderDetail: [toCodeableConcept(getChild(statement, 'routeCode'), narrative)].filter(
      (one) => one !== undefined,
    ),
    quantityQuantity: toQuantity(getChild(statement, 'doseQuantity')),
    bodySite: [toCodeableConcept(getChild(statement, 'approachSiteCode'), narrative)].filter(
      (one) => one !== undefined,
    ),
  };
}

/** Builds the occurrence, which R4 requires; an unknown one has an absent reason. */
function buildOccurrence(statement: Element): FhirObject {
  const when = findTime(...getChildren(statement, 'effectiveTime').map(toTime));
  if (when !== undefined) return buildDateTime('occurrenceDateTime', when);
  return { _occurrenceDateTime: { extension: [buildAbsentExtension(getChild(statement, 'effectiveTime'))] } };
}

/** Returns the indications. */
const getReasons = (statement: Element, { narrative }: Context): FhirObject[] =>
  selectAll(statement, 'entryRelationship')
    .filter((one) => getAttribute(one, 'typeCode') === 'RSON')
    .flatMap((one) => {
      const observation = getChild(one, 'observation');
      return hasCodeOrTemplate(observation ?? one, REFUSAL)
        ? []
        : (toCodeableConcept(getChild(observation, 'value'), narrative) ?? []);
    });

function addReaction(
  observation: Element,
  { position, context }: { position: string; context: Context },
): FhirObject[] {
  const value = toCodeableConcept(getChild(observation, 'value'), context.narrative);
  if (value === undefined) return [];
  const when = toTime(getChild(observation, 'effectiveTime'));
  const detail = context.resources.add('Observation', position, {
    status: 'final',
    code: { coding: [{ system: 'http://loinc.org', code: '31044-1', display: 'Immunization reaction' }] },
    subject: context.patient,
    ...buildDateTime('effectiveDateTime', when),
    valueCodeableConcept: value,
  });
  return [{ ...buildDateTime('date', when), detail }];
}

/** Builds the dose number: C-CDA's repeatNumber of an immunization that was given. */
function buildProtocolApplied(statement: Element): FhirObject[] {
  const number = getAttribute(getChild(statement, 'repeatNumber'), 'value');
  return number !== undefined &&
    /^[1-9]\d{0,2}$/.test(number) &&
    getAttribute(statement, 'moodCode') === 'EVN'
    ? [{ doseNumberPositiveInt: Number(number) }]
    : [];
}
