import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { all, attribute, child, children, hasTemplate, isNegated, nullFlavor, textOf } from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { identifiers } from '../identifiers.ts';
import { absentExtension } from '../null-flavors.ts';
import type { Context, Entry, SectionKind } from '../section.ts';
import type { LeftOut } from '../resource-list.ts';
import { dated, endOf, startOf } from '../times.ts';
import { absentStatement, tellsNothing, type Subject } from './absent-statement.ts';
import { reactionsOf } from './allergy-reactions.ts';
import { concernStatus, isNullified, toldStatus } from './clinical-status.ts';
import {
  isOf,
  notesOf,
  phraseOf,
  related,
  relatedObservations,
  SEVERITY,
  STATUS,
  termOf,
} from './entry-parts.ts';
import { cellBeside } from './narrative-row.ts';
import { bothNames, codesOf, isPhrase, shareAWord, surelyNamed } from './own-words.ts';

const CRITICALITY = { codes: ['82606-5'], templates: ['2.16.840.1.113883.10.20.22.4.145'] };
const CRITICALITIES = new Map([
  ['CRITH', 'high'],
  ['CRITL', 'low'],
  ['CRITU', 'unable-to-assess'],
]);

interface Sort {
  type?: 'allergy' | 'intolerance';
  category?: 'food' | 'medication' | 'environment';
  /** What there is none of when the whole sort is negated. */
  subject: Subject;
}

/** SNOMED CT codes of the value set Allergy and Intolerance Type (2.16.840.1.113883.3.88.12.3221.6.2) and its kin. */
const SORTS = new Map<string, Sort>([
  ['419199007', { type: 'allergy', subject: 'allergy' }],
  ['416098002', { type: 'allergy', category: 'medication', subject: 'drug-allergy' }],
  ['414285001', { type: 'allergy', category: 'food', subject: 'food-allergy' }],
  ['426232007', { type: 'allergy', category: 'environment', subject: 'environmental-allergy' }],
  ['232347008', { type: 'allergy', category: 'environment', subject: 'environmental-allergy' }],
  ['59037007', { type: 'intolerance', category: 'medication', subject: 'drug-allergy' }],
  ['235719002', { type: 'intolerance', category: 'food', subject: 'food-allergy' }],
  ['419511003', { category: 'medication', subject: 'drug-allergy' }],
  ['418471000', { category: 'food', subject: 'food-allergy' }],
]);

/** Negated, these stand for every substance there is: substance, drug, food, vaccine. */
const ANY_SUBSTANCE = new Set(['105590001', '410942007', '255620007', '762766007', '398827000']);

const ALLERGY_OBSERVATION = ['2.16.840.1.113883.10.20.22.4.7', '2.16.840.1.113883.10.20.1.18'];

/** An AllergyIntolerance for each Allergy Observation of an Allergy Concern Act. */
export const allergies: SectionKind = {
  name: 'allergies',
  codes: ['48765-2'],
  templates: [
    '2.16.840.1.113883.10.20.22.2.6',
    '2.16.840.1.113883.10.20.22.2.6.1',
    '2.16.840.1.113883.10.20.1.2',
  ],
  convert: convertAllergy,
};

function convertAllergy({ statement, position }: Entry, context: Context): LeftOut | null {
  if (nullFlavor(statement) !== undefined) return 'null_flavored';
  const isObservation = statement.localName === 'observation';
  const found = isObservation ? [statement] : observationsOf(statement);
  if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
  const concern = isObservation ? undefined : statement;
  const beside = concern === undefined ? [] : textsBeside(concern, found, context);
  const contents = found.map((observation, index) =>
    allergyOf(observation, { concern, beside: index === 0 ? beside : [] }, context),
  );
  for (const content of contents)
    if (content !== undefined) context.resources.add('AllergyIntolerance', position, content);
  return contents.some((content) => content !== undefined) ? null : 'null_flavored';
}

/** What else lies in the act, a severity or a reaction, is of the allergy beside it. */
function observationsOf(concern: Element): Element[] {
  const inside = all(concern, 'entryRelationship/observation');
  const known = inside.filter(
    (one) => hasTemplate(one, ...ALLERGY_OBSERVATION) || playingEntity(one) !== undefined,
  );
  return known.length > 0 ? known : inside.filter((one) => !isOf(one, STATUS) && !isOf(one, SEVERITY));
}

/** What the act says beside its allergies is told of the first of them. */
const textsBeside = (concern: Element, besides: readonly Element[], { narrative }: Context): string[] =>
  notesOf(concern, { narrative, besides }).flatMap(({ text }) => (typeof text === 'string' ? text : []));

function allergyOf(
  observation: Element,
  { concern, beside }: { concern: Element | undefined; beside: readonly string[] },
  context: Context,
): FhirObject | undefined {
  const { narrative, people } = context;
  const sort = codesOf(child(observation, 'value')).flatMap((code) => SORTS.get(code) ?? [])[0];
  const substance = substanceOf(observation, sort?.subject ?? 'allergy', context);
  if (substance === undefined || nullFlavor(observation) !== undefined) return undefined;
  const author = people.author(observation) ?? people.author(concern);
  const interval = child(observation, 'effectiveTime');
  const end = endOf(interval);
  const { reactions, severity } = reactionsOf(observation, narrative);
  const criticality = codesOf(child(related(observation, CRITICALITY), 'value'));
  const isStatement = substance.none;
  return {
    identifier: identifiers(observation),
    ...statusOf(observation, concern, context),
    ...(!isStatement && { type: sort?.type, category: sort?.category && [sort.category] }),
    criticality: criticality.flatMap((code) => CRITICALITIES.get(code) ?? [])[0],
    code: substance.code,
    patient: context.patient,
    ...dated('onsetDateTime', startOf(interval)),
    ...dated('recordedDate', author?.when ?? startOf(child(concern, 'effectiveTime'))),
    recorder: author?.who,
    note: notesOf(observation, {
      narrative,
      besides: relatedObservations(observation).filter(
        (one) => isOf(one, STATUS) || isOf(one, SEVERITY) || isOf(one, CRITICALITY) || isReaction(one),
      ),
      more: [...severity, ...(end === undefined ? [] : [`Ended: ${end.value}`]), ...beside],
    }),
    reaction: reactions,
  };
}

const isReaction = (observation: Element): boolean =>
  attribute(observation.parentElement ?? undefined, 'typeCode') === 'MFST';

/** FHIR ait-1 demands a clinical status: one that is not told, or of an allergy ruled out, says why it is absent. */
function statusOf(observation: Element, concern: Element | undefined, { narrative }: Context): FhirObject {
  if (isNullified(observation, concern))
    return { verificationStatus: termOf('allergyintolerance-verification', 'entered-in-error') };
  const refuted = isNegated(observation) && !isGeneric(observation);
  const over = endOf(child(observation, 'effectiveTime')) === undefined ? undefined : 'inactive';
  const told = toldStatus(observation, narrative) ?? over ?? concernStatus(concern);
  const status = told === 'remission' || told === 'recurrence' || told === 'relapse' ? undefined : told;
  return {
    clinicalStatus:
      status === undefined || refuted
        ? { extension: [absentExtension(undefined)] }
        : termOf('allergyintolerance-clinical', status),
    ...(refuted && { verificationStatus: termOf('allergyintolerance-verification', 'refuted') }),
  };
}

function substanceOf(
  observation: Element,
  subject: Subject,
  { narrative }: Context,
): { code: CodeableConcept; none: boolean } | undefined {
  const said = phraseOf(observation, narrative);
  if (isNegated(observation) && isGeneric(observation)) {
    const pointed = concept(child(observation, 'value'), narrative)?.text;
    return { code: absentStatement(subject, said ?? pointed), none: true };
  }
  const entity = playingEntity(observation);
  const named = substanceName(entity, narrative);
  if (named !== undefined) return tellsNothing(named.text) ? undefined : { code: named, none: false };
  const value = child(observation, 'value');
  // A specific allergy may be the value itself: "Allergy to penicillin", "No known allergy".
  const specific = codesOf(value).some((code) => !SORTS.has(code) && !GENERAL_SORTS.has(code));
  const coded = specific ? surelyNamed(value, narrative) : undefined;
  const text = cellBeside(observation, /^(substance|allergen|allergy|agent|name)s?$/i, narrative) ?? said;
  if (coded !== undefined) return { code: coded, none: false };
  return text === undefined || tellsNothing(text) ? undefined : { code: { text }, none: false };
}

const GENERAL_SORTS = new Set(['420134006', '418038007', '282100009', '281647001', '106190000', '418634005']);

const playingEntity = (observation: Element): Element | undefined =>
  all(observation, 'participant/participantRole/playingEntity')[0];

const isGeneric = (observation: Element): boolean => {
  const codes = codesOf(child(playingEntity(observation), 'code'));
  const name = textOf(child(playingEntity(observation), 'name'));
  return codes.length === 0 ? name === undefined : codes.every((code) => ANY_SUBSTANCE.has(code));
};

/** The entity's own name is the sender's word for it; a reference into the narrative may lead to the reaction. */
function substanceName(
  entity: Element | undefined,
  narrative: Context['narrative'],
): CodeableConcept | undefined {
  const code = child(entity, 'code');
  const name = textOf(children(entity, 'name')[0]);
  const misplaced = /reaction|manifest|severity|status|type/i;
  const read = surelyNamed(code, narrative, { name, misplaced });
  if (name === undefined || !isPhrase(name)) return read;
  // One sample calls codeine "Aspirin".
  const coded = read?.coding?.find(({ display }) => display !== undefined)?.display;
  return { ...read, text: coded === undefined || shareAWord(name, coded) ? name : bothNames(name, coded) };
}
