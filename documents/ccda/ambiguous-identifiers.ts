import type { FhirObject, FhirValue, Resource } from './fhir-values.ts';
import type { PositionedResource } from './resource-list.ts';

/** What a resource states, and when: two resources that differ in it are two facts. */
const FACT_ELEMENTS =
  'code vaccineCode medicationCodeableConcept type description relationship effectiveDateTime effectivePeriod performedDateTime performedPeriod occurrenceDateTime onsetDateTime period'.split(
    ' ',
  );
/** Resources of these types are made once for each identifier and name, and are no facts of a day. */
const SHARED_TYPES = new Set([
  'Patient',
  'Practitioner',
  'Organization',
  'Location',
  'DocumentReference',
  'Provenance',
]);

/**
 * Removes identifiers that several facts of one type share: vendors copied those of the published samples into every
 * entry (of 42 procedures of one vendor 40 have the same), and linkage by identifier would take all of them for one fact.
 */
export function removeAmbiguousIdentifiers(items: readonly PositionedResource[]): PositionedResource[] {
  const facts = new Map<string, Set<string>>();
  for (const { resource } of items) {
    for (const key of getIdentifierKeys(resource)) {
      const known = facts.get(key) ?? new Set();
      facts.set(key, known.add(getFactKey(resource)));
    }
  }
  return items.map((one) => {
    const keys = getIdentifierKeys(one.resource);
    const unambiguous = getIdentifiers(one.resource).filter(
      (_, index) => (facts.get(keys[index] ?? '')?.size ?? 0) < 2,
    );
    return unambiguous.length === keys.length
      ? one
      : { ...one, resource: { ...one.resource, identifier: unambiguous } };
  });
}

function getIdentifierKeys(resource: Resource): string[] {
  return getIdentifiers(resource).map(
    ({ system, value }) => `${resource.resourceType}|${JSON.stringify([system, value])}`,
  );
}

function getIdentifiers({ resourceType, identifier }: Resource): FhirObject[] {
  if (SHARED_TYPES.has(resourceType) || !Array.isArray(identifier)) return [];
  return identifier as FhirObject[];
}

const getFactKey = (resource: Resource): string =>
  JSON.stringify(FACT_ELEMENTS.map((element): FhirValue | undefined => resource[element]));
