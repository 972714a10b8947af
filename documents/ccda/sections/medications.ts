import type { Element } from 'slimdom';
import { toCodeableConcept, getEntryText } from '../concepts.ts';
import { selectAll, getAttribute, getChild, getChildren, getNullFlavor, getText } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { buildAbsentConcept } from '../null-flavors.ts';
import type { SkipReason } from '../resource-list.ts';
import type { Context, CdaEntry, Section, SectionKind } from '../section.ts';
import { buildDateTime, buildPeriod, findTime, getStart, toTime } from '../times.ts';
import { isDenied, isNullified, isPlanned } from './clinical-status.ts';
import { formatWording } from './denied-names.ts';
import { buildDosage, findSig } from './dosage.ts';
import {
  hasCodeOrTemplate,
  buildNotes,
  getRelatedObservations,
  STATUS,
  buildConcept,
} from './entry-relationships.ts';
import { formatOtherNames, getMaterial, toDrug, type Drug } from './medication-names.ts';
import { findMedicationEnd } from './medication-end.ts';
import { toMedicationStatus } from './medication-status.ts';
import { isPhrase, toNamedConcept } from './named-concepts.ts';
import { PLAN_CODES, toIntent } from './service-requests.ts';
import { buildDispenses, formatSupply, getSupplyOrder } from './supplies.ts';
import { isTiming } from './timing.ts';

/** Reason care action performed or not: why a drug was refused. */
const REASON_NOT = { codes: ['77301-0'], templates: ['2.16.840.1.113883.10.20.24.3.88'] };

/** Medication list, medications administered, at admission and at discharge. */
export const medications: SectionKind = {
  name: 'medications',
  codes: ['10160-0', '29549-3', '10183-2', '42346-7', '75311-1'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.1',
    '2.16.840.1.113883.10.20.22.2.1.1',
    '2.16.840.1.113883.10.20.22.2.38',
    '2.16.840.1.113883.10.20.22.2.11',
    '2.16.840.1.113883.10.20.22.2.11.1',
    '2.16.840.1.113883.10.20.22.2.44',
    '2.16.840.1.113883.10.20.1.8',
  ],
  convert: convertMedication,
};

/**
 * Converts requests (moodCode INT, RQO, PRP) to MedicationRequest, drugs that are or were taken to MedicationStatement.
 * Fills that a supply reports are MedicationDispenses of their own.
 */
function convertMedication(entry: CdaEntry, context: Context, section: Section): SkipReason | null {
  const { statement, position } = entry;
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const found = findAdministrations(statement);
  if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
  const made = found.filter((administration) => {
    const drug = toDrug(administration, context);
    if (drug === undefined || getNullFlavor(administration) !== undefined) return false;
    const input = { administration, drug, section };
    // FHIR has no "none known" among requests: a negated administration is a statement whatever the mood.
    if (isPlanned(administration) && !isDenied(administration))
      context.resources.add('MedicationRequest', position, buildRequest(input, context));
    else context.resources.add('MedicationStatement', position, buildStatement(input, context));
    for (const dispense of buildDispenses(administration, drug.concept, context))
      context.resources.add('MedicationDispense', position, dispense);
    return true;
  });
  return made.length > 0 ? null : 'null_flavored';
}

/** Finds the administrations of an entry: one alone, one in an act of admission or discharge, or several in an organizer. */
function findAdministrations(statement: Element): Element[] {
  if (statement.localName === 'substanceAdministration') return [statement];
  return [
    ...selectAll(statement, 'entryRelationship/substanceAdministration'),
    ...selectAll(statement, 'component/substanceAdministration'),
  ];
}

interface MedicationInput {
  administration: Element;
  drug: Drug;
  section: Section;
}

function buildStatement({ administration, drug, section }: MedicationInput, context: Context): FhirObject {
  const { narrative, people } = context;
  const author = people.findAuthor(administration);
  const informant = getChildren(administration, 'informant')[0];
  return {
    identifier: toIdentifiers(administration),
    status: toStatementStatus(administration, drug, context),
    statusReason: getReasonsNotTaken(administration, context),
    category:
      section.code === '29549-3' ? buildConcept('medication-statement-category', 'inpatient') : undefined,
    medicationCodeableConcept: drug.concept,
    subject: context.patient,
    ...buildEffective(administration, narrative),
    ...buildDateTime('dateAsserted', author?.when),
    informationSource: people.resolveAssigned(getChild(informant, 'assignedEntity')) ?? author?.who,
    reasonCode: getReasons(administration, context),
    note: drug.isNone ? undefined : buildNote({ administration, drug, isRequest: false }, context),
    ...(!drug.isNone && {
      dosage: buildDosage(administration, { name: drug.concept.text, bounds: undefined, narrative }),
    }),
  };
}

/** Returns the status: "no drug at all" is active; a drug that is denied is not taken. */
function toStatementStatus(administration: Element, drug: Drug, context: Context): string {
  if (isNullified(administration)) return 'entered-in-error';
  if (drug.isNone) return 'active';
  return isDenied(administration) ? 'not-taken' : toStatus(administration, context);
}

function buildRequest({ administration, drug, section }: MedicationInput, context: Context): FhirObject {
  const { narrative, people } = context;
  const author = people.findAuthor(administration);
  const { dispense, prescriber, authoredOn } = getSupplyOrder(administration, context);
  const interval = findInterval(administration);
  return {
    identifier: toIdentifiers(administration),
    status: toStatus(administration, context),
    intent: getIntent(administration, section),
    medicationCodeableConcept: drug.concept,
    subject: context.patient,
    ...buildDateTime('authoredOn', findTime(author?.when, authoredOn, toTime(interval))),
    requester: author?.who ?? prescriber,
    reasonCode: getReasons(administration, context),
    note: buildNote({ administration, drug, isRequest: true }, context),
    dosageInstruction: buildDosage(administration, {
      name: drug.concept.text,
      bounds: buildPeriod(getStart(interval), findMedicationEnd(administration, interval, narrative)),
      narrative,
    }),
    dispenseRequest: dispense,
  };
}

/** Returns the intent: senders of medication lists write INT for what was ordered, plans for what may be. */
function getIntent(administration: Element, { code }: Section): string {
  const intent = toIntent(administration);
  return intent === 'plan' && !PLAN_CODES.includes(code ?? '') ? 'order' : intent;
}

function toStatus(administration: Element, { narrative }: Context): string {
  if (isNullified(administration)) return 'entered-in-error';
  const end = findMedicationEnd(administration, findInterval(administration), narrative);
  return toMedicationStatus(administration, { end, narrative }) ?? 'unknown';
}

/** Finds the interval in which a drug is taken, among several `effectiveTime`s; the others are timings. */
const findInterval = (administration: Element): Element | undefined =>
  getChildren(administration, 'effectiveTime').find((one) => !isTiming(one));

function buildEffective(administration: Element, narrative: NarrativeIndex): FhirObject {
  const interval = findInterval(administration);
  const end = findMedicationEnd(administration, interval, narrative);
  return getChild(interval, 'low') !== undefined || end !== undefined
    ? { effectivePeriod: buildPeriod(getStart(interval), end) }
    : buildDateTime('effectiveDateTime', toTime(interval));
}

const getReasons = (administration: Element, { narrative }: Context): CodeableConcept[] =>
  selectAll(administration, 'entryRelationship')
    .filter((relationship) => getAttribute(relationship, 'typeCode') === 'RSON')
    .flatMap((relationship) => getChildren(relationship, 'observation'))
    .filter((observation) => !hasCodeOrTemplate(observation, REASON_NOT))
    .flatMap((observation) => toNamedConcept(getChild(observation, 'value'), narrative) ?? []);

const getReasonsNotTaken = (administration: Element, { narrative }: Context): CodeableConcept[] =>
  getRelatedObservations(administration)
    .filter((observation) => hasCodeOrTemplate(observation, REASON_NOT))
    .map(
      (observation) =>
        toNamedConcept(getChild(observation, 'value'), narrative) ?? buildAbsentConcept(undefined),
    );

/** Builds the notes: comments, the vehicle, and the whole row where no directions were found in it. */
function buildNote(
  { administration, drug, isRequest }: { administration: Element; drug: Drug; isRequest: boolean },
  context: Context,
): FhirObject[] {
  const { narrative } = context;
  const exclude = getRelatedObservations(administration).filter(
    (one) =>
      hasCodeOrTemplate(one, STATUS) ||
      hasCodeOrTemplate(one, REASON_NOT) ||
      getAttribute(one.parentElement ?? undefined, 'typeCode') === 'RSON',
  );
  const vehicles = selectAll(administration, 'participant/participantRole').flatMap((role) => {
    const label = toCodeableConcept(getChild(role, 'code'), narrative)?.text;
    const name =
      getText(selectAll(role, 'playingEntity/name')[0]) ??
      toCodeableConcept(selectAll(role, 'playingEntity/code')[0], narrative)?.text;
    return label === undefined || name === undefined ? [] : `${label}: ${name}`;
  });
  const row =
    findSig(administration, drug.concept.text, narrative) === undefined
      ? getEntryText(administration, narrative)
      : undefined;
  return buildNotes(administration, {
    narrative,
    exclude,
    more: [
      ...formatWording(drug.wording),
      ...(drug.isNone || drug.wording !== undefined
        ? []
        : formatOtherNames(getMaterial(administration), drug.concept)),
      ...vehicles,
      ...formatSupply(administration, isRequest, context),
      ...(row !== undefined && !isPhrase(row) ? [`As the document lists it: ${row}`] : []),
    ],
  });
}
