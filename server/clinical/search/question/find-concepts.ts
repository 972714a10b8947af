import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import { splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { leaveOutFunctionWords } from './choose-meaning.ts';
import { isQuestionWord } from './question-words.ts';
import { compilePattern, flattenText, isOverlapping } from './text-pattern.ts';

/** Whose it is, and when: "sugar in my urine" is sugar in urine. */
const OWNERS = compilePattern(
  '(?:my|his|her|their|your|our|an?|been|being|ever|already|mi|mis|su|sus|una?|meine?[nmrs]?|seine?[nmrs]?|ihre?[nmrs]?|eine?[nmrs]?)',
);

/**
 * Finds the longest phrases of the vocabulary, also those that other words of a question stand in the middle of: "have my
 * tubes been tied". A phrase with such words in it counts where it has more words than what is found without.
 */
export function findConcepts(vocabulary: Vocabulary, text: string): PhraseMatch[] {
  const withoutOwners = flattenText(text)
    .matchAll(OWNERS)
    .reduce((left, { 0: word, index }) => blank(left, index, word.length), text);
  const withoutQuestion = splitWords(text)
    .filter(({ start, end }) => isQuestionWord(flattenText(text.slice(start, end))))
    .reduce((left, { start, end }) => blank(left, start, end - start), text);
  let matches = leaveOutFunctionWords(text, vocabulary.findPhrases(text, 'question'));
  for (const gapped of [withoutOwners, withoutQuestion])
    for (const found of vocabulary.findPhrases(gapped, 'question')) {
      const overlapped = matches.filter((match) => isOverlapping(match, found));
      const isLonger = overlapped.every((match) => countWords(match.phrase) < countWords(found.phrase));
      if (!isLonger || countWords(found.phrase) < 2) continue;
      const phrase = text.slice(found.start, found.end);
      matches = [...matches.filter((match) => !overlapped.includes(match)), { ...found, phrase }];
    }
  return matches.sort((one, other) => one.start - other.start);
}

const blank = (text: string, start: number, length: number): string =>
  text.slice(0, start) + ' '.repeat(length) + text.slice(start + length);

const countWords = (phrase: string): number => splitWords(phrase).length;
