export interface MediaRange {
  type: string;
  quality: number;
}

/** Parses an Accept header (RFC 9110 §12.5.1) into its ranges, in their order. */
export const parseMediaRanges = (accept: string | undefined): MediaRange[] =>
  (accept ?? '').slice(0, 1000).split(',').map(parseRange);

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => /^q\s*=/.test(parameter));
  const quality = weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, ''));
  return { type, quality: Number.isFinite(quality) ? quality : 0 };
}

/** Returns the type of those offered that the client prefers by name; the first one where it names none of them. */
export function chooseType<const Type extends string>(
  accept: string | undefined,
  offered: readonly [Type, ...Type[]],
): Type {
  const named = parseMediaRanges(accept)
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
    .map(({ type }) => offered.find((each) => each === type));
  return named.find((type) => type !== undefined) ?? offered[0];
}
