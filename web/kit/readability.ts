import { syllable } from 'syllable';
import type { Language } from './languages.ts';

/** How hard a text is to read, and whether that is good enough for what everybody has to understand. */
export interface Readability {
  /** In English the school grade that reads it with ease; in Spanish the ease itself, of which more is easier. */
  score: number;
  isPlain: boolean;
}

/** Fewer words say nothing: one long word would decide. */
const MIN_WORDS = 10;

/** Health agencies of the United States demand grade 8 at most. */
const MAX_GRADE = 8;

/** Where "normal" begins on the INFLESZ scale. */
const MIN_EASE = 55;

/** Rates texts that people read one after the other; null where too little is written. */
export function rateTexts(texts: readonly string[], language: Language): Readability | null {
  const sentences = texts.flatMap(splitSentences);
  if (sentences.flatMap(splitWords).length < MIN_WORDS) return null;
  if (language === 'es') {
    const score = calculateEase(sentences);
    return { score, isPlain: score >= MIN_EASE };
  }
  const score = Math.max(0, calculateGrade(sentences));
  return { score, isPlain: score <= MAX_GRADE };
}

/** A line ends a sentence, as a mark does. */
export const splitSentences = (text: string): string[] =>
  text.split(/(?<=[.?!:])\s+|\n+/).filter((sentence) => splitWords(sentence).length > 0);

const splitWords = (sentence: string): string[] => sentence.match(/[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu) ?? [];

interface Measurement {
  wordsPerSentence: number;
  syllablesPerWord: number;
}

function measure(sentences: readonly string[], countSyllables: (word: string) => number): Measurement {
  const words = sentences.flatMap(splitWords);
  const syllables = words.reduce((sum, word) => sum + countSyllables(word), 0);
  return { wordsPerSentence: words.length / sentences.length, syllablesPerWord: syllables / words.length };
}

/** Flesch-Kincaid (Kincaid et al. 1975): the school grade, in the United States, that reads it with ease. */
export function calculateGrade(sentences: readonly string[]): number {
  const { wordsPerSentence, syllablesPerWord } = measure(sentences, syllable);
  return 0.39 * wordsPerSentence + 11.8 * syllablesPerWord - 15.59;
}

/** Szigriszt-Pazos 1993; on the INFLESZ scale (Barrio-Cantalejo 2008) 55 to 65 is normal, and more is easier. */
export function calculateEase(sentences: readonly string[]): number {
  const { wordsPerSentence, syllablesPerWord } = measure(sentences, countSpanishSyllables);
  return 206.835 - 62.3 * syllablesPerWord - wordsPerSentence;
}

/**
 * Two vowels are one syllable unless both are strong (a, e, o) or a weak one bears an accent; the u of que, qui, gue and
 * gui is silent; y is a vowel at the end of a word.
 */
export function countSpanishSyllables(word: string): number {
  const spoken = word
    .toLowerCase()
    .replace(/([qg])u(?=[eéií])/g, '$1')
    .replace(/y$/, 'i');
  const groups = spoken.match(/[aeiouáéíóúü]+/g) ?? [];
  const additional = groups.flatMap((group) =>
    Array.from(group)
      .slice(1)
      .filter((vowel, index) => {
        const before = group[index] ?? '';
        const isStrong = (each: string): boolean => /[aeoáéó]/.test(each);
        return (isStrong(before) && isStrong(vowel)) || /[íú]/.test(before + vowel);
      }),
  );
  return Math.max(1, groups.length + additional.length);
}
