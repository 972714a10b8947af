import { toConceptId, type Concept } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { isQuestionWord } from './question-words.ts';
import { flattenText } from './text-pattern.ts';

const HISTORY = /^history-of-/;
const HISTORY_NAME = /^(?:personal )?history of (.+)$/;
const DEGREE =
  /^(?:high|low|elevated|raised|increased|decreased|alt[oa]s?|baj[oa]s?|hohe[nrs]?|erhohte?[nrs]?|niedrige?[nrs]?)$/;

/** What records say for a complaint: the items of a questionnaire, the finding of an examination. */
const ALLIED: Readonly<Record<string, readonly string[]>> = {
  insomnia: ['sleep-problems', 'phq-9'],
  'leg-swelling': ['swelling'],
  'knee-injury': ['meniscus-tear', 'acl-tear'],
  concussion: ['head-injury'],
  'colon-polyp': ['polypectomy'],
  'difficulty-walking': ['mobility-aid'],
};

/** Whether a word says that a value is high or low. */
export const isDegree = (word: string): boolean => DEGREE.test(word);

/**
 * Finds what else answers a phrase: a history of something is also that thing, and a test whose result is high or low says so
 * itself ("high triglycerides"); and what records say for a complaint.
 */
export function findImplied(
  vocabulary: Vocabulary,
  { phrase }: Pick<PhraseMatch, 'phrase'>,
  meanings: readonly Concept[],
): Concept[] {
  const past = meanings.flatMap(({ slug, name }) => {
    const known = HISTORY.test(slug)
      ? vocabulary.getConcept(toConceptId(slug.replace(HISTORY, '')))
      : undefined;
    const thing = HISTORY_NAME.exec(name)?.[1];
    return known ?? (thing === undefined ? [] : findWhole(vocabulary, thing));
  });
  // "Low did my oxygen", "potassium was low".
  const words = flattenText(phrase)
    .split(' ')
    .filter((word) => !isQuestionWord(word));
  const thing = words.filter((word) => !isDegree(word)).join(' ');
  const measured =
    thing === words.join(' ') ? [] : findWhole(vocabulary, thing).filter(({ kind }) => kind === 'tests');
  const allied = meanings.flatMap(({ slug }) =>
    (ALLIED[slug] ?? []).flatMap((each) => vocabulary.getConcept(toConceptId(each)) ?? []),
  );
  return [...past, ...measured, ...allied].filter(({ id }) => !meanings.some((meaning) => meaning.id === id));
}

const findWhole = (vocabulary: Vocabulary, text: string): Concept[] =>
  vocabulary
    .findPhrases(text, 'question')
    .filter(({ start, end }) => start === 0 && end === text.length)
    .flatMap(({ concepts }) => concepts);
