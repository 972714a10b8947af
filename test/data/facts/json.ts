/** A value of a resource as it is written: numbers are the text of their digits, so that 1.00 stays 1.00. */
export type Json = string | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** A stored resource, read with no help of the product. */
export interface RawResource extends JsonObject {
  resourceType: string;
  id: string;
}

export function parseResource(body: string): RawResource {
  const keepDigits = (_: string, value: unknown, context?: { source?: string }): unknown =>
    typeof value === 'number' ? (context?.source ?? String(value)) : value;
  return JSON.parse(body, keepDigits) as RawResource;
}

/** All values at a path of names, through every array on the way: `dosageInstruction.doseAndRate.doseQuantity`. */
export function listAt(value: Json | undefined, path: string): Json[] {
  let values = [value ?? null].flat();
  for (const name of path.split('.'))
    values = values.flatMap((each) =>
      isObject(each) && Object.hasOwn(each, name) ? [each[name] ?? null].flat() : [],
    );
  return values.filter((each) => each !== null);
}

export const textsAt = (value: Json | undefined, path: string): string[] =>
  listAt(value, path).filter((each): each is string => typeof each === 'string' && each.trim() !== '');

export const objectsAt = (value: Json | undefined, path: string): JsonObject[] =>
  listAt(value, path).filter(isObject);

export const textAt = (value: Json | undefined, path: string): string | undefined => textsAt(value, path)[0];

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
