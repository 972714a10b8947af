import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import {
  selectAll,
  getAttribute,
  getChild,
  getChildren,
  hasTemplateId,
  isNegated,
  getNullFlavor,
  getText,
} from '../elements.ts';
import type { CodeableConcept, FhirObject } from '../fhir-values.ts';
import { toIdentifiers } from '../identifiers.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import type { Context, CdaEntry, SectionKind } from '../section.ts';
import type { SkipReason } from '../resource-list.ts';
import { buildDateTime, getEnd, getStart } from '../times.ts';
import { buildAbsentStatement, isPlaceholder, type Subject } from './absent-statement.ts';
import { buildReactions } from './allergy-reactions.ts';
import { getConcernStatus, isNullified, getStatedStatus } from './clinical-status.ts';
import {
  hasCodeOrTemplate,
  buildNotes,
  getPhrase,
  findRelated,
  getRelatedObservations,
  SEVERITY,
  STATUS,
  buildConcept,
} from './entry-relationships.ts';
import { findCell } from './narrative-table.ts';
import { formatBothNames, getCodes, isPhrase, hasCommonWord, toCheckedConcept } from './named-concepts.ts';

const CRITICALITY = { codes: ['82606-5'], templates: ['2.16.840.1.113883.10.20.22.4.145'] };
const CRITICALITIES = new Map([
  ['CRITH', 'high'],
  ['CRITL', 'low'],
  ['CRITU', 'unable-to-assess'],
]);

interface AllergyKind {
  type?: 'allergy' | 'intolerance';
  category?: 'food' | 'medication' | 'environment';
  /** What is absent when the whole kind is negated. */
  subject: Subject;
}

/** SNOMED CT codes of the value set Allergy and Intolerance Type (2.16.840.1.113883.3.88.12.3221.6.2) and its kin. */
const ALLERGY_KINDS = new Map<string, AllergyKind>([
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

/** Generic substances, whose negation excludes all of them: substance, drug, food, vaccine. */
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

function convertAllergy({ statement, position }: CdaEntry, context: Context): SkipReason | null {
  if (getNullFlavor(statement) !== undefined) return 'null_flavored';
  const isObservation = statement.localName === 'observation';
  const found = isObservation ? [statement] : findAllergyObservations(statement);
  if (found.length === 0) return statement.localName === 'act' ? 'no_content' : 'no_form';
  const concern = isObservation ? undefined : statement;
  const concernNotes = concern === undefined ? [] : getConcernNotes(concern, found, context);
  const contents = found.map((observation, index) =>
    buildAllergy(observation, { concern, concernNotes: index === 0 ? concernNotes : [] }, context),
  );
  for (const content of contents)
    if (content !== undefined) context.resources.add('AllergyIntolerance', position, content);
  return contents.some((content) => content !== undefined) ? null : 'null_flavored';
}

/** Finds the allergies of an act; other observations in it, a severity or a reaction, belong to them. */
function findAllergyObservations(concern: Element): Element[] {
  const inside = selectAll(concern, 'entryRelationship/observation');
  const known = inside.filter(
    (one) => hasTemplateId(one, ...ALLERGY_OBSERVATION) || getPlayingEntity(one) !== undefined,
  );
  return known.length > 0
    ? known
    : inside.filter((one) => !hasCodeOrTemplate(one, STATUS) && !hasCodeOrTemplate(one, SEVERITY));
}

/** Returns the notes of the act, which are added to its first allergy. */
const getConcernNotes = (concern: Element, exclude: readonly Element[], { narrative }: Context): string[] =>
  buildNotes(concern, { narrative, exclude }).flatMap(({ text }) => (typeof text === 'string' ? text : []));

function buildAllergy(
  observation: Element,
  { concern, concernNotes }: { concern: Element | undefined; concernNotes: readonly string[] },
  context: Context,
): FhirObject | undefined {
  const { narrative, people } = context;
  const kind = getCodes(getChild(observation, 'value')).flatMap((code) => ALLERGY_KINDS.get(code) ?? [])[0];
  const substance = toSubstance(observation, kind?.subject ?? 'allergy', context);
  if (substance === undefined || getNullFlavor(observation) !== undefined) return undefined;
  const author = people.findAuthor(observation) ?? people.findAuthor(concern);
  const interval = getChild(observation, 'effectiveTime');
  const end = getEnd(interval);
  const { reactions, severity } = buildReactions(observation, narrative);
  const criticality = getCodes(getChild(findRelated(observation, CRITICALITY), 'value'));
  const isStatement = substance.isNone;
  return {
    identifier: toIdentifiers(observation),
    ...buildStatus(observation, concern, context),
    ...(!isStatement && { type: kind?.type, category: kind?.category && [kind.category] }),
    criticality: criticality.flatMap((code) => CRITICALITIES.get(code) ?? [])[0],
    code: substance.code,
    patient: context.patient,
    ...buildDateTime('onsetDateTime', getStart(interval)),
    ...buildDateTime('recordedDate', author?.when ?? getStart(getChild(concern, 'effectiveTime'))),
    recorder: author?.who,
    note: buildNotes(observation, {
      narrative,
      exclude: getRelatedObservations(observation).filter(
        (one) =>
          hasCodeOrTemplate(one, STATUS) ||
          hasCodeOrTemplate(one, SEVERITY) ||
          hasCodeOrTemplate(one, CRITICALITY) ||
          isReaction(one),
      ),
      more: [...severity, ...(end === undefined ? [] : [`Ended: ${end.value}`]), ...concernNotes],
    }),
    reaction: reactions,
  };
}

const isReaction = (observation: Element): boolean =>
  getAttribute(observation.parentElement ?? undefined, 'typeCode') === 'MFST';

/**
 * Builds the statuses. FHIR ait-1 requires a clinical status: an unknown one, or one of a refuted allergy, has an
 * absent reason.
 */
function buildStatus(observation: Element, concern: Element | undefined, { narrative }: Context): FhirObject {
  if (isNullified(observation, concern))
    return { verificationStatus: buildConcept('allergyintolerance-verification', 'entered-in-error') };
  const isRefuted = isNegated(observation) && !isGeneric(observation);
  const derivedStatus = getEnd(getChild(observation, 'effectiveTime')) === undefined ? undefined : 'inactive';
  const statedStatus = getStatedStatus(observation, narrative) ?? derivedStatus ?? getConcernStatus(concern);
  const status =
    statedStatus === 'remission' || statedStatus === 'recurrence' || statedStatus === 'relapse'
      ? undefined
      : statedStatus;
  return {
    clinicalStatus:
      status === undefined || isRefuted
        ? { extension: [buildAbsentExtension(undefined)] }
        : buildConcept('allergyintolerance-clinical', status),
    ...(isRefuted && { verificationStatus: buildConcept('allergyintolerance-verification', 'refuted') }),
  };
}

function toSubstance(
  observation: Element,
  subject: Subject,
  { narrative }: Context,
): { code: CodeableConcept; isNone: boolean } | undefined {
  const phrase = getPhrase(observation, narrative);
  if (isNegated(observation) && isGeneric(observation)) {
    const referencedText = toCodeableConcept(getChild(observation, 'value'), narrative)?.text;
    return { code: buildAbsentStatement(subject, phrase ?? referencedText), isNone: true };
  }
  const entity = getPlayingEntity(observation);
  const named = getSubstanceName(entity, narrative);
  if (named !== undefined) return isPlaceholder(named.text) ? undefined : { code: named, isNone: false };
  const value = getChild(observation, 'value');
  // A specific allergy may be the value itself: "Allergy to penicillin", "No known allergy".
  const specific = getCodes(value).some((code) => !ALLERGY_KINDS.has(code) && !GENERAL_KINDS.has(code));
  const coded = specific ? toCheckedConcept(value, narrative) : undefined;
  const text = findCell(observation, /^(substance|allergen|allergy|agent|name)s?$/i, narrative) ?? phrase;
  if (coded !== undefined) return { code: coded, isNone: false };
  return text === undefined || isPlaceholder(text) ? undefined : { code: { text }, isNone: false };
}

const GENERAL_KINDS = new Set(['420134006', '418038007', '282100009', '281647001', '106190000', '418634005']);

const getPlayingEntity = (observation: Element): Element | undefined =>
  selectAll(observation, 'participant/participantRole/playingEntity')[0];

const isGeneric = (observation: Element): boolean => {
  const codes = getCodes(getChild(getPlayingEntity(observation), 'code'));
  const name = getText(getChild(getPlayingEntity(observation), 'name'));
  return codes.length === 0 ? name === undefined : codes.every((code) => ANY_SUBSTANCE.has(code));
};

/**
 * Returns the name of the substance. The entity's own name takes precedence; a reference into the narrative may point
 * to the reaction.
 */
function getSubstanceName(
  entity: Element | undefined,
  narrative: Context['narrative'],
): CodeableConcept | undefined {
  const code = getChild(entity, 'code');
  const name = getText(getChildren(entity, 'name')[0]);
  const misplaced = /reaction|manifest|severity|status|type/i;
  const read = toCheckedConcept(code, narrative, { name, misplaced });
  if (name === undefined || !isPhrase(name)) return read;
  // One sample calls codeine "Aspirin".
  const coded = read?.coding?.find(({ display }) => display !== undefined)?.display;
  return {
    ...read,
    text: coded === undefined || hasCommonWord(name, coded) ? name : formatBothNames(name, coded),
  };
}
