import type { Element } from 'slimdom';
import { toCodings, toCodeableConcept, getOriginalText } from '../concepts.ts';
import { getChild, getText } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { findHeading } from './narrative-table.ts';

/**
 * A code under the name its author used, where that is a name: a reference into the narrative may lead to a whole row.
 */
export function toNamedConcept(
  code: Element | undefined,
  narrative: NarrativeIndex,
): CodeableConcept | undefined {
  const read = dropUnreadable(toCodeableConcept(code, narrative));
  const original = getOriginalText(code, narrative);
  if (read === undefined || original === undefined) return read;
  const names = getDisplays(read);
  if (!isReference(code)) return { ...read, text: stripGroup(original, names) };
  return isPhrase(original) ? read : { ...read, text: names[0] };
}

/**
 * The same for what must not be mistaken: problems, drugs, allergens. References go astray: the sample that many vendors
 * started from points from the allergen to the reaction ("Penicillin" to "Hives"), and one vendor from each drug to the
 * next one's row ("azithromycin" to "Viagra"). So words under a heading of `misplaced` are left out, as are those that
 * neither the code's name nor `name`, where these agree, have a word in common with; else both are told.
 */
export function toCheckedConcept(
  code: Element | undefined,
  narrative: NarrativeIndex,
  { name, misplaced }: { name?: string | undefined; misplaced?: RegExp } = {},
): CodeableConcept | undefined {
  const read = toNamedConcept(code, narrative);
  const [coded] = read === undefined ? [] : getDisplays(read);
  const words = read?.text;
  if (words === undefined || coded === undefined || !isReference(code) || hasCommonWord(words, coded))
    return read;
  const isWrongReference =
    misplaced?.test(findHeading(code, narrative) ?? '') === true ||
    (name !== undefined && !hasCommonWord(words, name) && hasCommonWord(name, coded));
  return { ...read, text: isWrongReference ? coded : formatBothNames(words, coded) };
}

/** Two names that may be of one thing, as trade name and substance are, or of two: nobody but the reader can tell. */
export const formatBothNames = (words: string, coded: string): string => `${words} (coded as ${coded})`;

const getDisplays = ({ coding = [] }: CodeableConcept): string[] =>
  coding.flatMap(({ display }) => display ?? []);

/** Whether the words stand elsewhere, and not in the code. */
const isReference = (code: Element | undefined): boolean => {
  const original = getChild(code, 'originalText');
  return original !== undefined && getText(original) === undefined;
};

/** One vendor writes the group before the name: "Statins + atorvastatin 10 MG Oral Tablet". */
const stripGroup = (original: string, names: readonly string[]): string =>
  names.find((name) => original.endsWith(` + ${name}`)) ?? original;

/** The text of a concept that has no name at all, in place of its bare code. */
export function addFallbackText(
  read: CodeableConcept | undefined,
  name: string | undefined,
): CodeableConcept | undefined {
  return name === undefined || read?.text !== undefined ? read : { ...read, text: name };
}

/** What one cell or phrase holds: neither a row of a table nor a paragraph. */
export const isPhrase = (text: string): boolean => !text.includes(' | ') && text.length <= 200;

/** Two names of one thing have a word in common, most often: "Egg" and "Eggs (edible)". */
export const hasCommonWord = (a: string, b: string): boolean => {
  const words = getWords(b);
  return getWords(a).some((one) => words.some((other) => one.startsWith(other) || other.startsWith(one)));
};

/** Neither strengths nor forms: "Oral Tablet 50 mg" is of no drug in particular. */
const getWords = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !IGNORED_WORDS.has(word));

const IGNORED_WORDS = new Set(
  `oral tablet tablets capsule capsules solution suspension injection injectable inhalation inhaler aerosol cream ointment
  powder drops spray patch topical nasal subcutaneous intravenous release extended actuation mcg act actuat unt allergy the
  and with`.split(/\s+/),
);

/** Some senders write "????" for a name they do not have. */
function dropUnreadable(read: CodeableConcept | undefined): CodeableConcept | undefined {
  const coding = read?.coding?.map((one) => ({ ...one, display: toReadable(one.display) }));
  const text = toReadable(read?.text) ?? coding?.find(({ display }) => display !== undefined)?.display;
  return read && { coding: coding ?? [], text };
}

const toReadable = (text: string | undefined): string | undefined =>
  text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;

/** The codes a concept is told by, itself and its translations. */
export const getCodes = (code: Element | undefined): string[] =>
  toCodings(code).flatMap(({ code }) => code ?? []);
