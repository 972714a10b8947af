import { Refusal } from '../../platform/kernel/refusal.ts';

/** FHIR R4 http.html#mime-type, and the newline-delimited form of Bulk Data. */
export const FHIR_JSON = 'application/fhir+json';
export const FHIR_NDJSON = 'application/fhir+ndjson';

export type Format = 'json' | 'ndjson';

const FORMATS: ReadonlyMap<string, Format> = new Map([
  ['application/fhir+json', 'json'],
  ['application/json+fhir', 'json'],
  ['application/json', 'json'],
  ['text/json', 'json'],
  ['json', 'json'],
  ['application/*', 'json'],
  ['*/*', 'json'],
  ['application/fhir+ndjson', 'ndjson'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['ndjson', 'ndjson'],
]);

/** Returns the offered format that the client prefers; `_format` precedes Accept (http.html#parameters). Throws 406. */
export function negotiateFormat(
  requested: { accept: string | undefined; format: string | undefined },
  offered: readonly Format[],
): Format {
  const ranges =
    requested.format === undefined
      ? (requested.accept ?? '*/*').split(',')
      : // An unencoded plus sign arrives as a space.
        [requested.format.replaceAll(' ', '+')];
  const ranked = ranges
    .map((range) => parseRange(range))
    .filter(({ quality, version }) => quality > 0 && (version === undefined || VERSIONS.has(version)))
    .toSorted((one, other) => other.quality - one.quality);
  for (const { name } of ranked) {
    const format = FORMATS.get(name);
    if (format && offered.includes(format)) return format;
  }
  const names = offered.map((format) => (format === 'json' ? FHIR_JSON : FHIR_NDJSON));
  throw new Refusal(406, 'not_acceptable', {
    detail: `This endpoint serves ${names.join(' or ')} of FHIR 4.0 only.`,
  });
}

/** R4, as a client that wants one release of FHIR names it (https://hl7.org/fhir/R4/http.html#version-parameter). */
const VERSIONS: ReadonlySet<string> = new Set(['4.0', '4.0.1']);

interface MediaRange {
  name: string;
  quality: number;
  /** The release of FHIR. */
  version: string | undefined;
}

/** Parses a media range with its weight (RFC 9110 §12.5.1); an empty Accept accepts anything. */
function parseRange(text: string): MediaRange {
  const [name = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const findParameter = (prefix: string): string | undefined =>
    parameters
      .find((parameter) => parameter.startsWith(prefix))
      ?.slice(prefix.length)
      .replace(/^"(.*)"$/, '$1');
  const weight = findParameter('q=');
  const quality = weight === undefined ? 1 : Number(weight);
  return {
    name: name === '' ? '*/*' : name,
    quality: Number.isNaN(quality) ? 0 : quality,
    version: findParameter('fhirversion='),
  };
}
