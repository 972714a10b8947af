import { EverythingQuery, FhirParameters } from '../../../contract/fhir/fhir.ts';
import { Refusal, invalidInput } from '../../platform/kernel/refusal.ts';

interface OperationRequest {
  /** A parameter that is repeated is a list. */
  query: Readonly<Record<string, unknown>>;
  /** Parameters (https://hl7.org/fhir/R4/parameters.html); undefined for a request without a body. */
  body: unknown;
  prefer: string | undefined;
}

type NamedValue = readonly [name: string, value: unknown];

const SUPPORTED: ReadonlySet<string> = new Set(Object.keys(EverythingQuery.shape));

/** The only one that may be repeated (https://hl7.org/fhir/R4/patient-operation-everything.html). */
const REPEATABLE = '_type';

/**
 * Collects the parameters of an operation from its URL and its body (https://hl7.org/fhir/R4/operations.html#request). Those that are not
 * supported are left out, or refused where the client asked for strict handling (https://hl7.org/fhir/R4/search.html#errors).
 * A value that should be one and is several stays a list, which its validation refuses.
 */
export function collectParameters({ query, body, prefer }: OperationRequest): Record<string, unknown> {
  const values = [...listQueryValues(query), ...listBodyValues(body)];
  if (isStrict(prefer))
    refuseUnsupported(
      values.map(([name]) => name),
      SUPPORTED,
    );
  const byName = Map.groupBy(
    values.filter(([name]) => SUPPORTED.has(name)),
    ([name]) => name,
  );
  return Object.fromEntries(
    [...byName].map(([name, all]) => {
      const [first, ...others] = all.map(([, value]) => value);
      if (others.length === 0) return [name, first];
      return [name, name === REPEATABLE ? [first, ...others].join(',') : [first, ...others]];
    }),
  );
}

const listQueryValues = (query: OperationRequest['query']): NamedValue[] =>
  Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each: unknown) => [name, each] as const),
  );

function listBodyValues(body: unknown): NamedValue[] {
  if (body === undefined || body === null) return [];
  const { success, data } = FhirParameters.safeParse(body);
  if (!success) throw invalidInput([{ path: '', message: 'must be a Parameters resource, or be absent' }]);
  return (data.parameter ?? []).map((parameter) => [parameter.name, readValue(parameter)]);
}

/** Returns the `value[x]` of a parameter as text, as a URL has it; null, which its validation refuses, where it is no primitive. */
function readValue(parameter: Readonly<Record<string, unknown>>): string | null {
  const values = Object.entries(parameter).filter(([name]) => /^value[A-Z]/.test(name));
  const value = values.length === 1 ? values[0]?.[1] : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null;
}

/** RFC 7240: `handling=strict`, among other preferences. */
const isStrict = (prefer: string | undefined): boolean =>
  /(?:^|[,;])\s*handling\s*=\s*"?strict"?\s*(?:$|[,;])/i.test(prefer ?? '');

/** What lines have no place for: they are all of a selection in one answer, without a page or a total. */
const OF_BUNDLES = [
  '_count',
  '_offset',
  '_after',
  '_counted',
  '_total',
] as const satisfies (keyof EverythingQuery)[];

/**
 * Refuses parameters of pages where the answer is lines: a count of 0, which asks for the total alone, and every one of them where
 * the client asked for strict handling. Otherwise they are ignored.
 */
export function requireForLines(requested: EverythingQuery, prefer: string | undefined): void {
  const given = OF_BUNDLES.filter((name) => requested[name] !== undefined);
  if (isStrict(prefer) && given.length > 0)
    throw new Refusal(400, 'unsupported_parameter', {
      detail:
        'Not every parameter of this request is supported for NDJSON, which is all of a selection in one answer.',
      errors: given.map((path) => ({ path, message: 'is not supported for NDJSON; ask for JSON' })),
    });
  if (Number(requested['_count']) === 0)
    throw invalidInput([
      { path: '_count', message: 'must not be 0 for NDJSON, which has no place for the total; ask for JSON' },
    ]);
}

const OF_READS: ReadonlySet<string> = new Set(['_format']);

/** Refuses parameters of a read, which takes `_format` alone, where the client asked for strict handling. */
export function requireForRead(query: OperationRequest['query'], prefer: string | undefined): void {
  if (isStrict(prefer)) refuseUnsupported(Object.keys(query), OF_READS);
}

function refuseUnsupported(given: readonly string[], supported: ReadonlySet<string>): void {
  const names = new Set(given.filter((name) => !supported.has(name)));
  if (names.size === 0) return;
  throw new Refusal(400, 'unsupported_parameter', {
    detail: 'Not every parameter of this request is supported.',
    errors: [...names].map((name) => ({
      path: name.slice(0, 100),
      message: `is not supported; the parameters are ${[...supported].join(', ')}`,
    })),
  });
}
