import type { Concept } from '../../concepts/concept.ts';
import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import { splitWords } from '../../concepts/split-words.ts';
import type { LooseMatch } from './loose-match.ts';
import { isQuestionWord } from './question-words.ts';
import { flattenText, isOverlapping, type Span } from './text-pattern.ts';
import { isNegation } from './turns-of-speech.ts';

/**
 * Puts turns of speech in place of the phrases of the vocabulary that share words with them, where each says fewer words than
 * the turn: what the vocabulary knows as a whole stays. Returns all, in their order.
 */
export function pickTurns(
  text: string,
  found: readonly LooseMatch[],
  written: readonly PhraseMatch[],
): PhraseMatch[] {
  const candidates = found
    .map((turn) => ({ turn, count: countSaid(text, turn.words) }))
    .filter(
      ({ turn, count }) =>
        count > 0 &&
        written.every((match) => !isSharing(turn, match) || isLess(text, match, { turn, count })),
    )
    .sort(
      (one, other) =>
        other.count - one.count ||
        other.turn.words.length - one.turn.words.length ||
        getLength(one.turn) - getLength(other.turn),
    );
  const picked: LooseMatch[] = [];
  for (const { turn } of candidates) {
    const same = picked.find(
      ({ words }) => words.length === turn.words.length && turn.words.every((word) => isOf(words, word)),
    );
    if (same !== undefined) same.concepts = joinMeanings(same, turn);
    else if (
      picked.every(
        (other) => !other.words.some((word) => isOf(turn.words, word)) || isJoined(text, other, turn),
      )
    )
      picked.push({ ...turn, isWhole: true });
  }
  const left = written.filter((match) => !picked.some((turn) => isSharing(turn, match)));
  return [...left, ...picked].sort((one, other) => one.start - other.start);
}

/** What names a part of the body alone, or has other words in its middle, is less than a turn of as many words. */
function isLess(
  text: string,
  match: PhraseMatch,
  { turn, count }: { turn: LooseMatch; count: number },
): boolean {
  const words = splitMatch(text, match);
  const own = countSaid(text, words);
  const isWeak =
    match.isGapped === true ||
    (turn.words.length > words.length && match.concepts.every(({ kind }) => kind === 'body-parts'));
  return own < count || (own === count && isWeak);
}

/** Words of which one turn says that they name nothing name nothing. */
const joinMeanings = (one: LooseMatch, other: LooseMatch): Concept[] =>
  one.concepts.length === 0 || other.concepts.length === 0
    ? []
    : [...new Set([...one.concepts, ...other.concepts])];

const isOf = (words: readonly Span[], word: Span): boolean => words.some(({ start }) => start === word.start);

const isSharing = ({ words }: LooseMatch, match: Span): boolean =>
  words.some((word) => isOverlapping(word, match));

const getLength = ({ start, end }: Span): number => end - start;

const splitMatch = (text: string, { start, end }: Span): Span[] =>
  splitWords(text).filter((word) => isOverlapping(word, { start, end }));

/** How many of the words say something. */
const countSaid = (text: string, words: readonly Span[]): number =>
  words.filter((word) => saysSomething(text, word)).length;

/** "Has", "how" and "my" say nothing by themselves, "not" does. */
export function saysSomething(text: string, { start, end }: Span): boolean {
  const word = flattenText(text.slice(start, end));
  return isNegation(word, text.slice(end)) || !isQuestionWord(word);
}

const AND = /^\s*(?:,|and|or|y|e|o|u|und|oder|&|\/)(?:\s|$)/u;

/** "My muscles and joints ache": one word is said of two that are joined, and both are meant. */
export function isJoined(text: string, one: LooseMatch, other: LooseMatch): boolean {
  const isOf = ({ words }: LooseMatch, word: Span): boolean =>
    words.some(({ start }) => start === word.start);
  const shared = one.words.filter((word) => isOf(other, word));
  const [own, joined] = [one, other].map(({ words }) => words.filter((word) => !shared.includes(word)));
  const [first, second] = [own?.at(0), joined?.at(0)].sort((a, b) => (a?.start ?? 0) - (b?.start ?? 0));
  return (
    shared.length > 0 &&
    own?.length === 1 &&
    joined?.length === 1 &&
    first !== undefined &&
    second !== undefined &&
    AND.test(flattenText(text.slice(first.end, second.start)))
  );
}
