import { isGeneralWord } from '../../concepts/general-words.ts';
import type { AskedTitle } from '../question.ts';
import { cleanTerm, findTerms } from '../search-query.ts';
import { isEverydayWord } from './everyday-words.ts';
import { findKinds } from './kind-words.ts';
import { isFunctionWord } from './remaining-words.ts';
import { flattenText, type Span } from './text-pattern.ts';

const MIN_LENGTH = 3;

/**
 * Finds what the question would call an entry by: its words as written, without those for a kind or a time and without those
 * that only make a question of it. Null where nothing is left that says something.
 */
export function findTitle(text: string, times: readonly Span[]): AskedTitle | null {
  const expressions = findKinds(text);
  const left = [...times, ...expressions].reduce(
    (all, { start, end }) => all.slice(0, start) + ' '.repeat(end - start) + all.slice(end),
    text,
  );
  const words = findTerms(left.replaceAll('|', ' ')).flatMap(({ written }) => cleanTerm(written) || []);
  const spoken = flattenText(text).split(' ');
  const says = (word: string): boolean => !isFunctionWord(word, spoken);
  const first = words.findIndex((word) => says(word) && !isEverydayWord(flattenText(word).trim()));
  if (first < 0) return null;
  const title = words.slice(first, words.findLastIndex(says) + 1);
  if (title.join('').length < MIN_LENGTH || title.every(isGeneralWord)) return null;
  return {
    text: title.join(' '),
    kinds: [...new Set(expressions.flatMap(({ kinds }) => kinds.map(({ kind }) => kind)))],
    isBare: title.length === words.length && expressions.length === 0,
  };
}
