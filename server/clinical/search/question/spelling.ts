import {
  packLists,
  packNumbers,
  packTexts,
  packWords,
  type Numbers,
  type PackedLists,
  type PackedTexts,
  type PackedWords,
} from '../../../platform/kernel/packed.ts';
import { splitWords } from '../../concepts/split-words.ts';
import { isCommonWord } from './common-words.ts';
import { createEditCounter } from './edit-distance.ts';
import { toSound } from './word-sound.ts';

/** Finds what a word that nobody knows was meant to be. */
export interface Speller {
  isKnown(folded: string): boolean;
  /** Known words that are nearly this one, the nearest first; none of a word that is known. */
  findNear(folded: string): string[];
  /** Another form or spelling of it that is known ("impfungen": "impfung"), or its parts ("bluttest", "heartattack"). */
  findForm(folded: string): string | null;
}

const MIN_LENGTH = 4;
const MAX_CANDIDATES = 4;

/** Known words in flat tables, by their index: as objects they took eight times the memory. */
interface Words {
  words: PackedWords;
  /** As they are written. */
  spellings: PackedTexts;
  /** How many phrases have each. */
  ranks: Numbers;
  /** The letters that each has, as bits: most are ruled out without being compared. */
  letters: Uint32Array;
  /** Those that may be near another, by their length. */
  byLength: PackedLists;
  sounds: PackedWords;
  /** By the index of what they sound like. */
  bySound: PackedLists;
  countEdits: ReturnType<typeof createEditCounter>;
}

/** A few milliseconds' work. */
const PHRASES_PER_STEP = 1_000;

/** Counts the words of all phrases, beside which others are no misspelling, with a pause after each step. */
export function* createSpellerInSteps(
  phrases: Iterable<string>,
  alsoKnown: ReadonlySet<string> = new Set(),
): Generator<void, Speller> {
  const counts = new Map<string, number>();
  const spellings = new Map<string, string>();
  let left = PHRASES_PER_STEP;
  for (const phrase of phrases) {
    if (--left === 0) {
      left = PHRASES_PER_STEP;
      yield;
    }
    for (const { folded, start, end } of splitWords(phrase)) {
      counts.set(folded, (counts.get(folded) ?? 0) + 1);
      const written = phrase.slice(start, end).toLowerCase();
      if (!spellings.has(folded) || written === folded) spellings.set(folded, written);
    }
  }
  yield;
  const words = yield* packInSteps(counts, spellings);
  const isKnown = (word: string): boolean => has(words, word) || alsoKnown.has(word) || isCommonWord(word);
  return {
    isKnown,
    findNear: (word) =>
      isKnown(word) ? [] : findNearest(words, word).map((index) => words.spellings.get(index)),
    findForm: (word) =>
      isKnown(word)
        ? null
        : (findInflection(words, word) ?? (isNearlyKnown(words, word) ? null : findParts(words, word))),
  };
}

const has = ({ words }: Words, word: string): boolean => words.indexOf(word) >= 0;

const isPlain = (word: string): boolean => word.length >= MIN_LENGTH && /^[a-z]+$/.test(word);

function* packInSteps(
  counts: ReadonlyMap<string, number>,
  spellings: ReadonlyMap<string, string>,
): Generator<void, Words> {
  const bySound = new Map<string, number[]>();
  const byLength: number[][] = [];
  const words = [...counts.keys()];
  for (const [index, word] of words.entries()) {
    if (index % PHRASES_PER_STEP === 0) yield;
    if (!isPlain(word)) continue;
    (byLength[word.length] ??= []).push(index);
    if (word.length < MIN_HEARD_LENGTH) continue;
    const sound = toSound(word);
    const alike = bySound.get(sound);
    if (alike === undefined) bySound.set(sound, [index]);
    else alike.push(index);
  }
  yield;
  return {
    words: packWords(words),
    spellings: packTexts(words.map((word) => spellings.get(word) ?? word)),
    ranks: packNumbers([...counts.values()]),
    letters: Uint32Array.from(words, (word) => (isPlain(word) ? toLetters(word) : 0)),
    byLength: packLists(Array.from(byLength, (indexes) => indexes ?? [])),
    sounds: packWords([...bySound.keys()]),
    bySound: packLists([...bySound.values()]),
    countEdits: createEditCounter(),
  };
}

const NONE: Numbers = new Uint16Array();

function listBySound({ sounds, bySound }: Words, sound: string): Numbers {
  const index = sounds.indexOf(sound);
  return index < 0 ? NONE : bySound.get(index);
}

/** One letter of up to five, two of more. */
const getLimit = (word: string): number => (word.length <= 5 ? 1 : 2);
const LONG_WORD = 7;
/** Of shorter words too few consonants are heard. */
const MIN_HEARD_LENGTH = 5;
const MIN_HEARD = 4;
/** What sounds the same is nearer by this, and may differ by a letter more: "hemroids", "sirosis", "tetnis". */
const HEARD = 0.6;

/** The indexes of the nearest words. */
function findNearest(known: Words, word: string): number[] {
  if (!isPlain(word)) return [];
  const { words, ranks, letters, byLength, countEdits } = known;
  const limit = getLimit(word);
  const ownLetters = toLetters(word);
  const found: Candidate[] = [];
  const add = (index: number, other: string, score: number): void =>
    void found.push({ index, word: other, score, rank: ranks[index] as number });
  const sound = toSound(word);
  const heard = sound.length < MIN_HEARD ? NONE : listBySound(known, sound);
  for (const index of heard) {
    const other = words.get(index);
    const edits = countEdits(word, other, limit + 1);
    if (edits <= limit + 1) add(index, other, Math.min(edits, 2) - HEARD);
  }
  for (let length = word.length - limit; length <= word.length + limit; length++)
    for (const index of byLength.get(length)) {
      if (countBits(ownLetters ^ (letters[index] as number)) > 2 * limit || heard.includes(index)) continue;
      const other = words.get(index);
      const edits = countEdits(word, other, limit);
      if (edits <= limit && isLikely(word, other, edits))
        add(index, other, edits + (word[0] === other[0] ? 0 : 0.5));
    }
  return found
    .sort(compareCandidates)
    .slice(0, MAX_CANDIDATES)
    .map(({ index }) => index);
}

interface Candidate {
  index: number;
  word: string;
  score: number;
  rank: number;
}

const compareCandidates = (one: Candidate, other: Candidate): number =>
  one.score - other.score || other.rank - one.rank || (one.word < other.word ? -1 : 1);

/**
 * People rarely mistake the first letter of a short word ("ladder" is no bladder), but leave out a silent one ("neumonia").
 * Two mistakes in six letters make another word, unless the letters are the same in another order ("athsma").
 */
function isLikely(word: string, other: string, edits: number): boolean {
  const isLong = word.length >= LONG_WORD;
  if (word[0] !== other[0]) return isLong && (edits === 1 || word[0] === other[1]);
  return edits === 1 || isLong || toSorted(word) === toSorted(other);
}

const toSorted = (word: string): string => word.split('').sort().join('');

function toLetters(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97);
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}

/** Endings of German and Spanish words; English plurals are folded before. */
const ENDINGS = ['en', 'n', 'e', 'er', 'es', 's', 'a', 'o'];

function findInflection(words: Words, word: string): string | null {
  if (word.length < 6) return null;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, -ending.length),
  );
  for (const stem of [word, ...stems])
    for (const ending of ['', ...ENDINGS])
      if (stem.length >= 5 && has(words, stem + ending)) return stem + ending;
  return null;
}

/** "Mammagram" is no mamma and no gram. */
const isNearlyKnown = (known: Words, word: string): boolean =>
  word.length >= LONG_WORD &&
  listBySound(known, toSound(word)).some((index) => known.words.get(index).length === word.length);

/** "heartattack", "bluttest", "schwangerschaftstest": the longest first part whose rest is known too. */
function findParts(words: Words, word: string): string | null {
  for (let at = word.length - MIN_LENGTH; at >= MIN_LENGTH; at--) {
    const [first, rest] = [word.slice(0, at), word.slice(at)];
    for (const part of first.endsWith('s') ? [first, first.slice(0, -1)] : [first])
      if (has(words, part) && (has(words, rest) || findInflection(words, rest) !== null))
        return `${part} ${has(words, rest) ? rest : findInflection(words, rest)}`;
  }
  return null;
}
