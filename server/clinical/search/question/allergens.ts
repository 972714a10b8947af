import { findAllergy } from '../../concepts/allergy-concepts.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { Question } from '../question.ts';

type ReadQuestion = Omit<Question, 'unwanted'>;

/**
 * Reads the bare name of an allergen, which means nothing else, as the allergy to it: "cacahuate" in a record that says
 * "Peanut". Its own words are looked for too.
 */
export function findAllergen(vocabulary: Vocabulary, question: ReadQuestion): ReadQuestion {
  const { concepts, words, kinds, people, title } = question;
  const isAlone = concepts.length + kinds.length === 0 && people === null && words.length > 0;
  const readAs = isAlone && title?.isBare === true ? findAllergy(vocabulary, title.text, 'question') : [];
  if (readAs.length === 0) return question;
  const phrase = title?.text ?? '';
  return { ...question, concepts: [{ phrase, spelled: null, readAs, isBare: true }], words: [] };
}
