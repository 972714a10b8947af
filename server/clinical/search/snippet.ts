import { trimEnding } from '../../platform/kernel/trim-ending.ts';

/** The length of a snippet in characters. */
const SNIPPET_LENGTH = 240;

/** Returns the part of a text where most of the words stand closest, broken at words; the beginning when none is found. */
export function buildSnippet(text: string, words: readonly string[]): string {
  const line = flattenHeadings(text);
  if (line.length <= SNIPPET_LENGTH) return line;
  const matches = words.flatMap((word) => findMatches(line, word)).sort((one, other) => one.at - other.at);
  const best = matches
    .map(({ at }) => ({
      at,
      words: new Set(
        matches
          .filter((match) => match.at >= at && match.at < at + SNIPPET_LENGTH * 0.7)
          .map(({ word }) => word),
      ).size,
    }))
    .reduce((most, match) => (match.words > most.words ? match : most), { at: 0, words: 0 });
  const start = Math.max(0, Math.min(best.at - 60, line.length - SNIPPET_LENGTH));
  const from = start === 0 ? 0 : line.indexOf(' ', start) + 1;
  const to =
    from + SNIPPET_LENGTH >= line.length ? line.length : line.lastIndexOf(' ', from + SNIPPET_LENGTH);
  const part = line.slice(from, to > from ? to : from + SNIPPET_LENGTH);
  return `${from > 0 ? '… ' : ''}${part}${from + part.length < line.length ? ' …' : ''}`;
}

/** Puts the text on one line, with a colon after each heading. */
const flattenHeadings = (text: string): string =>
  text
    .replace(/^[ \t]*#{1,6}[ \t]+(.*)$/gm, (_, heading: string) => `${trimEnding(heading, ' \t:')}:`)
    .replace(/\s+/g, ' ')
    .trim();

/** True of a text that holds a word, or a form of it. */
export const holdsAny = (text: string, words: readonly string[]): boolean =>
  words.some((word) => findMatches(text, word).length > 0);

/** Finds where a word or a form of it begins, by its first letters, since the index stems words. */
function findMatches(text: string, word: string): { at: number; word: string }[] {
  const stem = word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(stem)}`, 'giu');
  return [...text.matchAll(pattern)].slice(0, 50).map(({ index }) => ({ at: index, word }));
}
