/** Texts one after the other in one, and lists of numbers in one array: as objects, many small ones take several times the memory. */
export interface PackedTexts {
  readonly size: number;
  get(index: number): string;
}

export interface PackedWords extends PackedTexts {
  /** Where the word stands; -1 where it does not. */
  indexOf(word: string): number;
}

export interface PackedLists {
  /** Empty where there is none. */
  get(index: number): Numbers;
}

/** From zero, below 2^32. */
export type Numbers = Uint16Array | Uint32Array;

/** In two bytes each where they fit; the largest means nothing there. */
export const packNumbers = (numbers: readonly number[]): Numbers =>
  numbers.every((number) => number < 0xffff) ? Uint16Array.from(numbers) : Uint32Array.from(numbers);

export function packTexts(texts: readonly string[]): PackedTexts {
  const { all, starts } = join(texts);
  return { size: texts.length, get: (index) => all.slice(starts[index], starts[index + 1]) };
}

/** Packs words of which none stands twice, found by a table of their hashes that is at most half full. */
export function packWords(words: readonly string[]): PackedWords {
  const { all, starts } = join(words);
  const size = 2 ** Math.ceil(Math.log2(2 * words.length + 1));
  const table = words.length < 0xffff ? new Uint16Array(size) : new Uint32Array(size);
  const [empty = 0] = table.fill(-1);
  const mask = size - 1;
  for (const [index, word] of words.entries()) {
    let slot = hash(word) & mask;
    while (table[slot] !== empty) slot = (slot + 1) & mask;
    table[slot] = index;
  }
  const isAt = (index: number, word: string): boolean => {
    const start = starts[index] as number;
    return (starts[index + 1] as number) - start === word.length && all.startsWith(word, start);
  };
  return {
    size: words.length,
    get: (index) => all.slice(starts[index], starts[index + 1]),
    indexOf(word) {
      for (let slot = hash(word) & mask; ; slot = (slot + 1) & mask) {
        const index = table[slot] as number;
        if (index === empty) return -1;
        if (isAt(index, word)) return index;
      }
    },
  };
}

export function packLists(lists: readonly Iterable<number>[]): PackedLists {
  const all: number[] = [];
  const ends: number[] = [];
  for (const list of lists) {
    for (const number of list) all.push(number);
    ends.push(all.length);
  }
  const packed = packNumbers(all);
  const starts = packNumbers([0, ...ends]);
  const { length } = packed;
  return { get: (index) => packed.subarray(starts[index] ?? length, starts[index + 1] ?? length) };
}

function join(texts: readonly string[]): { all: string; starts: Uint32Array } {
  const starts = new Uint32Array(texts.length + 1);
  for (const [index, text] of texts.entries()) starts[index + 1] = (starts[index] as number) + text.length;
  return { all: texts.join(''), starts };
}

function hash(word: string): number {
  let value = 0;
  for (let at = 0; at < word.length; at++) value = (Math.imul(value, 31) + word.charCodeAt(at)) | 0;
  return value ^ (value >>> 15);
}
