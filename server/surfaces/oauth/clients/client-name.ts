/**
 * Control, format (bidi, zero-width), private-use and unassigned characters, lone surrogates; line and paragraph
 * separators; letters that show nothing; more marks on one letter than any language has, which would cover other lines.
 */
const DECEPTIVE = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{4}/u;

/** A client's name as a page may show it, or null. That it may be anybody's name is for the page to say. */
export function readClientName(text: string): string | null {
  const name = text.trim();
  return /^.{1,200}$/su.test(name) && !DECEPTIVE.test(name) ? name : null;
}
