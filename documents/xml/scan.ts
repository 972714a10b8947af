/**
 * Returns where the first of the letters stands outside of quotes, at or after `from`; the end of the text where none
 * does.
 */
export function findUnquoted(text: string, letters: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const letter = text[at] as string;
    if (letters.includes(letter)) return at;
    if (letter === '"' || letter === "'") {
      const close = text.indexOf(letter, at + 1);
      if (close < 0) return text.length;
      at = close;
    }
  }
  return text.length;
}

/** Returns the position behind `mark`, at or after `from`; the end of the text where it is missing. */
export function skipPast(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}
