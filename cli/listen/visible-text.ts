/** What a terminal would obey or hide: control and format characters, line and paragraph separators. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text of others for the terminal: what cannot be seen is written as its code. */
export const visible = (text: string): string => text.replace(UNSEEN, escaped);

/** The same for lines and columns that are ours. */
export const visibleLines = (text: string): string =>
  text.replace(UNSEEN, (character) => (character === '\n' ? character : escaped(character)));

/** One field of a line: a stranger's may be long. */
export function brief(text: string, most = 120): string {
  const shown = visible(text);
  return shown.length <= most ? shown : `${shown.slice(0, most)}…`;
}

/** As JSON writes it, so that escaped JSON is the same JSON. */
function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
