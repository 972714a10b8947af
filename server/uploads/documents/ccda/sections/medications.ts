import type { Element } from 'slimdom';
import { concept, entryText, originalText } from '../concepts.ts';
import { all, attribute, child, children, isNegated, nullFlavor, textOf } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { absentConcept } from '../null-flavors.ts';
import type { LeftOut } from '../resource-list.ts';
import type { Context, Entry, Section, SectionKind } from '../section.ts';
import { dated, endOf, period, time } from '../times.ts';
import { absentStatement, tellsNothing } from './absent-statement.ts';
import { dosageOf, sigOf } from './dosage.ts';
import { isOf, notesOf, relatedObservations, STATUS, termOf } from './entry-parts.ts';
import { actStatus, medicationStatus } from './medication-status.ts';
import { cellBeside } from './narrative-row.ts';
import { codesOf, isPhrase, namedConcept, surelyNamed } from './own-words.ts';
import { dispensesOf, supplyInWords, supplyOf } from './supplies.ts';
import { tellsTiming } from './timing.ts';

/** Negated, these stand for every drug there is. */
const ANY_DRUG = new Set(['410942007', '105590001', '763158003']);
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
 * What is asked for (moodCode INT, RQO, PRP) is a MedicationRequest; what is or was taken a MedicationStatement. Fills
 * that a supply reports are MedicationDispenses of their own.
 */
function convertMedication(entry: Entry, context: Context, section: Section): LeftOut | null {
  const { statement, position } = entry;
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const found = administrationsOf(statement);
  if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
  const made = found.filter((administration) => {
    const drug = drugOf(administration, context);
    if (drug === undefined || nullFlavor(administration) !== undefined) return false;
    const told = { administration, drug, section };
    const isAsked = /^(INT|RQO|PRP|PRMS|ARQ)$/.test(attribute(administration, 'moodCode') ?? '');
    // FHIR has no "none known" among requests: what is not taken is a statement whatever the mood.
    if (isAsked && !isNegated(administration))
      context.resources.add('MedicationRequest', position, requestOf(told, context));
    else context.resources.add('MedicationStatement', position, statementOf(told, context));
    for (const dispense of dispensesOf(administration, drug, context))
      context.resources.add('MedicationDispense', position, dispense);
    return true;
  });
  return made.length > 0 ? null : 'null_flavored';
}

/** Alone, in an act of admission or discharge, or several in one organizer. */
function administrationsOf(statement: Element): Element[] {
  if (statement.localName === 'substanceAdministration') return [statement];
  return [
    ...all(statement, 'entryRelationship/substanceAdministration'),
    ...all(statement, 'component/substanceAdministration'),
  ];
}

interface Told {
  administration: Element;
  drug: CodeableConcept;
  section: Section;
}

function statementOf({ administration, drug, section }: Told, context: Context): FhirObject {
  const { narrative, people } = context;
  const interval = intervalOf(administration);
  const author = people.author(administration);
  const informant = children(administration, 'informant')[0];
  const isNone = isNegated(administration) && isAnyDrug(codeOf(administration));
  return {
    identifier: identifiers(administration),
    status: isNegated(administration) ? negatedStatus(administration) : statusOf(administration, context),
    statusReason: reasonsNot(administration, context),
    category: section.code === '29549-3' ? termOf('medication-statement-category', 'inpatient') : undefined,
    medicationCodeableConcept: drug,
    subject: context.patient,
    ...effective(interval),
    ...dated('dateAsserted', author?.when),
    informationSource: people.assigned(child(informant, 'assignedEntity')) ?? author?.who,
    reasonCode: reasonsOf(administration, context),
    note: isNone ? undefined : noteOf({ administration, drug, isRequest: false }, context),
    ...(!isNone && { dosage: dosageOf(administration, { name: drug.text, bounds: undefined, narrative }) }),
  };
}

/** A statement that there is no drug at all is in force; one that a drug is not taken has the status for it. */
const negatedStatus = (administration: Element): string =>
  isAnyDrug(codeOf(administration))
    ? 'active'
    : actStatus(administration) === 'nullified'
      ? 'entered-in-error'
      : 'not-taken';

function requestOf({ administration, drug }: Told, context: Context): FhirObject {
  const { narrative, people } = context;
  const author = people.author(administration);
  const { dispense, prescriber, written } = supplyOf(administration, context);
  const interval = intervalOf(administration);
  const mood = attribute(administration, 'moodCode');
  return {
    identifier: identifiers(administration),
    status: statusOf(administration, context),
    intent: mood === 'PRP' ? 'proposal' : 'order',
    medicationCodeableConcept: drug,
    subject: context.patient,
    ...dated('authoredOn', author?.when ?? written ?? time(interval)),
    requester: author?.who ?? prescriber,
    reasonCode: reasonsOf(administration, context),
    note: noteOf({ administration, drug, isRequest: true }, context),
    dosageInstruction: dosageOf(administration, { name: drug.text, bounds: period(interval), narrative }),
    dispenseRequest: dispense,
  };
}

function statusOf(administration: Element, { narrative }: Context): string {
  if (actStatus(administration) === 'nullified') return 'entered-in-error';
  const end = endOf(intervalOf(administration))?.value;
  return medicationStatus(administration, { code: codeOf(administration), end, narrative }) ?? 'unknown';
}

/** When a drug is taken, of the several `effectiveTime`s; the others tell how often. */
const intervalOf = (administration: Element): Element | undefined =>
  children(administration, 'effectiveTime').find((one) => !tellsTiming(one));

const effective = (interval: Element | undefined): FhirObject =>
  child(interval, 'low') !== undefined || child(interval, 'high') !== undefined
    ? { effectivePeriod: period(interval) }
    : dated('effectiveDateTime', time(interval));

const codeOf = (administration: Element): Element | undefined =>
  all(administration, 'consumable/manufacturedProduct/manufacturedMaterial/code')[0];

const isAnyDrug = (code: Element | undefined): boolean => codesOf(code).every((each) => ANY_DRUG.has(each));

/** The drug by code, name or narrative; undefined where the entry says no more than that nothing is known. */
function drugOf(administration: Element, { narrative }: Context): CodeableConcept | undefined {
  const [material] = all(administration, 'consumable/manufacturedProduct/manufacturedMaterial');
  const code = child(material, 'code');
  const name = textOf(child(material, 'name'));
  const named = surelyNamed(code, narrative, { name });
  const said = entryText(administration, narrative);
  if (isNegated(administration) && isAnyDrug(code))
    return absentStatement('medication', originalText(code, narrative) ?? said);
  const inRow =
    cellBeside(code, /\b(medication|drug|product|name)s?\b/i, narrative) ??
    cellBeside(administration, /\b(medication|drug|product|name)s?\b/i, narrative);
  const phrase = [name, inRow, said].find((text) => text !== undefined && isPhrase(text));
  if (named !== undefined) {
    if (codesOf(code).length === 0 && tellsNothing(named.text)) return undefined;
    const text = named.text !== undefined && isPhrase(named.text) ? named.text : (phrase ?? named.text);
    return { ...named, text };
  }
  if (phrase === undefined || tellsNothing(phrase)) return undefined;
  return { text: phrase };
}

const reasonsOf = (administration: Element, { narrative }: Context): CodeableConcept[] =>
  all(administration, 'entryRelationship')
    .filter((relationship) => attribute(relationship, 'typeCode') === 'RSON')
    .flatMap((relationship) => children(relationship, 'observation'))
    .filter((observation) => !isOf(observation, REASON_NOT))
    .flatMap((observation) => namedConcept(child(observation, 'value'), narrative) ?? []);

const reasonsNot = (administration: Element, { narrative }: Context): CodeableConcept[] =>
  relatedObservations(administration)
    .filter((observation) => isOf(observation, REASON_NOT))
    .map((observation) => namedConcept(child(observation, 'value'), narrative) ?? absentConcept(undefined));

/** Comments, the vehicle, and the whole row where no sentence of the prescriber is told apart in it. */
function noteOf(
  { administration, drug, isRequest }: { administration: Element; drug: CodeableConcept; isRequest: boolean },
  context: Context,
): FhirObject[] {
  const { narrative } = context;
  const besides = relatedObservations(administration).filter(
    (one) =>
      isOf(one, STATUS) ||
      isOf(one, REASON_NOT) ||
      attribute(one.parentElement ?? undefined, 'typeCode') === 'RSON',
  );
  const vehicles = all(administration, 'participant/participantRole').flatMap((role) => {
    const label = concept(child(role, 'code'), narrative)?.text;
    const what =
      textOf(all(role, 'playingEntity/name')[0]) ??
      concept(all(role, 'playingEntity/code')[0], narrative)?.text;
    return label === undefined || what === undefined ? [] : `${label}: ${what}`;
  });
  const row =
    sigOf(administration, drug.text, narrative) === undefined
      ? entryText(administration, narrative)
      : undefined;
  return notesOf(administration, {
    narrative,
    besides,
    more: [
      ...vehicles,
      ...supplyInWords(administration, isRequest, context),
      ...(row !== undefined && !isPhrase(row) ? [`As the document lists it: ${row}`] : []),
    ],
  });
}
