import type { Concept, ConceptKind } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Kind } from '../../entries/entry.ts';
import type { AskedKind } from '../question.ts';
import { guessLanguage, isQuestionWord, isWordOf } from './question-words.ts';
import { flattenText } from './text-pattern.ts';

/** The kinds of entries that concepts of a kind stand in. */
const KINDS: Readonly<Partial<Record<ConceptKind, readonly Kind[]>>> = {
  conditions: ['condition'],
  symptoms: ['condition', 'vital'],
  drugs: ['medication', 'allergy'],
  'drug-classes': ['medication', 'allergy'],
  tests: ['lab', 'vital', 'survey'],
  vaccines: ['immunization'],
  procedures: ['procedure', 'imaging', 'order'],
  devices: ['device'],
  'social-history': ['social_history'],
  'family-history': ['family_history'],
  'care-planning': ['goal', 'care_plan', 'document'],
  insurance: ['coverage'],
  visits: ['visit', 'care_team'],
};

interface MeaningContext {
  matches: readonly PhraseMatch[];
  kinds: readonly AskedKind[];
  isDenied: boolean;
}

/**
 * Chooses what a phrase with several meanings ("MS", "RA", "cold") stands for: what the other concepts of the question are
 * related to, else what the kind asked for may be; where neither says, all of them.
 */
export function chooseMeanings(
  match: PhraseMatch,
  { matches, kinds, isDenied }: MeaningContext,
): readonly Concept[] {
  if (match.concepts.length === 1 || match.isWhole === true) return match.concepts;
  const others = matches.filter((each) => each !== match).flatMap(({ concepts }) => concepts);
  const related = match.concepts.filter((concept) => others.some((other) => isRelated(concept, other)));
  if (related.length > 0) return related;
  const ofKind = match.concepts.filter(({ kind }) =>
    kinds.some((asked) => asked.weight >= 1 && (KINDS[kind]?.includes(asked.kind) ?? false)),
  );
  if (ofKind.length > 0) return ofKind;
  // Who denies "CP" denies a complaint.
  const symptoms = isDenied ? match.concepts.filter(({ kind }) => kind === 'symptoms') : [];
  return symptoms.length > 0 ? symptoms : match.concepts;
}

const isRelated = (one: Concept, other: Concept): boolean =>
  one.related.includes(other.id) ||
  other.related.includes(one.id) ||
  one.ancestors.includes(other.id) ||
  other.ancestors.includes(one.id) ||
  one.ancestors.some((id) => other.related.includes(id)) ||
  other.ancestors.some((id) => one.related.includes(id));

/**
 * Leaves out phrases that are a word of the question's own language ("mi última visita" names no myocardial infarction);
 * alone, in capitals, or in another language ("history of mi"), the word is an abbreviation.
 */
export function leaveOutFunctionWords(text: string, matches: readonly PhraseMatch[]): PhraseMatch[] {
  const words = flattenText(text).split(' ').filter(Boolean);
  const isAllCapitals = text === text.toUpperCase();
  return matches.filter(({ phrase }) => {
    const word = flattenText(phrase);
    if (!isQuestionWord(word)) return true;
    if (words.length === 1 || (phrase === phrase.toUpperCase() && !isAllCapitals)) return true;
    return !isWordOf(guessLanguage(words.filter((each) => each !== word)), word);
  });
}
