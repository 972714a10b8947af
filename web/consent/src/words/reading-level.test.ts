import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { syllable } from 'syllable';
import { en } from './en.ts';
import { es } from './es.ts';

/** What is put into the sentences: as long and as hard as names are. */
const NAMES = ['Health Buddy', 'Riverside Clinic', 'March 3, 2027'];

/** The consent text, section by section. */
const sectionsOf = ({ review, data, requester: asker }: typeof en): Record<string, object> => ({
  ...Object.fromEntries(Object.entries(review).filter(([, said]) => typeof said === 'object')),
  data,
  asker,
});

/** What a person is told of the sources of their record, and of what could not be read. */
const recordSectionsOf = ({ myData, processing }: typeof en): Record<string, object> => ({
  documents: myData.documents,
  reasons: myData.documents.reasons,
  sources: myData.sources,
  why: myData.sources.reasons,
  processing,
});

function textsIn(words: unknown): string[] {
  if (typeof words === 'string') return [words];
  if (typeof words === 'function') return [(words as (...names: string[]) => string)(...NAMES)];
  return Object.values(words as object).flatMap(textsIn);
}

/** Titles and labels are left out: a fragment of two words would make the whole look easier than it is. */
const sentencesIn = (words: unknown): string[] =>
  textsIn(words)
    .filter((text) => /[.?!:]$/.test(text))
    .flatMap((text) => text.split(/(?<=[.?!:])\s+/))
    // A date has no length of its own to read, and "Dr. A" would be no end of one.
    .map((sentence) => sentence.replace('March 3, 2027', 'March'));

/** Of fewer, one long word that cannot be helped would be the whole measure; they count among all. */
const FEWEST = 3;

const wordsIn = (sentence: string): string[] => sentence.match(/[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu) ?? [];

interface Measured {
  /** Words of a sentence. */
  length: number;
  /** Syllables of a word. */
  syllables: number;
}

function measure(sentences: readonly string[], syllablesOf: (word: string) => number): Measured {
  const words = sentences.flatMap(wordsIn);
  const syllables = words.reduce((sum, word) => sum + syllablesOf(word), 0);
  return { length: words.length / sentences.length, syllables: syllables / words.length };
}

/** Kincaid et al. 1975: the school grade, in the United States, that reads it with ease. */
const gradeOf = (sentences: readonly string[]): number => {
  const { length, syllables } = measure(sentences, syllable);
  return 0.39 * length + 11.8 * syllables - 15.59;
};

/** Szigriszt-Pazos 1993; on the INFLESZ scale (Barrio-Cantalejo 2008) 55 to 65 is normal, and more is easier. */
const easeOf = (sentences: readonly string[]): number => {
  const { length, syllables } = measure(sentences, spanishSyllables);
  return 206.835 - 62.3 * syllables - length;
};

/**
 * Two vowels are one syllable unless both are strong (a, e, o) or a weak one bears an accent; the u of que, qui, gue and
 * gui is not heard; y is a vowel at the end of a word.
 */
function spanishSyllables(word: string): number {
  const heard = word
    .toLowerCase()
    .replace(/([qg])u(?=[eéií])/g, '$1')
    .replace(/y$/, 'i');
  const groups = heard.match(/[aeiouáéíóúü]+/g) ?? [];
  const more = groups.flatMap((group) =>
    Array.from(group)
      .slice(1)
      .filter((vowel, place) => {
        const before = group[place] ?? '';
        const strong = (each: string): boolean => /[aeoáéó]/.test(each);
        return (strong(before) && strong(vowel)) || /[íú]/.test(before + vowel);
      }),
  );
  return Math.max(1, groups.length + more.length);
}

describe('the consent text', () => {
  // Health agencies ask for grade 8 at most; what is asked here is the sixth, since it is reached.
  it('is read by a sixth grader in English, and no part of it is for more than an eighth grader', () => {
    const sections = sectionsOf(en);
    const all = Object.values(sections).flatMap(sentencesIn);
    assert.ok(all.length > 80, `${all.length} sentences`);
    const grade = gradeOf(all);
    assert.ok(grade <= 6, `grade ${grade.toFixed(1)}`);
    for (const [name, said] of Object.entries(sections)) {
      const sentences = sentencesIn(said);
      if (sentences.length < FEWEST) continue;
      const grade = gradeOf(sentences);
      assert.ok(grade <= 8, `${name}: grade ${grade.toFixed(1)}`);
    }
  });

  it('is of normal ease or easier in Spanish, in all and in each part', () => {
    const sections = sectionsOf(es);
    const all = Object.values(sections).flatMap(sentencesIn);
    assert.ok(all.length > 80, `${all.length} sentences`);
    for (const [name, sentences] of [
      ['all', all] as const,
      ...Object.entries(sections).map(([name, said]) => [name, sentencesIn(said)] as const),
    ]) {
      if (sentences.length < FEWEST) continue;
      const ease = easeOf(sentences);
      assert.ok(ease >= 55, `${name}: ${ease.toFixed(1)}`);
    }
  });

  it('on where a record comes from and what could not be read, is as easy', () => {
    for (const [name, said] of Object.entries(recordSectionsOf(en))) {
      const grade = gradeOf(sentencesIn(said));
      assert.ok(grade <= 6, `${name}: grade ${grade.toFixed(1)}`);
    }
    for (const [name, said] of Object.entries(recordSectionsOf(es))) {
      const ease = easeOf(sentencesIn(said));
      assert.ok(ease >= 55, `${name}: ${ease.toFixed(1)}`);
    }
  });

  it('has its Spanish syllables counted as one says them', () => {
    const counted: [word: string, syllables: number][] = [
      ['historial', 3],
      ['aplicación', 4],
      ['día', 2],
      ['que', 1],
      ['quién', 1],
      ['guía', 2],
      ['leer', 2],
      ['y', 1],
      ['muy', 1],
      ['cuidado', 3],
      ['autoridad', 4],
      ['todavía', 4],
      ['sección', 2],
      ['área', 3],
    ];
    for (const [word, syllables] of counted) assert.equal(spanishSyllables(word), syllables, word);
  });
});
