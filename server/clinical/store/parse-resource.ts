import type { ParsedResource } from './found-resource.ts';
import { quoteNumbers } from './quote-numbers.ts';

/** `__proto__`, written plainly or with escaped letters. */
const mayHoldPrototype = (text: string): boolean => text.includes('\\u') || text.includes('__proto__');

/**
 * Parses JSON with every number as the text it was written with, so that 1.00 stays 1.00; throws when it is not JSON. A
 * reviver, which is called for every value, takes more than twice as long as parsing numbers that were put into quotes.
 */
export function parseLosslessly(text: string): unknown {
  const quoted = mayHoldPrototype(text) ? null : quoteNumbers(text);
  return quoted === null
    ? JSON.parse(text, reviveLossless as (key: string, value: unknown) => unknown)
    : JSON.parse(quoted);
}

function reviveLossless(key: string, value: unknown, context: { source?: string }): unknown {
  // JSON.parse makes `__proto__` an own property, but a copy by assignment would set the prototype.
  if (key === '__proto__') return undefined;
  return typeof value === 'number' ? (context.source ?? String(value)) : value;
}

/** Parses a stored body, which was parsed as a resource before it was stored. */
export const parseResource = (body: string): ParsedResource => parseLosslessly(body) as ParsedResource;
