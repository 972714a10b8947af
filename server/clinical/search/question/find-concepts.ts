import { isGeneralWord } from '../../concepts/general-words.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import { splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { leaveOutFunctionWords } from './choose-meaning.ts';
import type { LooseMatch } from './loose-match.ts';
import type { LoosePhrases } from './loose-phrases.ts';
import { isDegree } from './implied-concepts.ts';
import { findInjuries, leaveOutNamed, narrowToNamed, separatePart } from './injuries.ts';
import { isEverydayWord } from './everyday-words.ts';
import type { KindExpression } from './kind-words.ts';
import { isJoined, pickTurns, saysSomething } from './pick-turns.ts';
import { isQuestionWord } from './question-words.ts';
import { compilePattern, flattenText, isOverlapping, type Span } from './text-pattern.ts';

/** Whose it is, and when: "sugar in my urine" is sugar in urine. */
const OWNERS = compilePattern(
  '(?:my|his|her|their|your|our|an?|been|being|ever|already|mi|mis|su|sus|una?|meine?[nmrs]?|seine?[nmrs]?|ihre?[nmrs]?|eine?[nmrs]?)',
);

/** What a question is read by. */
export interface Readers {
  vocabulary: Vocabulary;
  loose: LoosePhrases;
}

/** The parts of a text that mean something already. */
interface Understood {
  times: readonly Span[];
  kinds: readonly KindExpression[];
  family: readonly Span[];
}

/**
 * Finds the phrases of the vocabulary, as they are written or else as they are meant.
 */
export function findConcepts(
  { vocabulary, loose }: Readers,
  text: string,
  { times, kinds, family }: Understood,
): PhraseMatch[] {
  const understood = [...times, ...kinds, ...family];
  const turns = loose
    .findTurns(text)
    .filter(({ words }) => !words.some((word) => times.some((time) => isOverlapping(time, word))))
    .filter(({ words }) => !isOfKind(text, words, kinds));
  const phrases = findWritten(vocabulary, text).flatMap((match) => separatePart(vocabulary, text, match));
  const injuries = findInjuries(vocabulary, text, phrases);
  const named = [...phrases, ...injuries];
  let found: readonly LooseMatch[] | null = null;
  const findLoose = (): readonly LooseMatch[] =>
    (found ??= loose.find(text).flatMap((match) => narrowToNamed(text, match, named)));
  const written = pickTurns(text, leaveOutNamed(text, turns, { written: named, findLoose }), phrases);
  const places = written.filter(isPlace);
  const explained = places.length === 0 ? written : written.filter((match) => !isOfAnyPlace(match));
  const unexplained = splitWords(text).filter(
    (word) =>
      ![...explained, ...understood].some((part) => isOverlapping(part, word)) &&
      !isQuestionWord(flattenText(text.slice(word.start, word.end))) &&
      (!isGeneralWord(word.folded) || isDegree(word.folded)),
  );
  const meant =
    unexplained.length === 0
      ? []
      : pickLoose({ text, unexplained }, written, leaveOutBroken(findLoose(), understood));
  const left = written.filter((match) => !meant.some((each) => isOverlapping(each, match)));
  const all = [...left, ...meant];
  return [...all, ...injuries.filter((injury) => !all.some((match) => isOverlapping(match, injury)))].sort(
    (one, other) => one.start - other.start,
  );
}

/** "What medicines am I taking" asks for all medications: of the words that say something, each names the same kind. */
function isOfKind(text: string, words: readonly Span[], kinds: readonly KindExpression[]): boolean {
  const said = words.filter((word) => saysSomething(text, word));
  const naming = said.map((word) => kinds.find((kind) => isOverlapping(kind, word)));
  const names = new Set(naming.map((kind) => kind?.kinds[0]?.kind));
  return names.size === 1 && !names.has(undefined);
}

const isPlace = ({ concepts }: PhraseMatch): boolean =>
  concepts.length > 0 && concepts.every(({ kind }) => kind === 'body-parts');

/**
 * One word for a symptom or injury of many kinds says little beside a part of the body: "le duele la espalda" is back pain. So
 * does what is done to many parts: "an x-ray of his lungs" is a chest x-ray.
 */
const MIN_BREADTH = 2;
const isOfAnyPlace = ({ concepts, phrase }: PhraseMatch): boolean => {
  const words = splitWords(phrase).length;
  return concepts.some(
    ({ kind, breadth }) =>
      breadth >= MIN_BREADTH &&
      (kind === 'procedures' ? words <= 2 : words === 1 && (kind === 'symptoms' || kind === 'conditions')),
  );
};

/** What is understood already is part of a phrase or outside of it: "rate control drug for the heart" is no heart rate. */
const leaveOutBroken = (found: readonly LooseMatch[], understood: readonly Span[]): LooseMatch[] =>
  found.filter((match) =>
    understood
      .filter((part) => isOverlapping(part, match))
      .every((part) => match.words.some((word) => isOverlapping(part, word))),
  );

/**
 * Picks loose phrases that explain a word which nothing else does, each of more words than the phrases that it would replace;
 * what the same words of the text mean belongs together.
 */
function pickLoose(
  { text, unexplained }: { text: string; unexplained: readonly Span[] },
  written: readonly PhraseMatch[],
  found: readonly LooseMatch[],
): PhraseMatch[] {
  const length = ({ start, end }: LooseMatch): number => end - start;
  const candidates = found
    .filter(
      (match) =>
        unexplained.some((word) => isOverlapping(word, match)) &&
        written.every(
          (other) => !isOverlapping(other, match) || countWords(other.phrase) < match.words.length,
        ),
    )
    .sort((one, other) => other.words.length - one.words.length || length(one) - length(other));
  const picked: LooseMatch[] = [];
  for (const match of candidates) {
    const same = picked.find(
      ({ start, end, words }) =>
        start === match.start && end === match.end && words.length === match.words.length,
    );
    if (same !== undefined) same.concepts = [...new Set([...same.concepts, ...match.concepts])];
    else if (picked.every((other) => !isOverlapping(other, match) || isJoined(text, other, match)))
      picked.push({ ...match });
  }
  return picked.map(({ concepts, start, end, phrase }) => ({ concepts, start, end, phrase }));
}

/**
 * Finds the longest phrases of the vocabulary, also those that other words of a question stand in the middle of: "have my
 * tubes been tied". A phrase with such words in it counts where it has more words than what is found without.
 */
function findWritten(vocabulary: Vocabulary, text: string): PhraseMatch[] {
  const withoutOwners = flattenText(text)
    .matchAll(OWNERS)
    .reduce((left, { 0: word, index }) => blank(left, index, word.length), text);
  const withoutQuestion = splitWords(text)
    .filter(({ start, end }) => isQuestionWord(flattenText(text.slice(start, end))))
    .reduce((left, { start, end }) => blank(left, start, end - start), text);
  let matches = leaveOutFunctionWords(text, findLater(vocabulary, text));
  for (const gapped of [withoutOwners, withoutQuestion])
    for (const found of vocabulary.findPhrases(gapped, 'question')) {
      const overlapped = matches.filter((match) => isOverlapping(match, found));
      const isLonger = overlapped.every((match) => countWords(match.phrase) < countWords(found.phrase));
      if (!isLonger || countWords(found.phrase) < 2) continue;
      const phrase = text.slice(found.start, found.end);
      const isGapped = gapped === withoutQuestion && gapped !== withoutOwners;
      matches = [...matches.filter((match) => !overlapped.includes(match)), { ...found, phrase, isGapped }];
    }
  return matches;
}

/**
 * Finds the longest phrases from left to right; of one that begins with words that say little, the longer rest: "a bad heart
 * attack" is no "bad heart".
 */
function findLater(vocabulary: Vocabulary, text: string): PhraseMatch[] {
  const matches = vocabulary.findPhrases(text, 'question');
  for (const match of matches) {
    const words = splitWords(text).filter((word) => isOverlapping(word, match));
    const first = words.findIndex(({ start, end }) => !isLittle(flattenText(text.slice(start, end))));
    const from = first < 1 ? undefined : words[first];
    if (from === undefined) continue;
    const later = vocabulary.findPhrases(blank(text, 0, from.start), 'question');
    const goesOn = later.find(({ start, end }) => start === from.start && end > match.end);
    if (
      goesOn !== undefined &&
      splitWords(text.slice(match.end, goesOn.end)).some(({ folded }) => !MEASURED.test(folded))
    )
      return [
        ...matches.filter(({ end }) => end <= match.start),
        ...findLater(vocabulary, blank(text, 0, from.start)),
      ];
  }
  return matches;
}

/** "Bad cholesterol level" is the bad cholesterol. */
const MEASURED = /^(?:level|number|reading|result|value)$/;

const isLittle = (word: string): boolean => !isDegree(word) && (isQuestionWord(word) || isEverydayWord(word));

const blank = (text: string, start: number, length: number): string =>
  text.slice(0, start) + ' '.repeat(length) + text.slice(start + length);

const countWords = (phrase: string): number => splitWords(phrase).length;
