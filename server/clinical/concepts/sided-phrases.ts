import type { PhraseMatch } from './phrase-trie.ts';
import { splitWords } from './split-words.ts';

/** Words that say on which side something is; no phrase of the vocabulary has one in its middle that means less without it. */
const SIDE =
  /(?<![\p{L}\p{N}])(?:right|left|bilateral|both|derech[oa]s?|izquierd[oa]s?|bilateral(?:es|e[nrs]?)?|amb[oa]s|recht(?:e[nrsm]?)|link(?:e[nrsm]?)|beid(?:e[nr]?)|beidseitige[nrs]?)(?:-sided)?(?![\p{L}\p{N}])/giu;

/**
 * Finds phrases also where a word for a side stands in their middle: "x-rays of the right knee" are of the knee. What is found
 * so counts where it has more words than what is found without.
 */
export function findSided(text: string, find: (text: string) => PhraseMatch[]): PhraseMatch[] {
  const matches = find(text);
  const sides = [...text.matchAll(SIDE)].map(({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
  if (sides.length === 0) return matches;
  const blanked = sides.reduce(
    (left, { start, end }) => left.slice(0, start) + ' '.repeat(end - start) + left.slice(end),
    text,
  );
  const isAround = ({ start, end }: PhraseMatch): boolean =>
    sides.some((side) => side.start > start && side.end < end);
  const sided = find(blanked).filter(isAround);
  const isShorter = (one: PhraseMatch, other: PhraseMatch): boolean =>
    countWords(one.phrase) < countWords(other.phrase);
  const longer = sided.filter((found) =>
    matches.every((match) => !isOverlapping(match, found) || isShorter(match, found)),
  );
  const left = matches.filter((match) => !longer.some((found) => isOverlapping(match, found)));
  return [...left, ...longer.map((found) => ({ ...found, phrase: text.slice(found.start, found.end) }))].sort(
    (one, other) => one.start - other.start,
  );
}

const isOverlapping = (one: PhraseMatch, other: PhraseMatch): boolean =>
  one.start < other.end && other.start < one.end;

const countWords = (phrase: string): number => splitWords(phrase).length;
