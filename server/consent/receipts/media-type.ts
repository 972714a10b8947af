/**
 * Whether an Accept header wants a receipt as JSON: where it names application/json, and not application/jose before
 * it (RFC 9110 §12.5.1). Who takes anything, as curl does, gets the file.
 */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = (accept ?? '').slice(0, 1000).split(',').map(rangeOf);
  const place = (type: string): number => ranges.findIndex((range) => range.type === type);
  const json = ranges[place('application/json')];
  const jose = ranges[place('application/jose')];
  if (!json || json.quality === 0) return false;
  if (!jose || jose.quality !== json.quality) return json.quality > (jose?.quality ?? 0);
  return place('application/json') < place('application/jose');
}

function rangeOf(text: string): { type: string; quality: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = given === undefined ? 1 : Number(given.replace(/^q\s*=\s*/, ''));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}
