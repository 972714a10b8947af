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

/** Returns the position of `mark`, at or after `from`; the end of the text where it is missing. */
export function findOrEnd(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found;
}

/** Returns the position behind `mark`, at or after `from`; the end of the text where it is missing. */
export function skipPast(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found < 0 ? text.length : found + mark.length;
}

/** More than any element of C-CDA or FHIR has; the largest root of a published document declares 12 namespaces. */
export const MAX_ATTRIBUTES = 256;

/**
 * Says whether the tag at `from` has more attributes than any document gives one element. The parser compares each
 * attribute with all before it: 8,000 on one element take it a second, 32,000 sixteen.
 */
export function hasTooManyAttributes(text: string, from: number): boolean {
  let count = 0;
  for (let at = from; ; at++) {
    at = findUnquoted(text, '=>', at);
    if (text[at] !== '=') return false;
    if (++count > MAX_ATTRIBUTES) return true;
  }
}
