/** Characters that a terminal would obey or hide: control and format characters, line and paragraph separators. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Makes a foreign text safe for the terminal: writes what cannot be seen as its code. */
export const revealInvisible = (text: string): string => text.replace(INVISIBLE, escapeUnits);

/** Does the same where lines and columns are our own. */
export const revealInvisibleInLines = (text: string): string =>
  text.replace(INVISIBLE, (character) => (character === '\n' ? character : escapeUnits(character)));

/** Does the same for one field of a line, and cuts it: a stranger's may be long. */
export function revealAndTruncate(text: string, maxLength = 120): string {
  const shown = revealInvisible(text);
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength)}…`;
}

/** Escapes a character as JSON does, so that escaped JSON is the same JSON. */
function escapeUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
