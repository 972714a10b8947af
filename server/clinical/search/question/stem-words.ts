import { stemmer as stemEnglish } from '@orama/stemmers/english';
import { stemmer as stemGerman } from '@orama/stemmers/german';
import { stemmer as stemSpanish } from '@orama/stemmers/spanish';
import type { Language } from './question-words.ts';

const STEMMERS: Readonly<Record<Language, (word: string) => string>> = {
  en: stemEnglish,
  es: stemSpanish,
  de: stemGerman,
};

/** What the forms of a word have in common ("losing", "loses": "lose"), after Porter; the word is folded. */
export const stemWord = (language: Language, folded: string): string => STEMMERS[language](folded);
