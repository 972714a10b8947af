import type { Element } from 'slimdom';
import { codings, concept, originalText } from '../concepts.ts';
import { child, textOf } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { headingOver } from './narrative-row.ts';

/**
 * A code under the name its author used, where that is a name: a reference into the narrative may lead to a whole row.
 */
export function namedConcept(
  code: Element | undefined,
  narrative: NarrativePlaces,
): CodeableConcept | undefined {
  const read = readable(concept(code, narrative));
  const written = originalText(code, narrative);
  if (read === undefined || written === undefined) return read;
  const names = namesOf(read);
  if (!isPointer(code)) return { ...read, text: withoutGroup(written, names) };
  return isPhrase(written) ? read : { ...read, text: names[0] };
}

/**
 * The same for what must not be mistaken: problems, drugs, allergens. References go astray: the sample that many vendors
 * started from points from the allergen to the reaction ("Penicillin" to "Hives"), and one vendor from each drug to the
 * next one's row ("azithromycin" to "Viagra"). So words under a heading of `misplaced` are left out, as are those that
 * neither the code's name nor `name`, where these agree, have a word in common with; else both are told.
 */
export function surelyNamed(
  code: Element | undefined,
  narrative: NarrativePlaces,
  { name, misplaced }: { name?: string | undefined; misplaced?: RegExp } = {},
): CodeableConcept | undefined {
  const read = namedConcept(code, narrative);
  const [coded] = read === undefined ? [] : namesOf(read);
  const words = read?.text;
  if (words === undefined || coded === undefined || !isPointer(code) || shareAWord(words, coded)) return read;
  const isAstray =
    misplaced?.test(headingOver(code, narrative) ?? '') === true ||
    (name !== undefined && !shareAWord(words, name) && shareAWord(name, coded));
  return { ...read, text: isAstray ? coded : bothNames(words, coded) };
}

/** Two names that may be of one thing, as trade name and substance are, or of two: nobody but the reader can tell. */
export const bothNames = (words: string, coded: string): string => `${words} (coded as ${coded})`;

const namesOf = ({ coding = [] }: CodeableConcept): string[] =>
  coding.flatMap(({ display }) => display ?? []);

/** Whether the words stand elsewhere, and not in the code. */
const isPointer = (code: Element | undefined): boolean => {
  const original = child(code, 'originalText');
  return original !== undefined && textOf(original) === undefined;
};

/** One vendor writes the group before the name: "Statins + atorvastatin 10 MG Oral Tablet". */
const withoutGroup = (written: string, names: readonly string[]): string =>
  names.find((name) => written.endsWith(` + ${name}`)) ?? written;

/** The text of a concept that has no name at all, in place of its bare code. */
export function orNamed(
  read: CodeableConcept | undefined,
  name: string | undefined,
): CodeableConcept | undefined {
  return name === undefined || read?.text !== undefined ? read : { ...read, text: name };
}

/** What one cell or phrase holds: neither a row of a table nor a paragraph. */
export const isPhrase = (text: string): boolean => !text.includes(' | ') && text.length <= 200;

/** Two names of one thing have a word in common, most often: "Egg" and "Eggs (edible)". */
export const shareAWord = (a: string, b: string): boolean => {
  const words = wordsOf(b);
  return wordsOf(a).some((one) => words.some((other) => one.startsWith(other) || other.startsWith(one)));
};

/** Neither strengths nor forms: "Oral Tablet 50 mg" is of no drug in particular. */
const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !FORMS.has(word));

const FORMS = new Set(
  `oral tablet tablets capsule capsules solution suspension injection injectable inhalation inhaler aerosol cream ointment
  powder drops spray patch topical nasal subcutaneous intravenous release extended actuation mcg act actuat unt allergy the
  and with`.split(/\s+/),
);

/** Some senders write "????" for a name they do not have. */
function readable(read: CodeableConcept | undefined): CodeableConcept | undefined {
  const coding = read?.coding?.map((one) => ({ ...one, display: spoken(one.display) }));
  const text = spoken(read?.text) ?? coding?.find(({ display }) => display !== undefined)?.display;
  return read && { coding: coding ?? [], text };
}

const spoken = (text: string | undefined): string | undefined =>
  text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;

/** The codes a concept is told by, itself and its translations. */
export const codesOf = (code: Element | undefined): string[] =>
  codings(code).flatMap(({ code }) => code ?? []);
