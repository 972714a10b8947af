import type { FhirObject, FhirValue, Resource } from './fhir-values.ts';
import type { PositionedResource } from './resource-list.ts';

/** What a resource tells, and when: two that differ in it are two facts. */
const FACT_ELEMENTS =
  'code vaccineCode medicationCodeableConcept type description relationship effectiveDateTime effectivePeriod performedDateTime performedPeriod occurrenceDateTime onsetDateTime period'.split(
    ' ',
  );
/** These are made once for each identifier and name, and are not facts of a day. */
const SHARED_TYPES = new Set([
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
