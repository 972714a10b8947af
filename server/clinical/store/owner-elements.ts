/** Elements that name the patient of a resource, in any type. */
export const OWNER_ELEMENTS = [
  'subject',
  'patient',
  'beneficiary',
  'individual',
  'candidate',
  'for',
] as const;

type JsonObject = Readonly<Record<string, unknown>>;

const toObjects = (value: unknown): JsonObject[] =>
  (Array.isArray(value) ? (value as unknown[]) : [value]).filter(
    (each): each is JsonObject => typeof each === 'object' && each !== null && !Array.isArray(each),
  );

/** Lists the references by which a resource, or one that it contains, says whose it is. */
export const listOwnerReferences = (resource: JsonObject): JsonObject[] =>
  [resource, ...toObjects(resource['contained'])].flatMap((each) =>
    OWNER_ELEMENTS.flatMap((name) => toObjects(each[name])),
  );

/** A resource, and the fullUrl of the entry that it stands in. */
export interface NestedResource {
  resource: JsonObject;
  fullUrl: string | null;
}

/** Lists a resource, and those within it that are no part of it: those of Parameters, and of Bundles in these. */
export function* listNestedResources(
  resource: JsonObject,
  fullUrl: string | null,
): Generator<NestedResource> {
  yield { resource, fullUrl };
  const isBundle = resource['resourceType'] === 'Bundle';
  for (const element of toObjects(resource[isBundle ? 'entry' : 'parameter']))
    yield* listWithin(element, isBundle);
}

function* listWithin(element: JsonObject, isBundle: boolean): Generator<NestedResource> {
  const { resource, fullUrl, part } = element;
  for (const inner of toObjects(resource))
    yield* listNestedResources(inner, isBundle && typeof fullUrl === 'string' ? fullUrl : null);
  for (const each of isBundle ? [] : toObjects(part)) yield* listWithin(each, false);
}
