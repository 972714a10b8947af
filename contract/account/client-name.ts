const MAX_LENGTH = 60;

/** What is not seen; what joins two emoji to one belongs to them. */
const INVISIBLE =
  /(\p{Extended_Pictographic}\p{Emoji_Modifier}?\uFE0F?\u200D(?=\p{Extended_Pictographic}))|[\p{Cf}\p{Co}\p{Cn}]/gu;

/**
 * Returns the name a client gave itself in a form that is safe in our sentences: anybody may have written it, so it has
 * no line breaks, no invisible or direction-changing characters, and no text or marks that displace or cover ours. It is empty
 * where nothing is left.
 */
export function toPlainClientName(name: string | null): string {
  const plain = (name ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(INVISIBLE, (_, emoji: string | undefined) => emoji ?? '')
    // No script stacks more marks on a letter; twenty would be drawn over the lines above and below.
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(plain);
  const truncated = letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH - 1).join('')}…` : plain;
  return isolateRightToLeft(truncated);
}

/** The blocks of scripts from right to left, and the marks of that direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Isolates a name with letters from right to left, so that it does not reverse the sentence around it. */
export const isolateRightToLeft = (name: string): string =>
  RIGHT_TO_LEFT.test(name) ? `\u2068${name}\u2069` : name;
