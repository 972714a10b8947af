import type { Language } from './languages.ts';

/** Joins names as a sentence does: a, b, and c. */
export const formatList = (names: readonly string[], language: Language): string =>
  new Intl.ListFormat(language).format(names);

/** Joins titles, which keep their capitals and so make no sentence. No line begins with a dot. */
export const joinTitles = (titles: readonly string[]): string => titles.join('\u00a0· ');
