import type { z } from 'zod';

/**
 * Describes a fault of input in words that go on behind its name ("limit must be a whole number"), for schemas that have none of
 * their own; zod's are of its own types ("expected number, received NaN"). Never quotes values.
 */
export const describeIssue: z.core.$ZodErrorMap = (issue) => DESCRIPTIONS[issue.code]?.(issue as never);

type Code = z.core.$ZodIssue['code'];
type Describe<C> = (issue: Extract<z.core.$ZodRawIssue, { code: C }>) => string | undefined;

const DESCRIPTIONS: { readonly [C in Code]?: Describe<C> } = {
  invalid_type: ({ expected, input }) =>
    input === undefined ? MISSING : `must be ${TYPES.get(expected) ?? 'of another type'}`,
  invalid_value: ({ values, input }) => {
    const words = `must be ${values.length > 1 ? 'one of ' : ''}${values.map(String).join(', ')}`;
    return input === undefined ? `${MISSING}; it ${words}` : words;
  },
  too_small: ({ origin, minimum, exact, inclusive }) =>
    exact
      ? describeSize(origin, 'exactly', minimum)
      : minimum === 1 && UNITS.has(origin)
        ? 'must not be empty'
        : describeSize(origin, inclusive === false ? 'more than' : 'at least', minimum),
  too_big: ({ origin, maximum, exact, inclusive }) =>
    describeSize(origin, exact ? 'exactly' : inclusive === false ? 'less than' : 'at most', maximum),
  invalid_format: ({ format, pattern }) =>
    FORMATS.get(format) ?? (pattern === undefined ? 'is not well-formed' : `must match ${pattern}`),
  not_multiple_of: ({ divisor }) => `must be a multiple of ${divisor}`,
  unrecognized_keys: ({ keys }) =>
    `has ${keys.length === 1 ? 'a member that is' : 'members that are'} not known here: ${keys
      .slice(0, MAX_NAMES)
      .map((name) => name.slice(0, MAX_NAME_LENGTH))
      .join(', ')}`,
  invalid_union: ({ discriminator, input }) => {
    const isMissing =
      discriminator !== undefined && (input as Record<string, unknown> | null)?.[discriminator] === undefined;
    return isMissing ? MISSING : 'has none of the forms that are taken here';
  },
};

const MAX_NAMES = 5;
const MAX_NAME_LENGTH = 100;
const MISSING = 'is missing';

const TYPES: ReadonlyMap<string, string> = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'an array'],
  ['object', 'an object'],
  ['record', 'an object'],
  ['date', 'a date'],
  ['null', 'null'],
]);

const UNITS: ReadonlyMap<string, string> = new Map([
  ['string', 'character'],
  ['array', 'item'],
  ['set', 'item'],
]);

function describeSize(origin: string, bound: string, size: number | bigint): string {
  const unit = UNITS.get(origin);
  return unit === undefined
    ? `must be ${bound} ${size}`
    : `must have ${bound} ${size} ${unit}${Number(size) === 1 ? '' : 's'}`;
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['email', 'must be an e-mail address'],
  ['url', 'must be a URL'],
  ['uuid', 'must be a UUID'],
  ['guid', 'must be a UUID'],
  ['datetime', 'must be a date and time, such as 2026-01-31T12:00:00Z'],
  ['date', 'must be a day, such as 2026-01-31'],
  ['base64', 'must be base64'],
  ['base64url', 'must be base64url'],
  ['safeint', 'must be a whole number'],
]);
