import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import {
  packLists,
  packWords,
  type Numbers,
  type PackedLists,
  type PackedWords,
} from '../../../platform/kernel/packed.ts';
import { toConceptId } from '../../concepts/concept.ts';
import { foldWord, splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { LooseMatch } from './loose-match.ts';
import { isQuestionWord, LANGUAGES, listLanguages, type Language } from './question-words.ts';
import { GAP } from './separate-terms.ts';
import { stemWord } from './stem-words.ts';
import { flattenText, type Span } from './text-pattern.ts';
import type { WordReader } from './word-classes.ts';

/**
 * What people say in words of no vocabulary, by the words that make it: "lungs|chest shot|gone|knackered" is a lung disease,
 * whatever the order and the forms of its words and with others between them. Parts stand apart by a space, ways to say one by
 * a bar; a word of a class or a part of the body stands for all of these, with "=" for itself alone; "$" names a group, and
 * "not" is every word that denies. One without a meaning ("falling apart") names nothing, and keeps others from being seen in it.
 */
export const TurnLine = z.union([
  z.strictObject({ means: z.array(z.string()), say: z.array(z.string().min(1)).min(1) }),
  z.strictObject({ group: z.string(), words: z.string().min(1) }),
]);
type TurnLine = z.infer<typeof TurnLine>;

const FILE = path.join(import.meta.dirname, 'turns-of-speech.jsonl');

/** A few milliseconds' work. */
const LINES_PER_STEP = 10;
/** How many words that say something may stand between those of a turn. */
const MAX_GAP = 3;

export interface TurnsOfSpeech {
  /** Finds every turn whose words stand near each other; they may overlap. */
  find(text: string): LooseMatch[];
}

/** Turns by their index, with lists of numbers: as objects, they took four times the memory. */
interface Turns {
  /** The parts of each turn, and the keys that may stand for each part. */
  parts: PackedLists;
  keys: PackedLists;
  concepts: PackedLists;
  /** Of each key, the turns whose rarest part it may stand for. */
  byKey: PackedLists;
}

export const readTurnLines = (): TurnLine[] =>
  fs
    .readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TurnLine);

const listGroups = (lines: readonly TurnLine[]): Map<string, string> =>
  new Map(lines.flatMap((line) => ('group' in line ? [[`$${line.group}`, line.words] as const] : [])));

/** The words of all turns: none of them is misspelled. */
export const listTurnWords = (): string[] => [
  ...new Set(
    readTurnLines()
      .flatMap((line) => ('group' in line ? line.words : line.say))
      .flatMap((text) => splitWords(text).map(({ folded }) => folded)),
  ),
];

/** What words are compared by, as numbers. */
interface Keys {
  numbers: PackedWords;
  reader: WordReader;
}

export function* createTurnsInSteps(
  vocabulary: Vocabulary,
  reader: WordReader,
): Generator<void, TurnsOfSpeech> {
  const lines = readTurnLines();
  const numbers = new Map<string, number>();
  const read = createPartReader({ numbers, reader }, listGroups(lines));
  const partNumbers = new Map<readonly number[], number>();
  const turns: Turn[] = [];
  const byKey: number[][] = [];
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    if ('group' in line) continue;
    const concepts = line.means.map(toConceptId).filter((id) => vocabulary.getConcept(id) !== undefined);
    if (concepts.length === 0 && line.means.length > 0) continue;
    for (const text of line.say) {
      const parts = text.split(' ').map(read);
      const rarest = parts.reduce((least, part) => (part.length < least.length ? part : least));
      for (const key of rarest) (byKey[key] ??= []).push(turns.length);
      turns.push({ parts: parts.map((part) => toNumber(partNumbers, part)), concepts });
    }
  }
  yield;
  const packed = packTurns(turns, { parts: [...partNumbers.keys()], byKey });
  return openTurns(packed, vocabulary, { numbers: packWords([...numbers.keys()]), reader });
}

interface Turn {
  parts: readonly number[];
  concepts: readonly number[];
}

const packTurns = (
  turns: readonly Turn[],
  { parts, byKey }: { parts: readonly (readonly number[])[]; byKey: readonly number[][] },
): Turns => ({
  parts: packLists(turns.map((turn) => turn.parts)),
  keys: packLists(parts),
  concepts: packLists(turns.map(({ concepts }) => concepts)),
  byKey: packLists(Array.from(byKey, (indexes) => indexes ?? [])),
});

/** A function of its own, so that what finds turns holds nothing of what they were made from. */
const openTurns = (turns: Turns, vocabulary: Vocabulary, keys: Keys): TurnsOfSpeech => ({
  find: (text) => findTurns(turns, text, { vocabulary, places: listPlaces(keys, text) }),
});

function toNumber<K>(numbers: Map<K, number>, key: K): number {
  const number = numbers.get(key) ?? numbers.size;
  numbers.set(key, number);
  return number;
}

/** Reads a part of a turn, each once: the keys of all words that may stand for it. */
function createPartReader(
  { numbers, reader }: { numbers: Map<string, number>; reader: WordReader },
  groups: ReadonlyMap<string, string>,
): (part: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  const words = new Map<string, string[]>();
  const listKeys = (word: string): string[] => {
    const keys = words.get(word) ?? findKeys(word);
    words.set(word, keys);
    return keys;
  };
  const findKeys = (word: string): string[] => {
    if (word === 'not') return ['not'];
    if (word.startsWith('$')) return (groups.get(word) ?? '').split('|').flatMap(listKeys);
    const folded = foldWord(word.replace(/^=/, ''));
    return word.startsWith('=') ? listStems(folded) : listMeanings(reader, folded);
  };
  return (part) => {
    const keys =
      known.get(part) ?? [...new Set(part.split('|').flatMap(listKeys))].map((key) => toNumber(numbers, key));
    known.set(part, keys);
    return keys;
  };
}

const toStem = (language: Language, folded: string): string => `${language}:${stemWord(language, folded)}`;
const listStems = (folded: string): string[] => LANGUAGES.map((language) => toStem(language, folded));
/** The word itself, and the class or the part of the body that it is one of. */
const listMeanings = (reader: WordReader, folded: string): string[] => [
  ...listStems(folded),
  ...LANGUAGES.map((language) => reader.read(language, folded)).filter(isOfMany),
];
const isOfMany = (key: string): boolean => /^[#@]/.test(key);

interface Place extends Span {
  keys: ReadonlySet<number>;
  /** Those of the word itself, in whichever form, rather than of all that say the same. */
  own: ReadonlySet<number>;
  /** Whether it says nothing by itself. */
  isLittle: boolean;
}

const NEGATIONS = new Set(
  [
    'no not cannot cant dont doesnt didnt wont couldnt isnt never nothing nobody none without',
    'nunca nada nadie sin kein keine keinen nicht nichts nie niemand ohne',
  ].flatMap((line) => line.split(' ')),
);
const NEGATED = /^['’]t\b/i;

/** Whether a folded word denies, with what stands behind it in the text: "can't". */
export const isNegation = (folded: string, behind: string): boolean =>
  NEGATIONS.has(folded) || NEGATED.test(behind);

function listPlaces({ numbers, reader }: Keys, text: string): Place[] {
  const languages = listLanguages(flattenText(text).split(' ').filter(Boolean));
  return splitWords(text).flatMap(({ folded, start, end }) => {
    if (folded === 't' && NEGATED.test(text.slice(start - 1))) return [];
    const isNot = isNegation(folded, text.slice(end));
    const stems = languages.map((language) => toStem(language, folded));
    const meanings = languages.map((language) => (isNot ? 'not' : reader.read(language, folded)));
    const own = stems.map(numbers.indexOf).filter((number) => number >= 0);
    return {
      start,
      end,
      own: new Set(own),
      keys: new Set([...own, ...meanings.map(numbers.indexOf).filter((number) => number >= 0)]),
      isLittle: isQuestionWord(flattenText(text.slice(start, end))),
    };
  });
}

function findTurns(
  { parts, keys, concepts, byKey }: Turns,
  text: string,
  { vocabulary, places }: { vocabulary: Vocabulary; places: readonly Place[] },
): LooseMatch[] {
  return places.flatMap((place, at) => {
    const turns = new Set([...place.keys].flatMap((key) => [...byKey.get(key)]));
    return [...turns].flatMap((turn) => {
      const words = findAround(places, at, Array.from(parts.get(turn), keys.get));
      const [start, end] = [words.at(0)?.start, words.at(-1)?.end];
      if (start === undefined || end === undefined) return [];
      const phrase = text.slice(start, end);
      if (phrase.includes(GAP)) return [];
      const meant = Array.from(concepts.get(turn), (id) => vocabulary.getConcept(id) ?? []).flat();
      return { start, end, concepts: meant, phrase, words };
    });
  });
}

/** A word of the text that stands for a part of a turn; by its class where the turn says another word of that. */
interface TakenPlace extends Place {
  isByClass: boolean;
}

/** Finds a word for each part, the nearest around one of them, in their order; none where one is missing or too far. */
function findAround(places: readonly Place[], at: number, parts: readonly Numbers[]): TakenPlace[] {
  const taken = new Map<number, Numbers>();
  for (const part of parts.toSorted((one, other) => one.length - other.length)) {
    const [nearest] = places
      .flatMap(({ keys }, index) => (!taken.has(index) && part.some((key) => keys.has(key)) ? index : []))
      .sort((one, other) => Math.abs(one - at) - Math.abs(other - at));
    if (nearest === undefined) return [];
    taken.set(nearest, part);
  }
  const [first, last] = [Math.min(...taken.keys()), Math.max(...taken.keys())];
  const between = places.filter(
    ({ isLittle }, index) => index > first && index < last && !taken.has(index) && !isLittle,
  );
  if (!taken.has(at) || between.length > MAX_GAP) return [];
  return places.flatMap((place, index) => {
    const part = taken.get(index);
    return part === undefined ? [] : { ...place, isByClass: !part.some((key) => place.own.has(key)) };
  });
}
