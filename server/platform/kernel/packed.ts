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
  get(index: number): Uint32Array;
}

export function packTexts(texts: readonly string[]): PackedTexts {
  const { all, starts } = join(texts);
  return { size: texts.length, get: (index) => all.slice(starts[index], starts[index + 1]) };
}

const EMPTY = 0xffffffff;

/** Packs words of which none stands twice, found by a table of their hashes that is at most half full. */
export function packWords(words: readonly string[]): PackedWords {
  const { all, starts } = join(words);
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(2 * words.length + 1))).fill(EMPTY);
  const mask = table.length - 1;
  for (const [index, word] of words.entries()) {
    let slot = hash(word) & mask;
    while (table[slot] !== EMPTY) slot = (slot + 1) & mask;
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
        if (index === EMPTY) return -1;
        if (isAt(index, word)) return index;
      }
    },
  };
}

export function packLists(lists: readonly Iterable<number>[]): PackedLists {
  const all: number[] = [];
  const starts = new Uint32Array(lists.length + 1);
  for (const [index, list] of lists.entries()) {
    for (const number of list) all.push(number);
    starts[index + 1] = all.length;
  }
  const packed = Uint32Array.from(all);
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
