import type { ParsedResource } from './found-resource.ts';

const SYSTEM = 'http://terminology.hl7.org/CodeSystem/v3-ActReason';

/**
 * Says whether a resource is marked as made up: HL7 v3 ActReason HTEST, "test health data", in Resource.meta.tag. One that is
 * not may be somebody's.
 */
export function hasTestTag(resource: Readonly<Record<string, unknown>> | ParsedResource): boolean {
  const { tag } = (resource['meta'] ?? {}) as { tag?: unknown };
  return (
    Array.isArray(tag) &&
    (tag as unknown[]).some((each) => {
      const { system, code } = (each ?? {}) as { system?: unknown; code?: unknown };
      return system === SYSTEM && code === 'HTEST';
    })
  );
}
