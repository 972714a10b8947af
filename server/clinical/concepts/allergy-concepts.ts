import { isDrug, type Concept } from './concept.ts';
import type { Reading } from './phrase-trie.ts';
import { splitWords } from './split-words.ts';
import type { Vocabulary } from './vocabulary.ts';

/** "Allergic to shellfish", in three languages; what follows to the end of the clause names what to. */
const STATEMENT =
  /(?<![\p{L}\p{N}])(?:allerg(?:ic|y|ies)(?: reactions?)? to|al[eé]rgic[oa]s? al?|alergias? al?|allergisch (?:gegen|auf)|allergien? gegen)\s+(?<what>[^.;:!?()\n]{2,80})/giu;
/** What an allergy to a substance is called. Articles are no words of a phrase (`splitWords`). */
export const ALLERGY_PHRASES = [
  '* allergy',
  'allergy to *',
  'alergia a *',
  'alergia al *',
  '*allergie',
  '*nallergie',
  'allergie gegen *',
] as const;

/** Who says so is no substance. */
const REPORTED_BY = /\s(?:per|according to|as per|seg[uú]n|laut)\s.*$/iu;

export interface AllergyStatement {
  concepts: readonly Concept[];
  start: number;
  end: number;
}

/** Finds what a text says that somebody is allergic to; its place is that of the statement. */
export function findAllergyStatements(vocabulary: Vocabulary, text: string): AllergyStatement[] {
  return [...text.matchAll(STATEMENT)].flatMap(({ 0: statement, index, groups }) => {
    const what = (groups?.['what'] ?? '').replace(REPORTED_BY, '');
    const named = vocabulary.findPhrases(what, 'record').flatMap(({ concepts }) => concepts);
    const concepts = findAllergies(vocabulary, what, named);
    return concepts.length === 0 ? [] : { concepts, start: index, end: index + statement.length };
  });
}

/**
 * An allergy names its substance alone, "Penicillin G": it is the penicillin allergy. Where no record would call one so, what
 * people ask for does: "Shrimp" is what they mean by a shrimp allergy.
 */
export function findAllergies(vocabulary: Vocabulary, title: string, named: readonly Concept[]): Concept[] {
  const words = splitWords(title).map(({ start, end }) => title.slice(start, end));
  const substances = [
    ...words,
    ...words.slice(1).map((word, index) => `${words[index]} ${word}`),
    ...named.flatMap(({ ancestors }) => ancestors.flatMap((id) => vocabulary.getConcept(id)?.name ?? [])),
  ];
  const find = (reading: Reading): Concept[] =>
    substances.flatMap((substance) => findAllergy(vocabulary, substance, reading));
  const recorded = find('record');
  const isKnown = recorded.length > 0 || named.some(isAllergy);
  return [
    ...(isKnown ? recorded : find('question')),
    ...(named.some(isDrug) ? findAllergy(vocabulary, 'drug', 'record') : []),
  ];
}

const isAllergy = ({ slug }: Concept): boolean => slug.endsWith('-allergy');

/** The allergies to a substance, in the words of any language. */
export function findAllergy(vocabulary: Vocabulary, substance: string, reading: Reading): readonly Concept[] {
  for (const phrase of ALLERGY_PHRASES) {
    const text = phrase.replace('*', substance);
    const [match] = vocabulary.findPhrases(text, reading);
    if (match?.start === 0 && match.end === text.length) return match.concepts;
  }
  return [];
}
