import { isGeneralWord } from '../../concepts/general-words.ts';
import type { AskedWord } from '../question.ts';
import { cleanTerm, findTerms, MAX_WORDS } from '../search-query.ts';
import type { CorrectedText } from './correct-spelling.ts';
import { toEnglish } from '../spellings.ts';
import { isEverydayWord } from './everyday-words.ts';
import { guessLanguage, isQuestionWord, namesFood } from './question-words.ts';
import { flattenText, isOverlapping, type Span } from './text-pattern.ts';

/** A general word says little by itself, a name of a place or a person is what other words are looked for beside. */
const GENERAL_WEIGHT = 0.2;
const NAME_WEIGHT = 0.5;

/**
 * Lists the words that no phrase, time or kind covers, without those that only make a question of it; beside what is understood
 * also without those of everyday talk. A general word is the English one: "Blut" is nearly "blue".
 */
export function listWords({ text }: CorrectedText, taken: readonly Span[]): AskedWord[] {
  // German writes every noun with a capital.
  const spoken = flattenText(text).split(' ');
  const mayBeName = text !== text.toUpperCase() && guessLanguage(spoken) !== 'de';
  const words = findTerms(text.replace(/[/,;|]/g, ' ')).flatMap((term, index) => {
    const word = cleanTerm(term.written);
    if (word === '' || taken.some((each) => isOverlapping(each, term)) || isFunctionWord(word, spoken))
      return [];
    if (taken.length > 0 && isEverydayWord(flattenText(word).trim())) return [];
    const isName = mayBeName && index > 0 && /^\p{Lu}\p{Ll}/u.test(term.written);
    return [
      { text: toEnglish(word), weight: isGeneralWord(word) ? GENERAL_WEIGHT : isName ? NAME_WEIGHT : 1 },
    ];
  });
  return words
    .filter(({ text }, index) => words.findIndex((each) => each.text === text) === index)
    .slice(0, MAX_WORDS);
}

/** Also "what's" and "I've". */
export const isFunctionWord = (word: string, spoken: readonly string[]): boolean => {
  const parts = flattenText(word).split(' ').filter(Boolean);
  return parts.length > 0 && parts.every((part) => isQuestionWord(part) && !namesFood(part, spoken));
};
