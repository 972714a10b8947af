import type { ParsedResource } from './found-resource.ts';

/**
 * Where a JSON text may hold a number: it may be found where there is none (in a string), never missed. Most resources
 * have none, and without a reviver JSON.parse is four times as fast.
 */
const NUMBER = /"\s*:\s*-?\d|[[,]\s*-?\d|^\s*-?\d/;

export const mayHoldNumbers = (text: string): boolean => NUMBER.test(text);

/** A stored body with every number as the text it was written with, so that 1.00 stays 1.00. */
export function parseResource(body: string): ParsedResource {
  if (!mayHoldNumbers(body)) return JSON.parse(body) as ParsedResource;
  const keepDigits = (_key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === 'number' ? (context.source ?? String(value)) : value;
  return JSON.parse(body, keepDigits as (key: string, value: unknown) => unknown) as ParsedResource;
}
