/**
 * True when an Accept header prefers a receipt as JSON: it names application/json, and not application/jose before it
 * (RFC 9110 §12.5.1). A client that accepts anything, such as curl, gets the file.
 */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').slice(0, 1000).split(',').map(parseRange);
  const findPosition = (type: string): number => ranges.findIndex((range) => range.type === type);
  const json = ranges[findPosition('application/json')];
  const jose = ranges[findPosition('application/jose')];
  if (!json || json.quality === 0) return false;
  if (!jose || jose.quality !== json.quality) return json.quality > (jose?.quality ?? 0);
  return findPosition('application/json') < findPosition('application/jose');
}

function parseRange(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
