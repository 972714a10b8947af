import { parseMediaRanges } from '../../platform/http/media-ranges.ts';

/**
 * True when an Accept header prefers a receipt as JSON: it names application/json, and not application/jose before it
 * (RFC 9110 §12.5.1). A client that accepts anything, such as curl, gets the file.
 */
export function prefersJson(accept: string | undefined): boolean {
  const ranges = parseMediaRanges(accept);
  const findPosition = (type: string): number => ranges.findIndex((range) => range.type === type);
  const json = ranges[findPosition('application/json')];
  const jose = ranges[findPosition('application/jose')];
  if (!json || json.quality === 0) return false;
  if (!jose || jose.quality !== json.quality) return json.quality > (jose?.quality ?? 0);
  return findPosition('application/json') < findPosition('application/jose');
}
