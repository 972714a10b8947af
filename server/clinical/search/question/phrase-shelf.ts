/**
 * Phrases by the set of their words, each found by the rarest of these. Numbers in flat arrays: as objects, the phrases of the
 * vocabulary took five times the memory.
 */
export interface PhraseShelf<T> {
  /** A phrase of the same words as one before has the values of both. */
  add(words: readonly string[], value: T): void;
  /** Lays out what was added, with a pause after every so many phrases; nothing is added after it. */
  closeInSteps(phrasesPerStep: number): Generator<void, void>;
  /** The number of a word; null where no phrase has it. */
  getNumber(word: string): number | null;
  /** The phrases of which no word is rarer than this one. */
  listByRarest(word: number): { words: readonly number[]; values: readonly T[] }[];
}

export function createPhraseShelf<T>(): PhraseShelf<T> {
  const numbers = new Map<string, number>();
  const added = new Map<string, { words: number[]; values: T[] }>();
  let words = createLists<number>([]);
  let values = createLists<T>([]);
  let byRarest = createLists<number>([]);
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
      added.clear();
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
      words = createLists(phrases.map((phrase) => phrase.words));
      values = createLists(phrases.map((phrase) => phrase.values));
      byRarest = createLists(shelves);
    },
    getNumber: (word) => numbers.get(word) ?? null,
    listByRarest: (word) =>
      byRarest.get(word).map((phrase) => ({ words: words.get(phrase), values: values.get(phrase) })),
  };
}

/** Lists one after the other in one array, found by where each begins. */
function createLists<V>(lists: readonly (readonly V[])[]): { get(index: number): V[] } {
  const starts = new Uint32Array(lists.length + 1);
  for (const [index, { length }] of lists.entries()) starts[index + 1] = (starts[index] ?? 0) + length;
  const all = lists.flat();
  return { get: (index) => all.slice(starts[index], starts[index + 1]) };
}

function toNumber(numbers: Map<string, number>, word: string): number {
  const known = numbers.get(word);
  if (known !== undefined) return known;
  numbers.set(word, numbers.size);
  return numbers.size - 1;
}
