/** A part of a text, by its first character and the one after its last. */
export interface Span {
  start: number;
  end: number;
}

/**
 * Returns the text as patterns are written, character for character, so that places in one are places in the other: lower
 * case, no accents, a space for every sign but those that join digits ("3/5/2020").
 */
export const flattenText = (text: string): string =>
  Array.from({ length: text.length }, (_, index) => flattenLetter(text[index] ?? ''))
    .join('')
    .replace(/[^a-z0-9]/g, (sign, index: number, whole: string) =>
      /[-./–]/.test(sign) && /\d/.test(whole[index - 1] ?? '') && /\d/.test(whole[index + 1] ?? '')
        ? sign.replace('–', '-')
        : ' ',
    );

function flattenLetter(letter: string): string {
  if (letter <= '\u007F') return letter.toLowerCase();
  const [base = ' '] = letter.normalize('NFKD').toLowerCase();
  return base === 'ß' ? 's' : base;
}

/** Compiles a pattern of whole words; a space stands for any number of them. */
export const compilePattern = (source: string): RegExp =>
  new RegExp(`(?<![a-z0-9])(?:${source.replaceAll(' ', ' +')})(?![a-z0-9])`, 'g');

/** Finds a compiled pattern in a text, with the texts of its named groups. */
export const findMatches = (
  text: string,
  pattern: RegExp,
): { span: Span; groups: Readonly<Record<string, string | undefined>> }[] =>
  [...flattenText(text).matchAll(pattern)].map(({ 0: found, index, groups = {} }) => ({
    span: { start: index, end: index + found.length },
    groups,
  }));

/** Whether one is a part of the other, which is longer. */
export const isInside = (one: Span, other: Span): boolean =>
  other.start <= one.start && one.end <= other.end && other.end - other.start > one.end - one.start;

export const isOverlapping = (one: Span, other: Span): boolean =>
  one.start < other.end && other.start < one.end;
