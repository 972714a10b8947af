import type { Language } from './languages.ts';

/** Names in a row, as a sentence has them: a, b, and c. */
export const formatList = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(language).format(names);

/** Titles in a row: each keeps its capital, so they are no sentence. No line begins with a dot. */
export const joinTitles = (titles: readonly string[]): string => titles.join('\u00a0· ');
