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

/** Words of one length with the letters that each has, as bits: most are ruled out without being compared. */
type Shelf = { word: string; letters: number; rank: number }[];

interface Words {
  shelves: ReadonlyMap<number, Shelf>;
  countEdits: ReturnType<typeof createEditCounter>;
  /** Words by what they sound like. */
  sounds: ReadonlyMap<string, readonly HeardWord[]>;
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
  const sounds = yield* groupBySound(counts);
  const words: Words = { shelves: putOnShelves(counts), countEdits: createEditCounter(), sounds };
  const isKnown = (word: string): boolean => counts.has(word) || alsoKnown.has(word) || isCommonWord(word);
  return {
    isKnown,
    findNear: (word) =>
      isKnown(word) ? [] : findNearest(words, word).map((near) => spellings.get(near) ?? near),
    findForm: (word) =>
      isKnown(word)
        ? null
        : (findInflection(counts, word) ?? (isNearlyKnown(words, word) ? null : findParts(counts, word))),
  };
}

interface HeardWord {
  word: string;
  rank: number;
}

function* groupBySound(counts: ReadonlyMap<string, number>): Generator<void, Map<string, HeardWord[]>> {
  const sounds = new Map<string, HeardWord[]>();
  let left = PHRASES_PER_STEP;
  for (const [word, rank] of counts) {
    if (--left === 0) {
      left = PHRASES_PER_STEP;
      yield;
    }
    if (word.length < MIN_HEARD_LENGTH || !/^[a-z]+$/.test(word)) continue;
    const sound = toSound(word);
    const alike = sounds.get(sound);
    if (alike === undefined) sounds.set(sound, [{ word, rank }]);
    else alike.push({ word, rank });
  }
  return sounds;
}

function putOnShelves(counts: ReadonlyMap<string, number>): Map<number, Shelf> {
  const shelves = new Map<number, Shelf>();
  for (const [word, rank] of counts) {
    if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word)) continue;
    const shelf = shelves.get(word.length);
    const book = { word, letters: toLetters(word), rank };
    if (shelf === undefined) shelves.set(word.length, [book]);
    else shelf.push(book);
  }
  return shelves;
}

/** One letter of up to five, two of more. */
const getLimit = (word: string): number => (word.length <= 5 ? 1 : 2);
const LONG_WORD = 7;
/** Of shorter words too few consonants are heard. */
const MIN_HEARD_LENGTH = 5;
const MIN_HEARD = 4;
/** What sounds the same is nearer by this, and may differ by a letter more: "hemroids", "sirosis", "tetnis". */
const HEARD = 0.6;

function findNearest({ shelves, countEdits, sounds }: Words, word: string): string[] {
  if (word.length < MIN_LENGTH || !/^[a-z]+$/.test(word)) return [];
  const limit = getLimit(word);
  const letters = toLetters(word);
  const found: { word: string; score: number; rank: number }[] = [];
  const sound = toSound(word);
  const heard = sound.length < MIN_HEARD ? [] : (sounds.get(sound) ?? []);
  for (const other of heard) {
    const edits = countEdits(word, other.word, limit + 1);
    if (edits <= limit + 1)
      found.push({ word: other.word, score: Math.min(edits, 2) - HEARD, rank: other.rank });
  }
  for (let length = word.length - limit; length <= word.length + limit; length++)
    for (const other of shelves.get(length) ?? []) {
      if (countBits(letters ^ other.letters) > 2 * limit || heard.some((each) => each.word === other.word))
        continue;
      const edits = countEdits(word, other.word, limit);
      if (edits <= limit && isLikely(word, other.word, edits))
        found.push({
          word: other.word,
          score: edits + (word[0] === other.word[0] ? 0 : 0.5),
          rank: other.rank,
        });
    }
  return found
    .sort(
      (one, other) => one.score - other.score || other.rank - one.rank || (one.word < other.word ? -1 : 1),
    )
    .slice(0, MAX_CANDIDATES)
    .map((each) => each.word);
}

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

function findInflection(counts: ReadonlyMap<string, number>, word: string): string | null {
  if (word.length < 6) return null;
  const stems = ENDINGS.filter((ending) => word.endsWith(ending)).map((ending) =>
    word.slice(0, -ending.length),
  );
  for (const stem of [word, ...stems])
    for (const ending of ['', ...ENDINGS])
      if (stem.length >= 5 && counts.has(stem + ending)) return stem + ending;
  return null;
}

/** "Mammagram" is no mamma and no gram. */
const isNearlyKnown = ({ sounds }: Words, word: string): boolean =>
  word.length >= LONG_WORD &&
  (sounds.get(toSound(word)) ?? []).some((other) => other.word.length === word.length);

/** "heartattack", "bluttest", "schwangerschaftstest": the longest first part whose rest is known too. */
function findParts(counts: ReadonlyMap<string, number>, word: string): string | null {
  for (let at = word.length - MIN_LENGTH; at >= MIN_LENGTH; at--) {
    const [first, rest] = [word.slice(0, at), word.slice(at)];
    for (const part of first.endsWith('s') ? [first, first.slice(0, -1)] : [first])
      if (counts.has(part) && (counts.has(rest) || findInflection(counts, rest) !== null))
        return `${part} ${counts.has(rest) ? rest : findInflection(counts, rest)}`;
  }
  return null;
}
