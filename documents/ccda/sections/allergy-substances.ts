import type { Element } from 'slimdom';
import { getOriginalText } from '../concepts.ts';
import { selectAll, getChild, getChildren, getText } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { Context } from '../section.ts';
import { buildAbsentStatement, isPlaceholder, type Subject } from './absent-statement.ts';
import { isDenied } from './clinical-status.ts';
import { findDeniedName } from './denied-names.ts';
import { getPhrase } from './entry-relationships.ts';
import { findCell } from './narrative-table.ts';
import { formatBothNames, getCodes, isPhrase, isOtherName, toCheckedConcept } from './named-concepts.ts';

interface AllergyKind {
  type?: 'allergy' | 'intolerance';
  category?: 'food' | 'medication' | 'environment';
  /** What is absent when the whole kind is negated. */
  subject: Subject;
}

/** SNOMED CT codes of the value set Allergy and Intolerance Type (2.16.840.1.113883.3.88.12.3221.6.2) and its kin. */
export const ALLERGY_KINDS = new Map<string, AllergyKind>([
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

const HEADING = /^(substance|allergen|allergy|agent|name)s?$/i;

/** What the observation of an allergy names. */
export interface Substance {
  code: CodeableConcept;
  /** Says that there are no allergies, or nothing of them. */
  isNone: boolean;
  isRefuted: boolean;
  /** The words of a denial whose name stands without them. */
  wording?: string | undefined;
}

/** Reads the substance; returns undefined where the entry only says that nothing is known. */
export function toSubstance(
  observation: Element,
  subject: Subject,
  { narrative }: Context,
): Substance | undefined {
  const isRefuted = isDenied(observation);
  const entity = getPlayingEntity(observation);
  const named = getSubstanceName(entity, narrative);
  const value = getChild(observation, 'value');
  const phrase = getPhrase(observation, narrative);
  // A specific allergy may be the value itself: "Allergy to penicillin", "No known allergy".
  const isSpecific = getCodes(value).some((code) => !ALLERGY_KINDS.has(code) && !GENERAL_KINDS.has(code));
  const coded = isSpecific ? toCheckedConcept(value, narrative) : undefined;
  if (isRefuted && isGeneric(entity)) {
    if (coded !== undefined) return { code: coded, isNone: false, isRefuted };
    const ofKind = getOriginalText(value, narrative);
    const ofEntity = getOriginalText(getChild(entity, 'code'), narrative);
    const texts = [named?.text, ofEntity, ofKind, findCell(observation, HEADING, narrative), phrase];
    const denied = findDeniedName(texts, subject);
    if (denied !== undefined)
      return { code: { text: denied.name }, isNone: false, isRefuted, wording: denied.wording };
    const words = phrase ?? ofKind ?? texts.find((text) => text !== undefined);
    return { code: buildAbsentStatement(subject, words), isNone: true, isRefuted: false };
  }
  if (named !== undefined)
    return isPlaceholder(named.text) ? undefined : { code: named, isNone: false, isRefuted };
  if (coded !== undefined) return { code: coded, isNone: false, isRefuted };
  const text = findCell(observation, HEADING, narrative) ?? phrase;
  return text === undefined || isPlaceholder(text) ? undefined : { code: { text }, isNone: false, isRefuted };
}

const GENERAL_KINDS = new Set(['420134006', '418038007', '282100009', '281647001', '106190000', '418634005']);

/** Returns what the allergy is to. */
export const getPlayingEntity = (observation: Element): Element | undefined =>
  selectAll(observation, 'participant/participantRole/playingEntity')[0];

/** Says whether no code identifies the substance. */
const isGeneric = (entity: Element | undefined): boolean =>
  getCodes(getChild(entity, 'code')).every((code) => ANY_SUBSTANCE.has(code));

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
    text: coded !== undefined && isOtherName(name, coded) ? formatBothNames(name, coded) : name,
  };
}
