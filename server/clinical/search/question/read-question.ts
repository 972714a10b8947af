import type { PhraseMatch } from '../../concepts/phrase-trie.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import type { AskedAnchor, AskedConcept, AskedWindow, AskedWord, Question } from '../question.ts';
import { parseQuery } from '../search-query.ts';
import { findAnchor } from './anchor.ts';
import { chooseMeanings, leaveOutFunctionWords } from './choose-meaning.ts';
import { correctSpelling, findWritten, type CorrectedText } from './correct-spelling.ts';
import { findFamily, findKinds, KIND_NAMES, mergeKinds } from './kind-words.ts';
import { listWords } from './remaining-words.ts';
import { separateTerms } from './separate-terms.ts';
import { createSpeller, type Speller } from './spelling.ts';
import { isInside, isOverlapping, type Span } from './text-pattern.ts';
import { findTimeExpressions, type TimeExpression } from './time-expressions.ts';

/** Reads a query; `today` is YYYY-MM-DD. Never fails: what it does not understand stays words. */
export type ReadQuestion = (query: string, today: string) => Question;

/** A question as it stands in the text: what each part of it means, by its place. */
interface Parts {
  corrected: CorrectedText;
  matches: readonly PhraseMatch[];
  times: readonly TimeExpression[];
}

/** The words of the vocabulary are listed at the first question: a service that is only started needs none. */
export function createQuestionReader(getVocabulary: () => Vocabulary): ReadQuestion {
  let speller: Speller | undefined;
  return (query, today) => {
    const vocabulary = getVocabulary();
    speller ??= createSpeller([...vocabulary.listPhrases(), ...KIND_NAMES]);
    const { text, quoted, unwanted } = separateTerms(query);
    const understood = [...findTimeExpressions(text, today), ...findKinds(text), ...findFamily(text)];
    const corrected = correctSpelling({ vocabulary, speller }, text, understood);
    const parts = { corrected, ...findParts(vocabulary, corrected.text, today) };
    const question = readParts(parts, quoted);
    return { ...(isEmpty(question) ? { ...question, words: listAllWords(query) } : question), unwanted };
  };
}

/** Finds concepts and times; of two that overlap the longer one stays: "first degree burn", "last 6 months". */
function findParts(vocabulary: Vocabulary, text: string, today: string): Pick<Parts, 'matches' | 'times'> {
  const matches = leaveOutFunctionWords(text, vocabulary.findPhrases(text, 'question'));
  const times = findTimeExpressions(text, today);
  const isLonger = (one: Span, other: Span): boolean => one.end - one.start > other.end - other.start;
  return {
    matches: matches.filter(
      (match) => !times.some((time) => isOverlapping(match, time) && !isLonger(match, time)),
    ),
    times: times.filter(
      (time) => !matches.some((match) => isOverlapping(match, time) && isLonger(match, time)),
    ),
  };
}

function readParts(
  { corrected, matches, times }: Parts,
  quoted: readonly string[],
): Omit<Question, 'unwanted'> {
  const { text } = corrected;
  const kindExpressions = findKinds(text).filter((kind) => !times.some((time) => isOverlapping(time, kind)));
  const kinds = mergeKinds(kindExpressions.filter((kind) => !matches.some((match) => isInside(kind, match))));
  const family = findFamily(text);
  const anchor = findAnchor(text, matches, kindExpressions);
  const asked = anchor === null ? matches : matches.filter((match) => match !== anchor.match);
  const taken = [...matches, ...times, ...kindExpressions, ...family, ...(anchor ? [anchor] : [])];
  const toConcept = (match: PhraseMatch): AskedConcept =>
    describeConcept(match, corrected, chooseMeanings(match, { matches, kinds }));
  return {
    concepts: mergeConcepts(asked.map(toConcept)),
    words: [...quoted.map((term) => ({ text: term, weight: 1 })), ...listWords(corrected, taken)],
    window: readWindow(text, times),
    anchor: anchor && ({ side: anchor.side, ...toConcept(anchor.match) } satisfies AskedAnchor),
    order: times.find(({ order }) => order !== undefined)?.order ?? null,
    kinds,
    people: family.length > 0 ? 'family' : null,
  };
}

function describeConcept(
  match: PhraseMatch,
  corrected: CorrectedText,
  readAs: AskedConcept['readAs'],
): AskedConcept {
  const written = findWritten(corrected, match);
  const isForm = corrected.corrections.every((each) => each.isForm || !isOverlapping(each, match));
  return {
    phrase: written ?? match.phrase,
    spelled: written === null || isForm ? null : match.phrase,
    readAs,
  };
}

/** Two phrases with one meaning ("heart attack (MI)") are one thing asked for. */
function mergeConcepts(concepts: readonly AskedConcept[]): AskedConcept[] {
  const toKey = ({ readAs }: AskedConcept): string => readAs.map(({ id }) => id).join(' ');
  return concepts.filter(
    (each, index) => concepts.findIndex((other) => toKey(other) === toKey(each)) === index,
  );
}

function readWindow(text: string, times: readonly TimeExpression[]): AskedWindow | null {
  const named = times.flatMap(({ days, ...time }) => (days === undefined ? [] : [{ days, ...time }]));
  const [first] = named;
  if (first === undefined) return null;
  // "in 2019, last month": the last day that all of them hold.
  const from =
    named
      .flatMap(({ days }) => days.from ?? [])
      .sort()
      .at(-1) ?? null;
  const [before = null] = named.flatMap(({ days }) => days.before ?? []).sort();
  return {
    from,
    to: before === null ? null : getPreviousDay(before),
    phrase: named.map(({ start, end }) => text.slice(start, end).trim()).join(', '),
    isRelative: named.some(({ isRelative }) => isRelative === true),
  };
}

function getPreviousDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() - 1);
  return date.toISOString().slice(0, 10);
}

const isEmpty = ({ concepts, words, window, order, kinds, people }: Omit<Question, 'unwanted'>): boolean =>
  concepts.length + words.length + kinds.length === 0 && window === null && order === null && people === null;

const listAllWords = (query: string): AskedWord[] =>
  parseQuery(query).wanted.map((text) => ({ text, weight: 1 }));
