/** One way to read a name, in words as they are compared. */
export interface NameReading {
  given: readonly string[];
  family: readonly string[];
  /** "jr", "sr", "iii": father and son may share the rest. */
  generation: string | null;
}

const LEADING_TITLES = new Set('dr dra mr mrs ms miss mx prof sir rev sr sra srta senor senora'.split(' '));
const TRAILING_TITLES = new Set('md phd esq'.split(' '));
const GENERATIONS = new Map(
  Object.entries({ jr: 'jr', junior: 'jr', sr: 'sr', senior: 'sr', ii: 'ii', iii: 'iii', iv: 'iv' }),
);

/** Letters that Unicode does not take apart into a letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
};

/** More words than these are not compared: each of them may begin the family name. */
const MAX_WORDS = 8;
const MAX_CHARACTERS = 300;

/**
 * Splits a name into words without what systems differ in: case, accents, apostrophes, hyphens, joiners, and the digits by which test
 * data differs from people's.
 */
export const splitWords = (name: string): string[] =>
  name
    .slice(0, MAX_CHARACTERS)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’ʼ`´\d]|\u200c|\u200d/gu, '')
    .replace(/[ßæœøđðłþı]/g, (letter) => LETTERS[letter] ?? letter)
    .split(/[^\p{L}]+/u)
    .filter((word) => word !== '')
    .slice(0, MAX_WORDS);

/** Reads a name in parts; null where nothing is left of it. */
export function readParts(parts: { given: string; family: string; suffix?: string }): NameReading | null {
  const family = takeGeneration(splitWords(parts.family));
  const given = takeGeneration(dropTitles(splitWords(parts.given)));
  if (family.words.length + given.words.length === 0) return null;
  const generation = family.generation ?? given.generation ?? findGeneration(splitWords(parts.suffix ?? ''));
  return { given: given.words, family: family.words, generation };
}

/** Reads a name that is one text in each way that it can be meant: any of its words may begin the family name. */
export function readText(text: string): NameReading[] {
  const [before = '', after] = text.slice(0, MAX_CHARACTERS).split(',', 2);
  const inverted = after === undefined ? null : readParts({ family: before, given: after });
  if (inverted && inverted.given.length > 0 && !inverted.given.every((word) => TRAILING_TITLES.has(word)))
    return [inverted];
  const { words, generation } = takeGeneration(dropTitles(splitWords(text)));
  if (words.length < 2)
    return words.flatMap((word) => [
      { given: [word], family: [], generation },
      { given: [], family: [word], generation },
    ]);
  return words.slice(1).map((_word, index) => ({
    given: words.slice(0, index + 1),
    family: words.slice(index + 1),
    generation,
  }));
}

/** A word is a title only where a name is left beside it. */
function dropTitles(words: readonly string[]): string[] {
  let from = 0;
  let to = words.length;
  while (to - from > 1 && LEADING_TITLES.has(words[from] ?? '')) from++;
  while (to - from > 1 && TRAILING_TITLES.has(words[to - 1] ?? '')) to--;
  return words.slice(from, to);
}

function takeGeneration(words: readonly string[]): { words: string[]; generation: string | null } {
  const generation = words.length > 1 ? (GENERATIONS.get(words.at(-1) ?? '') ?? null) : null;
  return { words: generation === null ? [...words] : words.slice(0, -1), generation };
}

const findGeneration = (words: readonly string[]): string | null =>
  words.map((word) => GENERATIONS.get(word) ?? null).find((generation) => generation !== null) ?? null;
