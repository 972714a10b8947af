import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { foldWord, splitWords } from '../../concepts/split-words.ts';
import type { Vocabulary } from '../../concepts/vocabulary.ts';
import { LANGUAGES, type Language } from './question-words.ts';
import { stemWord } from './stem-words.ts';

const Words = z.array(z.string().min(1));

/** A line of `word-classes.jsonl`: single words of three languages that say the same where they are part of a phrase. */
export const WordClassLine = z.strictObject({
  id: z.string(),
  /** Whether one of the words is a thing by itself ("it itches"); "high" is none. */
  alone: z.literal(true).optional(),
  en: Words,
  es: Words,
  de: Words,
});
type WordClassLine = z.infer<typeof WordClassLine>;

/** A few milliseconds' work. */
const LINES_PER_STEP = 30;

const FILE = path.join(import.meta.dirname, 'word-classes.jsonl');

/** Says what a word means where it is part of a phrase. */
export interface WordReader {
  /** `#pain` for "sore" or "duele", `@knee` for "rodilla", else the stem with its language; the word is folded. */
  read(language: Language, folded: string): string;
  /** Whether the word means something by itself. */
  isAlone(meaning: string): boolean;
}

export const readClassLines = (): WordClassLine[] =>
  fs
    .readFileSync(FILE, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as WordClassLine);

/** Every word of every class, for spelling. */
export const listClassWords = (): string[] =>
  readClassLines().flatMap(({ en, es, de }) => [...en, ...es, ...de]);

const isPart = (token: string | undefined): boolean => token?.startsWith('@') === true;

/** Knows the classes of words, and the single words that name parts of the body; with a pause after each step. */
export function* createWordReaderInSteps(vocabulary: Vocabulary): Generator<void, WordReader> {
  const byWord = new Map<string, string>();
  const add = (language: Language, word: string, token: string): void => {
    const folded = foldWord(word);
    for (const key of [`${language}:${folded}`, `${language}:${stemWord(language, folded)}`])
      if (!byWord.has(key)) byWord.set(key, token);
  };
  const alone = new Set<string>();
  for (const [index, { id, alone: isAlone = false, ...words }] of readClassLines().entries()) {
    if (index % LINES_PER_STEP === 0) yield;
    if (isAlone) alone.add(`#${id}`);
    for (const language of LANGUAGES) for (const word of words[language]) add(language, word, `#${id}`);
  }
  yield;
  for (const { concept, phrase, language } of vocabulary.listNames())
    if (concept.kind === 'body-parts' && splitWords(phrase).length === 1)
      add(language, phrase, `@${concept.slug}`);
  // "Hepatitis" is no form of "hepatic".
  for (const { concept, phrase, language } of vocabulary.listNames()) {
    const folded = foldWord(phrase);
    const stem = `${language}:${stemWord(language, folded)}`;
    if (concept.kind === 'conditions' && !byWord.has(`${language}:${folded}`) && isPart(byWord.get(stem)))
      byWord.set(`${language}:${folded}`, stem);
  }
  return {
    read(language, folded) {
      const stem = `${language}:${stemWord(language, folded)}`;
      return byWord.get(`${language}:${folded}`) ?? byWord.get(stem) ?? stem;
    },
    isAlone: (meaning) => alone.has(meaning),
  };
}
