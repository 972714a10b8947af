import type { ParsedResource } from './found-resource.ts';

/** A stored body with every number as the text it was written with, so that 1.00 stays 1.00. */
export function parseResource(body: string): ParsedResource {
  const keepDigits = (_key: string, value: unknown, context: { source?: string }): unknown =>
    typeof value === 'number' ? (context.source ?? String(value)) : value;
  return JSON.parse(body, keepDigits as (key: string, value: unknown) => unknown) as ParsedResource;
}
