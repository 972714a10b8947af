import type { Element } from 'slimdom';
import { toUri } from './code-systems.ts';
import { getAttribute, getChildren, getNullFlavor } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';

/** Identifier systems with a URI of their own; the others are named by OID. */
const SYSTEMS = new Map([
  ['2.16.840.1.113883.4.6', 'http://hl7.org/fhir/sid/us-npi'],
  ['2.16.840.1.113883.4.1', 'http://hl7.org/fhir/sid/us-ssn'],
  ['2.16.840.1.113883.4.572', 'http://hl7.org/fhir/sid/us-medicare'],
  ['2.16.840.1.113883.4.927', 'http://hl7.org/fhir/sid/us-mbi'],
]);

/** Converts an `II`: root and extension give system and value; a root alone is the value (C-CDA on FHIR, Identifiers). */
export function toIdentifier(id: Element): FhirObject | undefined {
  const root = getAttribute(id, 'root');
  const extension = getAttribute(id, 'extension');
  const assigner = getAttribute(id, 'assigningAuthorityName');
  if (getNullFlavor(id) !== undefined && extension === undefined) return undefined;
  const system = root === undefined ? undefined : (SYSTEMS.get(root) ?? toUri(root));
  if (extension !== undefined)
    return { system, value: extension, assigner: assigner === undefined ? undefined : { display: assigner } };
  return system?.startsWith('urn:') ? { system: 'urn:ietf:rfc:3986', value: system } : undefined;
}

export function toIdentifiers(element: Element | undefined): FhirObject[] {
  return getChildren(element, 'id')
    .map(toIdentifier)
    .filter((one) => one !== undefined);
}

/** Returns root and extension of every `id` as one string each, to compare the identifiers of two elements. */
export function getIdKeys(element: Element | undefined): string[] {
  return getChildren(element, 'id').flatMap((id) => {
    const root = getAttribute(id, 'root');
    const extension = getAttribute(id, 'extension');
    return getNullFlavor(id) !== undefined || (root === undefined && extension === undefined)
      ? []
      : [`${root ?? ''}|${extension ?? ''}`];
  });
}
