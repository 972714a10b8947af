import { useLanguageContext } from '../../../kit/language.tsx';
import type { Language } from '../../../kit/languages.ts';

/**
 * Returns the hook that answers the words of a subject in the member's language. A page brings its own words with it, so that
 * nobody loads those of pages they do not open; `words/en.ts` and `words/es.ts` join all of them for the tests.
 */
export const createWords =
  <Words>(dictionaries: Readonly<Record<Language, Words>>): (() => Words) =>
  () =>
    dictionaries[useLanguageContext().language];
