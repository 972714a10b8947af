/** A part of a text. Characters are code points, as PostgreSQL counts them, so that who reads on loses and repeats none. */
export interface TextPart {
  text: string;
  /** Characters of the text up to where the part ends. */
  end: number;
  /** Characters that follow it. */
  rest: number;
}

const BEYOND_BASIC = /[\uD800-\uDFFF]/;

export const countCharacters = (text: string): number =>
  BEYOND_BASIC.test(text) ? Array.from(text).length : text.length;

/** Cuts `length` characters out of a text, from the one after the first `from` on. */
export function cutText(text: string, length: number, from = 0): TextPart {
  if (!BEYOND_BASIC.test(text)) return toPart(text.slice(from, from + length), from, text.length);
  const characters = Array.from(text);
  return toPart(characters.slice(from, from + length).join(''), from, characters.length);
}

function toPart(part: string, from: number, all: number): TextPart {
  const end = Math.min(from, all) + countCharacters(part);
  return { text: part, end, rest: all - end };
}
