/** What a terminal would obey or hide: control and format characters, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others for the terminal: what cannot be seen is written as its code. */
export const revealInvisible = (text: string): string => text.replace(INVISIBLE, escapeUnits);

/** The same for lines and columns that are ours. */
export const revealInvisibleInLines = (text: string): string =>
  text.replace(INVISIBLE, (character) => (character === '\n' ? character : escapeUnits(character)));

/** One field of a line: a stranger's may be long. */
export function revealAndTruncate(text: string, maxLength = 120): string {
  const shown = revealInvisible(text);
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength)}…`;
}

/** As JSON writes it, so that escaped JSON is the same JSON. */
function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
