import type { Element } from 'slimdom';
import { attribute, child } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import type { Placed } from '../resource-list.ts';

/** v3 Confidentiality that asks for more care than a record has anyway: `N` normal, `L` and `U` ask for less. */
const NAMES = new Map([
  ['R', 'restricted'],
  ['V', 'very restricted'],
]);

/** `securityLabel` of the document, whatever it is. */
export function securityLabel(root: Element): FhirObject | undefined {
  const code = attribute(child(root, 'confidentialityCode'), 'code');
  return code === undefined
    ? undefined
    : { system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality', code, display: NAMES.get(code) };
}

/** CDA R2 §4.2.2.5: confidentiality said of the document holds for everything in it. */
export function secured(root: Element, placed: readonly Placed[]): Placed[] {
  const label = securityLabel(root);
  if (label === undefined || !NAMES.has(label['code'] as string)) return [...placed];
  return placed.map(({ resource, position }) => {
    const { resourceType, id, ...content } = resource;
    return { resource: { resourceType, id, meta: { security: [label] }, ...content }, position };
  });
}
