const [MINUS, COMMA, BACKSLASH] = [0x2d, 0x2c, 0x5c];
const [ZERO, NINE, CLOSE_BRACKET, CLOSE_BRACE] = [0x30, 0x39, 0x5d, 0x7d];

/** A number of RFC 8259. */
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Puts every number of a JSON text into quotes; null where that might make JSON of a text that is none. A valid number
 * before a comma or a closing bracket is a value wherever the text is JSON with a string in its place.
 */
export function quoteNumbers(text: string): string | null {
  let quoted = '';
  let copied = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote === -1 ? text.length : quote;
    for (; at < end; at++) {
      if (!beginsNumber(text.charCodeAt(at))) continue;
      const numberEnd = findNumberEnd(text, at);
      if (numberEnd === -1) return null;
      quoted += `${text.slice(copied, at)}"${text.slice(at, numberEnd)}"`;
      copied = numberEnd;
      at = numberEnd - 1;
    }
    if (quote !== -1) at = findStringEnd(text, quote);
  }
  return copied === 0 ? text : quoted + text.slice(copied);
}

const beginsNumber = (code: number): boolean => (code >= ZERO && code <= NINE) || code === MINUS;

/** Returns the position after the number that begins at `start`; -1 where it is none, or no value. */
function findNumberEnd(text: string, start: number): number {
  NUMBER.lastIndex = start;
  if (!NUMBER.test(text)) return -1;
  const end = NUMBER.lastIndex;
  const next = text.charCodeAt(skipSpace(text, end));
  return next === COMMA || next === CLOSE_BRACKET || next === CLOSE_BRACE ? end : -1;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  for (let code = text.charCodeAt(at); code === 0x20 || (code >= 0x09 && code <= 0x0d);)
    code = text.charCodeAt(++at);
  return at;
}

/** Returns the position after the string that begins at `start`; the end of the text where it has none. */
export function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let escapes = 0;
    while (text.charCodeAt(at - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}
