/** Characters shown around what was looked for. */
const ROOM = 240;

/** The part of a text where most of the words stand closest, broken at words; the beginning when none is found. */
export function snippet(text: string, words: readonly string[]): string {
  const line = plain(text);
  if (line.length <= ROOM) return line;
  const places = words
    .flatMap((word) => placesOf(line.toLowerCase(), word))
    .sort((one, other) => one.at - other.at);
  const best = places
    .map(({ at }) => ({
      at,
      words: new Set(
        places.filter((place) => place.at >= at && place.at < at + ROOM * 0.7).map(({ word }) => word),
      ).size,
    }))
    .reduce((most, place) => (place.words > most.words ? place : most), { at: 0, words: 0 });
  const start = Math.max(0, Math.min(best.at - 60, line.length - ROOM));
  const from = start === 0 ? 0 : line.indexOf(' ', start) + 1;
  const to = from + ROOM >= line.length ? line.length : line.lastIndexOf(' ', from + ROOM);
  const part = line.slice(from, to > from ? to : from + ROOM);
  return `${from > 0 ? '… ' : ''}${part}${from + part.length < line.length ? ' …' : ''}`;
}

/** Headings told by a colon, on one line. */
const plain = (text: string): string =>
  text
    .replace(/^[ \t]*#{1,6}[ \t]+(.*?)[ \t:]*$/gm, '$1:')
    .replace(/\s+/g, ' ')
    .trim();

/** Where a word or a form of it begins: the index stems words, so their first letters are compared. */
function placesOf(text: string, word: string): { at: number; word: string }[] {
  const stem = word.length > 5 ? word.slice(0, Math.max(4, word.length - 3)) : word;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(stem)}`, 'gu');
  return [...text.matchAll(pattern)].slice(0, 50).map(({ index }) => ({ at: index, word }));
}
