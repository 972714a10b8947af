import type { Element } from 'slimdom';
import { uriOf } from './code-systems.ts';
import { attribute, children, nullFlavor } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';

/** Identifier systems with an address of their own; the others are named by OID. */
const SYSTEMS = new Map([
  ['2.16.840.1.113883.4.6', 'http://hl7.org/fhir/sid/us-npi'],
  ['2.16.840.1.113883.4.1', 'http://hl7.org/fhir/sid/us-ssn'],
  ['2.16.840.1.113883.4.572', 'http://hl7.org/fhir/sid/us-medicare'],
  ['2.16.840.1.113883.4.927', 'http://hl7.org/fhir/sid/us-mbi'],
]);

/** One `II`: root and extension give system and value; a root alone is itself the value (C-CDA on FHIR, Identifiers). */
export function identifier(id: Element): FhirObject | undefined {
  const root = attribute(id, 'root');
  const extension = attribute(id, 'extension');
  const assigner = attribute(id, 'assigningAuthorityName');
  if (nullFlavor(id) !== undefined && extension === undefined) return undefined;
  const system = root === undefined ? undefined : (SYSTEMS.get(root) ?? uriOf(root));
  if (extension !== undefined)
    return { system, value: extension, assigner: assigner === undefined ? undefined : { display: assigner } };
  return system?.startsWith('urn:') ? { system: 'urn:ietf:rfc:3986', value: system } : undefined;
}

export function identifiers(element: Element | undefined): FhirObject[] {
  return children(element, 'id')
    .map(identifier)
    .filter((one) => one !== undefined);
}

/** Root and extension of every `id` as one text each, to tell whether two elements name the same thing. */
export function idKeys(element: Element | undefined): string[] {
  return children(element, 'id').flatMap((id) => {
    const root = attribute(id, 'root');
    const extension = attribute(id, 'extension');
    return nullFlavor(id) !== undefined || (root === undefined && extension === undefined)
      ? []
      : [`${root ?? ''}|${extension ?? ''}`];
  });
}
