const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bytes that precede every value but the first. */
const BEFORE_VALUE = new Uint8Array(256);
for (const byte of Buffer.from(',[{')) BEFORE_VALUE[byte] = 1;

/** Says whether JSON holds more than `max` values, keys of objects not counted. Invalid JSON is counted the same way. */
export function hasMoreValues(json: Buffer, max: number): boolean {
  // Each value takes at least two bytes, its separator included.
  if (json.length <= 2 * max) return false;
  let values = 0;
  for (let at = 0; at < json.length && values <= max; at++) {
    const byte = json[at]!;
    if (byte === QUOTE) at = findStringEnd(json, at);
    else values += BEFORE_VALUE[byte]!;
  }
  return values > max;
}

function findStringEnd(json: Buffer, from: number): number {
  let at = from + 1;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}
