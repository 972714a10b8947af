import { packLists, packWords, type PackedLists, type PackedWords } from '../../../platform/kernel/packed.ts';

/**
 * Phrases by the set of their words, each found by the rarest of these. Numbers in flat arrays: as objects, the phrases of the
 * vocabulary took five times the memory.
 */
export interface PhraseShelf {
  /** The number of a word; null where no phrase has it. */
  getNumber(word: string): number | null;
  /** The phrases of which no word is rarer than this one. */
  listByRarest(word: number): { words: readonly number[]; values: readonly number[] }[];
}

export interface PhraseShelfBuilder {
  /** A phrase of the same words as one before has the values of both. */
  add(words: readonly string[], value: number): void;
  /** Lays out what was added, with a pause after every so many phrases; nothing is added after it. */
  closeInSteps(phrasesPerStep: number): Generator<void, PhraseShelf>;
}

interface Phrase {
  words: readonly number[];
  values: number[];
}

export function createPhraseShelf(): PhraseShelfBuilder {
  const numbers = new Map<string, number>();
  const added = new Map<string, Phrase>();
  return {
    add(phrase, value) {
      const numbered = phrase.map((word) => toNumber(numbers, word)).sort((one, other) => one - other);
      const key = numbered.join(' ');
      const known = added.get(key);
      if (known === undefined) added.set(key, { words: numbered, values: [value] });
      else if (!known.values.includes(value)) known.values.push(value);
    },
    *closeInSteps(phrasesPerStep) {
      const phrases = [...added.values()];
      const counts = new Uint32Array(numbers.size);
      for (const phrase of phrases) for (const word of phrase.words) counts[word] = (counts[word] ?? 0) + 1;
      const getCount = (word: number): number => counts[word] ?? 0;
      yield;
      const shelves: number[][] = Array.from({ length: numbers.size }, () => []);
      for (const [index, phrase] of phrases.entries()) {
        if (index % phrasesPerStep === 0) yield;
        const rarest = phrase.words.reduce((best, word) => (getCount(word) < getCount(best) ? word : best));
        shelves[rarest]?.push(index);
      }
      yield;
      return openShelf(packWords([...numbers.keys()]), phrases, packLists(shelves));
    },
  };
}

function openShelf(numbers: PackedWords, phrases: readonly Phrase[], byRarest: PackedLists): PhraseShelf {
  const words = packLists(phrases.map((phrase) => phrase.words));
  const values = packLists(phrases.map((phrase) => phrase.values));
  return {
    getNumber(word) {
      const number = numbers.indexOf(word);
      return number < 0 ? null : number;
    },
    listByRarest: (word) =>
      Array.from(byRarest.get(word), (phrase) => ({
        words: [...words.get(phrase)],
        values: [...values.get(phrase)],
      })),
  };
}

function toNumber(numbers: Map<string, number>, word: string): number {
  const known = numbers.get(word);
  if (known !== undefined) return known;
  numbers.set(word, numbers.size);
  return numbers.size - 1;
}
