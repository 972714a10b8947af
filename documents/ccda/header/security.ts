import type { Element } from 'slimdom';
import { getAttribute, getChild } from '../elements.ts';
import type { FhirObject } from '../fhir-values.ts';
import type { PositionedResource } from '../resource-list.ts';

/** v3 Confidentiality above `N`, normal; `L` and `U` are below. */
const RESTRICTED_LABELS = new Map([
  ['R', 'restricted'],
  ['V', 'very restricted'],
]);

/** Returns the `securityLabel` of the document. */
export function toSecurityLabel(root: Element): FhirObject | undefined {
  const code = getAttribute(getChild(root, 'confidentialityCode'), 'code');
  return code === undefined
    ? undefined
    : {
        system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality',
        code,
        display: RESTRICTED_LABELS.get(code),
      };
}

/** Applies the confidentiality of the document to everything in it (CDA R2 §4.2.2.5). */
export function applySecurityLabel(
  root: Element,
  items: readonly PositionedResource[],
): PositionedResource[] {
  const label = toSecurityLabel(root);
  if (label === undefined || !RESTRICTED_LABELS.has(label['code'] as string)) return [...items];
  return items.map(({ resource, position }) => {
    const { resourceType, id, ...content } = resource;
    return { resource: { resourceType, id, meta: { security: [label] }, ...content }, position };
  });
}
