import type { FhirObject, FhirValue, Resource } from './fhir-values.ts';
import type { Placed } from './resource-list.ts';

/** What a resource tells, and when: two that differ in it are two facts. */
const FACT =
  'code vaccineCode medicationCodeableConcept type description relationship effectiveDateTime effectivePeriod performedDateTime performedPeriod occurrenceDateTime onsetDateTime period'.split(
    ' ',
  );
/** These are made once for each identifier and name, and are not facts of a day. */
const NOT_FACTS = new Set([
  'Patient',
  'Practitioner',
  'Organization',
  'Location',
  'DocumentReference',
  'Provenance',
]);

/**
 * Leaves out identifiers that name several facts of one type: vendors copied those of the published samples into every
 * entry (of 42 procedures of one vendor 40 have the same), and whoever looks for the same fact in two documents by its
 * identifier would take all of them for one.
 */
export function withoutAmbiguousIdentifiers(placed: readonly Placed[]): Placed[] {
  const facts = new Map<string, Set<string>>();
  for (const { resource } of placed) {
    for (const key of keysOf(resource)) {
      const known = facts.get(key) ?? new Set();
      facts.set(key, known.add(factOf(resource)));
    }
  }
  return placed.map((one) => {
    const keys = keysOf(one.resource);
    const clear = identifiersOf(one.resource).filter(
      (_, index) => (facts.get(keys[index] ?? '')?.size ?? 0) < 2,
    );
    return clear.length === keys.length ? one : { ...one, resource: { ...one.resource, identifier: clear } };
  });
}

function keysOf(resource: Resource): string[] {
  return identifiersOf(resource).map(
    ({ system, value }) => `${resource.resourceType}|${JSON.stringify([system, value])}`,
  );
}

function identifiersOf({ resourceType, identifier }: Resource): FhirObject[] {
  if (NOT_FACTS.has(resourceType) || !Array.isArray(identifier)) return [];
  return identifier as FhirObject[];
}

const factOf = (resource: Resource): string =>
  JSON.stringify(FACT.map((element): FhirValue | undefined => resource[element]));
