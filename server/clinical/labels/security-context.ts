import { isRelative, readReference } from '../entries/reference-text.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { SHARED_TYPES } from './shared-types.ts';

/**
 * Whom a Binary is about and who did it are no content that it belongs to, though senders name them: it says nothing of the
 * patient's other records. Of a visit it has the classes as any other fact, and a visit not those of one of its facts.
 */
const NO_CONTENT: ReadonlySet<string> = new Set([
  ...SHARED_TYPES,
  ...'Binary CareTeam Encounter Group RelatedPerson'.split(' '),
]);

/** Returns `Type/id` of what stands in for a Binary where access to it is decided (FHIR R4, Binary.securityContext); null: none. */
export function readSecurityContext(resource: ParsedResource): string | null {
  if (resource.resourceType !== 'Binary') return null;
  const reference = readReference(resource['securityContext']);
  if (reference === null || !isRelative(reference)) return null;
  return NO_CONTENT.has(reference.slice(0, reference.indexOf('/'))) ? null : reference;
}
