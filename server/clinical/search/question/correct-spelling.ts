import { splitWords, type Word } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
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

/**
 * Replaces words that neither the vocabulary nor common language knows by what makes a phrase of the vocabulary of them.
 * Twice, because one correction may complete the phrase that another one needs. What becomes no phrase stays: the statement
 * compares it with the words of the record.
 */
export function correctSpelling(deps: SpellingDeps, text: string): CorrectedText {
  let corrected: CorrectedText = { text, corrections: [] };
  for (let round = 0; round < 2; round++)
    for (let index = 0; index < splitWords(corrected.text).length; index++)
      corrected = correctWord(deps, corrected, index);
  return corrected;
}

function correctWord(deps: SpellingDeps, { text, corrections }: CorrectedText, index: number): CorrectedText {
  const words = splitWords(text);
  const word = words[index];
  if (word === undefined || !isCandidate(deps, text, words, word)) return { text, corrections };
  const form = deps.speller.findForm(word.folded);
  const replacement = chooseReplacement(
    deps,
    { text, word },
    form === null ? deps.speller.findNear(word.folded) : [form],
  );
  if (replacement === null) return { text, corrections };
  const shift = replacement.length - (word.end - word.start);
  const isForm = form !== null;
  const written = text.slice(word.start, word.end);
  return {
    text: text.slice(0, word.start) + replacement + text.slice(word.end),
    corrections: [
      ...corrections.map((each) =>
        each.start > word.start ? { ...each, start: each.start + shift, end: each.end + shift } : each,
      ),
      { start: word.start, end: word.start + replacement.length, written, isForm },
    ],
  };
}

const TITLE = /^(?:dr|dra|doctor|doctora|mr|mrs|ms|miss|herr|frau|senor|senora|prof|professor)$/;

function isCandidate(
  { vocabulary, speller }: SpellingDeps,
  text: string,
  words: readonly Word[],
  word: Word,
): boolean {
  if (word.folded.length < 4 || !/^[a-z]+$/.test(word.folded) || speller.isKnown(word.folded)) return false;
  const written = text.slice(word.start, word.end);
  const before = words[words.indexOf(word) - 1];
  const isName = before !== undefined && TITLE.test(before.folded) && /^\p{Lu}/u.test(written);
  return !isName && vocabulary.findPhrases(written, 'question').length === 0;
}

/** Chooses the replacement that the longest phrase holds; of equal ones the first. */
function chooseReplacement(
  { vocabulary }: SpellingDeps,
  { text, word }: { text: string; word: Word },
  candidates: readonly string[],
): string | null {
  let best: { candidate: string; length: number } | null = null;
  for (const candidate of candidates) {
    const place = { start: word.start, end: word.start + candidate.length };
    const phrase = vocabulary
      .findPhrases(text.slice(0, word.start) + candidate + text.slice(word.end), 'question')
      .find((match) => isOverlapping(match, place));
    const length = phrase === undefined ? 0 : phrase.phrase.split(/[\s-]+/).length;
    if (length > (best?.length ?? 0)) best = { candidate, length };
  }
  return best?.candidate ?? null;
}

/** Returns a part of the corrected text as it was written; null where it was written so. */
export function findWritten({ text, corrections }: CorrectedText, { start, end }: Span): string | null {
  const inside = corrections
    .filter((each) => isOverlapping(each, { start, end }))
    .sort((one, other) => other.start - one.start);
  if (inside.length === 0) return null;
  let written = text.slice(start, end);
  for (const each of inside)
    written =
      written.slice(0, Math.max(0, each.start - start)) + each.written + written.slice(each.end - start);
  return flattenText(written) === flattenText(text.slice(start, end)) ? null : written;
}
