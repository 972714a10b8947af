import type { Language } from './languages.ts';

/** Joins names as a sentence does: a, b, and c; where one of them is such a list itself, so that it stays one: a and b; c. */
export const formatList = (names: readonly string[], language: Language): string =>
  names.length > 1 && names.some(isCompound) ? names.join('; ') : new Intl.ListFormat(language).format(names);

/** What stands in quotation marks is one name anyway. */
const isCompound = (name: string): boolean => !/^[“«]/u.test(name) && /,| (?:and|or|y|e|o|u) /u.test(name);

/** Joins titles, which keep their capitals and so make no sentence. No line begins with a dot. */
export const joinTitles = (titles: readonly string[]): string => titles.join('\u00a0· ');
