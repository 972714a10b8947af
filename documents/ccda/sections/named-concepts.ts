import type { Element } from 'slimdom';
import { toCodings, toCodeableConcept, getOriginalText } from '../concepts.ts';
import { getChild, getText } from '../elements.ts';
import type { CodeableConcept } from '../fhir-values.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { findHeading } from './narrative-table.ts';

/**
 * Converts a code with the name that its author used, where that is a name: a reference may point to a whole row.
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
 * Does the same for what must not be mistaken: problems, drugs, allergens, vaccines, procedures. Both names are shown where
 * the author's has no word in common with the code's. References may be wrong: the sample that many vendors started from
 * points from the allergen to the reaction ("Penicillin" to "Hives"), and one vendor from each drug to the next one's row
 * ("azithromycin" to "Viagra"). So a referenced text under a heading of `misplaced` is left out, as is one that has no word
 * in common with the code's name and `name`, where these agree.
 */
export function toCheckedConcept(
  code: Element | undefined,
  narrative: NarrativeIndex,
  { name, misplaced }: { name?: string | undefined; misplaced?: RegExp } = {},
): CodeableConcept | undefined {
  const read = toNamedConcept(code, narrative);
  const [coded] = read === undefined ? [] : getDisplays(read);
  const words = read?.text;
  if (words === undefined || coded === undefined || !isOtherName(words, coded)) return read;
  const isWrongReference =
    isReference(code) &&
    (misplaced?.test(findHeading(code, narrative) ?? '') === true ||
      (name !== undefined && !hasCommonWord(words, name) && hasCommonWord(name, coded)));
  return { ...read, text: isWrongReference ? coded : formatBothNames(words, coded) };
}

/** Shows both names, which may be of one thing, as trade name and substance, or of two: the reader decides. */
export const formatBothNames = (words: string, coded: string): string => `${words} (coded as ${coded})`;

const getDisplays = ({ coding = [] }: CodeableConcept): string[] =>
  coding.flatMap(({ display }) => display ?? []);

/** Says whether the text is referenced, and not in the code itself. */
const isReference = (code: Element | undefined): boolean => {
  const original = getChild(code, 'originalText');
  return original !== undefined && getText(original) === undefined;
};

/** Strips the group that one vendor writes before the name: "Statins + atorvastatin 10 MG Oral Tablet". */
const stripGroup = (original: string, names: readonly string[]): string =>
  names.find((name) => original.endsWith(` + ${name}`)) ?? original;

/** Adds a text to a concept without a name. */
export function addFallbackText(
  read: CodeableConcept | undefined,
  name: string | undefined,
): CodeableConcept | undefined {
  return name === undefined || read?.text !== undefined ? read : { ...read, text: name };
}

/** True for the text of one cell or phrase: neither a row of a table nor a paragraph. */
export const isPhrase = (text: string): boolean => !text.includes(' | ') && text.length <= 200;

/** Two names of one thing mostly have a word in common: "Egg" and "Eggs (edible)". */
export const hasCommonWord = (a: string, b: string): boolean => {
  const words = getWords(b);
  return getWords(a).some((one) => words.some((other) => one.startsWith(other) || other.startsWith(one)));
};

/** Says whether words name something else than a code, which has a name of its own: "Procedure" is the kind of any. */
export const isOtherName = (words: string, coded: string): boolean =>
  getWords(coded).length > 0 && !hasCommonWord(words, coded);

/** Returns the words of a name without strengths and forms, and without those of many names: "Oral Tablet 50 mg" may be of any drug. */
const getWords = (text: string): string[] =>
  (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !IGNORED_WORDS.has(word));

const IGNORED_WORDS = new Set(
  `oral tablet tablets capsule capsules solution suspension injection injectable inhalation inhaler aerosol cream ointment
  powder drops spray patch topical nasal subcutaneous intravenous release extended actuation mcg act actuat unt allergy the
  and with for use dose vaccine vaccines vaccination immunization virus conjugate polysaccharide formulation unspecified
  preservative free live attenuated inactivated adult adults pediatric valent trivalent quadrivalent adsorbed toxoid toxoids
  disease disorder finding problem condition syndrome chronic acute history type left right procedure drug medication medicament
  substance product`.split(/\s+/),
);

/** Drops names like "????", which some senders write for a missing one. */
function dropUnreadable(read: CodeableConcept | undefined): CodeableConcept | undefined {
  const coding = read?.coding?.map((one) => ({ ...one, display: toReadable(one.display) }));
  const text = toReadable(read?.text) ?? coding?.find(({ display }) => display !== undefined)?.display;
  return read && { coding: coding ?? [], text };
}

const toReadable = (text: string | undefined): string | undefined =>
  text !== undefined && /[\p{L}\p{N}]/u.test(text) ? text : undefined;

/** Returns the codes of a concept and of its translations. */
export const getCodes = (code: Element | undefined): string[] =>
  toCodings(code).flatMap(({ code }) => code ?? []);
