import { splitWords, type Word } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { findKinds } from './kind-words.ts';
import type { Speller } from './spelling.ts';
import { flattenText, isOverlapping, type Span } from './text-pattern.ts';

/** A word that was replaced, with its place in the text that came of it. */
interface Correction extends Span {
  written: string;
  /** Another form of the same word: nothing that a reader must know of. */
  isForm: boolean;
}

export interface CorrectedText {
  text: string;
  corrections: readonly Correction[];
}

interface SpellingDeps {
  vocabulary: Vocabulary;
  speller: Speller;
}

interface Option {
  word: string;
  isForm: boolean;
}

/** A word that nobody knows, with what it may be, the nearest first. */
interface UnknownWord extends Span {
  options: readonly Option[];
  /** How many words the phrase must have that it becomes part of. */
  minWords: number;
}

/** Shorter words are too near to too many others: "hart" becomes a heart beside "attack" only. */
const MIN_ALONE = 5;

/**
 * Replaces words that neither the vocabulary nor common language knows by what makes a phrase of the vocabulary of them. Each
 * is chosen with the others replaced by their nearest, since two misspelled words may make one phrase. What becomes part of
 * no phrase stays as written: the statement compares it with the words of the record.
 * `understood` are parts of the text that mean something already: times, kinds, people.
 */
export function correctSpelling(
  deps: SpellingDeps,
  text: string,
  understood: readonly Span[],
): CorrectedText {
  const unknown = findUnknownWords(deps, text, understood);
  if (unknown.length === 0) return { text, corrections: [] };
  const chosen: (Option | null)[] = unknown.map(({ options }) => options[0] ?? null);
  for (const [index, { options }] of unknown.entries())
    chosen[index] = options
      .map((option) => ({
        option,
        length: measurePhrase(deps, { text, unknown }, { chosen: chosen.with(index, option), index }),
      }))
      .reduce((best, each) => (each.length > best.length ? each : best)).option;
  const isUseful = unknown.map(
    ({ minWords }, index) => measurePhrase(deps, { text, unknown }, { chosen, index }) >= minWords,
  );
  return replaceWords(
    { text, unknown },
    chosen.map((option, index) => (isUseful[index] === true ? option : null)),
  );
}

const TITLE = /^(?:dr|dra|doctor|doctora|mr|mrs|ms|miss|herr|frau|senor|senora|prof|professor)$/;

function findUnknownWords(
  { vocabulary, speller }: SpellingDeps,
  text: string,
  understood: readonly Span[],
): UnknownWord[] {
  const isName = (word: Word, before: Word | undefined): boolean =>
    before !== undefined && TITLE.test(before.folded) && /^\p{Lu}/u.test(text.slice(word.start, word.end));
  return splitWords(text).flatMap((word, index, words) => {
    const { folded, start, end } = word;
    if (folded.length < 4 || !/^[a-z]+$/.test(folded) || speller.isKnown(folded)) return [];
    const isNamed = understood.some((part) => isOverlapping(part, word)) || isName(word, words[index - 1]);
    if (isNamed) return [];
    if (vocabulary.findPhrases(text.slice(start, end), 'question').length > 0) return [];
    const form = speller.findForm(folded);
    const options = [
      ...(form === null ? [] : [{ word: form, isForm: true }]),
      ...speller.findNear(folded).map((near) => ({ word: near, isForm: false })),
    ];
    return options.length === 0 ? [] : [{ start, end, options, minWords: folded.length < MIN_ALONE ? 2 : 1 }];
  });
}

interface UnknownText {
  text: string;
  unknown: readonly UnknownWord[];
}

/** Counts the words of the phrase, or of the name of a kind, that one of the replaced words is part of; 0 of none. */
function measurePhrase(
  { vocabulary }: SpellingDeps,
  source: UnknownText,
  { chosen, index }: { chosen: readonly (Option | null)[]; index: number },
): number {
  const { text, corrections } = replaceWords(source, chosen);
  const place = corrections[index];
  const match =
    place && vocabulary.findPhrases(text, 'question').find((phrase) => isOverlapping(phrase, place));
  if (match !== undefined) return splitWords(match.phrase).length;
  return place !== undefined && findKinds(text).some((kind) => isOverlapping(kind, place)) ? 1 : 0;
}

/** Replaces unknown words; null leaves one as it is written. */
function replaceWords({ text, unknown }: UnknownText, chosen: readonly (Option | null)[]): CorrectedText {
  const corrections: Correction[] = [];
  let replaced = '';
  let from = 0;
  for (const [index, { start, end }] of unknown.entries()) {
    const option = chosen[index] ?? null;
    if (option === null) continue;
    replaced += text.slice(from, start);
    const written = text.slice(start, end);
    const at = replaced.length;
    corrections.push({ start: at, end: at + option.word.length, written, isForm: option.isForm });
    replaced += option.word;
    from = end;
  }
  return { text: replaced + text.slice(from), corrections };
}

/** Returns a part of the corrected text as it was written; null where it was written so. */
export function findWritten({ text, corrections }: CorrectedText, { start, end }: Span): string | null {
  let written = text.slice(start, end);
  for (const each of corrections.toReversed())
    if (isOverlapping(each, { start, end }))
      written =
        written.slice(0, Math.max(0, each.start - start)) + each.written + written.slice(each.end - start);
  return flattenText(written) === flattenText(text.slice(start, end)) ? null : written;
}
