import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { toConceptId, type Concept } from '../../concepts/concept.ts';
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

/** The numbers of the keys that may stand for a part: as text, they took four times the memory. */
type Part = readonly number[];

interface Turn {
  parts: readonly Part[];
  concepts: readonly Concept[];
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
  numbers: Map<string, number>;
  reader: WordReader;
}

export function* createTurnsInSteps(
  vocabulary: Vocabulary,
  reader: WordReader,
): Generator<void, TurnsOfSpeech> {
  const lines = readTurnLines();
  const keys: Keys = { numbers: new Map(), reader };
  const read = createPartReader(keys, listGroups(lines));
  const byKey = new Map<number, Turn[]>();
  for (const [index, line] of lines.entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    if ('group' in line) continue;
    const concepts = line.means.flatMap((slug) => vocabulary.getConcept(toConceptId(slug)) ?? []);
    if (concepts.length === 0 && line.means.length > 0) continue;
    for (const text of line.say) {
      const parts = text.split(' ').map(read);
      const rarest = parts.reduce((least, part) => (part.length < least.length ? part : least));
      for (const key of rarest) {
        const known = byKey.get(key);
        if (known === undefined) byKey.set(key, [{ parts, concepts }]);
        else known.push({ parts, concepts });
      }
    }
  }
  return { find: (text) => findTurns(byKey, text, listPlaces(keys, text)) };
}

/** Reads a part of a turn, each once: the keys of all words that may stand for it. */
function createPartReader(
  { numbers, reader }: Keys,
  groups: ReadonlyMap<string, string>,
): (part: string) => Part {
  const known = new Map<string, Part>();
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
  const toNumber = (key: string): number => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
  return (part) => {
    const keys = known.get(part) ?? [...new Set(part.split('|').flatMap(listKeys))].map(toNumber);
    known.set(part, keys);
    return keys;
  };
}

const toStem = (language: Language, folded: string): string => `${language}:${stemWord(language, folded)}`;
const listStems = (folded: string): string[] => LANGUAGES.map((language) => toStem(language, folded));
const listMeanings = (reader: WordReader, folded: string): string[] =>
  LANGUAGES.map((language) => reader.read(language, folded));

interface Place extends Span {
  keys: ReadonlySet<number>;
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
    const keys = languages.flatMap((language) => [
      toStem(language, folded),
      isNot ? 'not' : reader.read(language, folded),
    ]);
    return {
      start,
      end,
      keys: new Set(keys.flatMap((key) => numbers.get(key) ?? [])),
      isLittle: isQuestionWord(flattenText(text.slice(start, end))),
    };
  });
}

function findTurns(
  byKey: ReadonlyMap<number, readonly Turn[]>,
  text: string,
  places: readonly Place[],
): LooseMatch[] {
  return places.flatMap(({ keys }, at) => {
    const turns = new Set([...keys].flatMap((key) => byKey.get(key) ?? []));
    return [...turns].flatMap(({ parts, concepts }) => {
      const words = findAround(places, at, parts);
      const [start, end] = [words.at(0)?.start, words.at(-1)?.end];
      if (start === undefined || end === undefined) return [];
      const phrase = text.slice(start, end);
      return phrase.includes(GAP) ? [] : { start, end, concepts: [...concepts], phrase, words };
    });
  });
}

/** Finds a word for each part, the nearest around one of them, in their order; none where one is missing or too far. */
function findAround(places: readonly Place[], at: number, parts: readonly Part[]): Place[] {
  const taken = new Set<number>();
  for (const part of parts.toSorted((one, other) => one.length - other.length)) {
    const [nearest] = places
      .flatMap(({ keys }, index) => (!taken.has(index) && part.some((key) => keys.has(key)) ? index : []))
      .sort((one, other) => Math.abs(one - at) - Math.abs(other - at));
    if (nearest === undefined) return [];
    taken.add(nearest);
  }
  const [first, last] = [Math.min(...taken), Math.max(...taken)];
  const between = places.filter(
    ({ isLittle }, index) => index > first && index < last && !taken.has(index) && !isLittle,
  );
  return taken.has(at) && between.length <= MAX_GAP ? places.filter((_, index) => taken.has(index)) : [];
}
