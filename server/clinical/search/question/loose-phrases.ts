import { splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { LooseMatch } from './loose-match.ts';
import { createPhraseShelf, type PhraseShelf } from './phrase-shelf.ts';
import { isQuestionWord, isWordOf, listLanguages, type Language } from './question-words.ts';
import { flattenText } from './text-pattern.ts';
import { createTurnsInSteps } from './turns-of-speech.ts';
import { createWordReaderInSteps, type WordReader } from './word-classes.ts';

/**
 * The phrases of the vocabulary by what they say, whatever the order and the forms of their words, and with other words
 * between them: "my knee has been hurting" is "knee pain", "lost a lot of weight" is "weight loss".
 */
export interface LoosePhrases {
  /** Finds every phrase whose words stand near each other; they may overlap. */
  find(text: string): LooseMatch[];
  /** Finds what people say in words of no vocabulary. */
  findTurns(text: string): LooseMatch[];
}

/** A few milliseconds' work. */
const NAMES_PER_STEP = 100;
/** How many words of the text may stand between those of a phrase. */
const MAX_GAP = 3;
const MAX_WORDS = 5;

/** Reads the names of all concepts, with a pause after each step. */
export function* createLoosePhrasesInSteps(vocabulary: Vocabulary): Generator<void, LoosePhrases> {
  const reader = yield* createWordReaderInSteps(vocabulary);
  const remembered = new Map<string, string>();
  const readOnce: ReadWord = (language, folded) => {
    const key = `${language} ${folded}`;
    const known = remembered.get(key) ?? reader.read(language, folded);
    remembered.set(key, known);
    return known;
  };
  const builder = createPhraseShelf();
  let left = NAMES_PER_STEP;
  for (const { concept, phrase, language } of vocabulary.listNames()) {
    if (--left === 0) {
      left = NAMES_PER_STEP;
      yield;
    }
    const words = listMeanings(readOnce, phrase, language);
    if (isLoose(reader, words, phrase)) builder.add(words, concept.id);
  }
  remembered.clear();
  const shelf = yield* builder.closeInSteps(NAMES_PER_STEP);
  const turns = yield* createTurnsInSteps(vocabulary, reader);
  return {
    find: (text) =>
      listLanguages(flattenText(text).split(' ').filter(Boolean)).flatMap((language) =>
        findIn({ vocabulary, reader, shelf, language }, text),
      ),
    findTurns: turns.find,
  };
}

/**
 * One word in other forms is the speller's, unless it is of a class that says enough, and the phrase is not more than that
 * word: "hurting myself" is not what hurts, "burned out" is no burn, and who is asleep was not put to sleep.
 */
const isLoose = (reader: WordReader, words: readonly string[], phrase: string): boolean =>
  words.length === 1
    ? reader.isAlone(words[0] ?? '') && !CHANGED.test(phrase)
    : words.length > 0 && words.length <= MAX_WORDS;

const CHANGED = new RegExp(
  `\\b(?:${[
    '(?:my|him|her|your|them)sel(?:f|ves)',
    'up|out(?! of breath)|all|never|off|for|end|avoid|worse|being|things|time|put .*to sleep',
    '(?:some|any|every)(?:one|thing)',
    'para|tipo|muestra|pusieron',
    'gegen|zum|bekommen',
  ].join('|')})\\b`,
  'i',
);

type ReadWord = WordReader['read'];

/** What the words of a phrase mean, each once, without those that only make a sentence of it. */
function listMeanings(read: ReadWord, phrase: string, language: Language): string[] {
  const words = splitWords(phrase).filter(({ folded }) => isNegation(folded) || !isWordOf(language, folded));
  return [...new Set(words.map(({ folded }) => toMeaning(read, language, folded)))];
}

const NEGATIONS = new Set(
  'no not can cannot without won doesn don sin kein keine keinen nicht ohne'.split(' '),
);
const isNegation = (folded: string): boolean => NEGATIONS.has(folded);

const toMeaning = (read: ReadWord, language: Language, folded: string): string =>
  isNegation(folded) ? 'not' : read(language, folded);

interface Search {
  vocabulary: Vocabulary;
  reader: WordReader;
  shelf: PhraseShelf;
  language: Language;
}

/** A word of the text with the number of its meaning; null where no phrase has it. */
interface Place {
  word: number | null;
  start: number;
  end: number;
}

function findIn({ vocabulary, reader, shelf, language }: Search, text: string): LooseMatch[] {
  const places: Place[] = splitWords(text)
    .filter(
      ({ folded, start, end }) => isNegation(folded) || !isQuestionWord(flattenText(text.slice(start, end))),
    )
    .map(({ folded, start, end }) => ({
      word: shelf.getNumber(toMeaning(reader.read, language, folded)),
      start,
      end,
    }));
  return places.flatMap(({ word }, at) =>
    word === null
      ? []
      : shelf.listByRarest(word).flatMap(({ words, values }) => {
          const found = findAround(places, at, words);
          const [start, end] = [found.at(0)?.start, found.at(-1)?.end];
          if (start === undefined || end === undefined) return [];
          const concepts = values.flatMap((id) => vocabulary.getConcept(id) ?? []);
          return { concepts, start, end, phrase: text.slice(start, end), words: found };
        }),
  );
}

/** Finds the words of a phrase around one of them, the nearest of each, in their order; none where one is missing or too far. */
function findAround(places: readonly Place[], at: number, words: readonly number[]): Place[] {
  const found = words.map((word) => {
    const indexes = places.flatMap((place, index) => (place.word === word ? index : []));
    return indexes.sort((one, other) => Math.abs(one - at) - Math.abs(other - at))[0] ?? Number.NaN;
  });
  const [first, last] = [Math.min(...found), Math.max(...found)];
  // Not of what is missing, which is no number.
  return last - first < words.length + MAX_GAP ? places.filter((_, index) => found.includes(index)) : [];
}
