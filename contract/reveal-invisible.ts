/** Every line break of Unicode, so that nothing is left that a reader may take for one. */
const LINE_BREAK = /\r\n|[\r\v\f\u0085\u2028\u2029]/g;

/** Controls, zero-width, direction-changing, filler and tag characters; U+FE0F only where it follows no emoji. */
const INVISIBLE =
  /(?<!\p{Extended_Pictographic})\uFE0F|(?!\uFE0F)[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]|(?![\n\t])\p{Cc}|\p{Cs}/gu;

/** Returns a text with what is invisible in it, or turns the direction of what follows, as `\u{202E}`: shown, not obeyed. */
export function revealInvisible(text: string): string {
  return text
    .replace(LINE_BREAK, '\n')
    .replace(
      INVISIBLE,
      (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`,
    );
}
