import type { Element } from 'slimdom';

/** The namespace of CDA R2, and the one of the extensions HL7's Structured Documents group added to it. */
export const V3 = 'urn:hl7-org:v3';
export const SDTC = 'urn:hl7-org:sdtc';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

/** Child elements of CDA's namespace with this local name, in the order of the document. */
export function children(element: Element | undefined, name: string): Element[] {
  return childrenIn(element, V3, name);
}

export function child(element: Element | undefined, name: string): Element | undefined {
  return childIn(element, V3, name);
}

/** `sdtc:` children: `sdtcChild(patient, 'deceasedInd')`. */
export function sdtcChild(element: Element | undefined, name: string): Element | undefined {
  return childIn(element, SDTC, name);
}

export function sdtcChildren(element: Element | undefined, name: string): Element[] {
  return childrenIn(element, SDTC, name);
}

/** Every element at the end of a path of local names: `all(act, 'entryRelationship/observation')`. */
export function all(element: Element | undefined, path: string): Element[] {
  let found = element === undefined ? [] : [element];
  for (const name of path.split('/')) found = found.flatMap((parent) => children(parent, name));
  return found;
}

/** The first element at the end of a path of local names. */
export function first(element: Element | undefined, path: string): Element | undefined {
  return all(element, path)[0];
}

/** An attribute's value without blanks around it; undefined where it is absent or empty. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  return element?.getAttribute(name)?.trim() || undefined;
}

/** All text below the element, each run of blanks made one space; undefined where nothing is left. */
export function textOf(element: Element | undefined): string | undefined {
  return element?.textContent?.replace(/\s+/g, ' ').trim() || undefined;
}

/** The local name in `xsi:type`: "PQ", "IVL_TS". */
export function typeOf(element: Element | undefined): string | undefined {
  return element?.getAttributeNS(XSI, 'type')?.trim().split(':').pop() || undefined;
}

export function nullFlavor(element: Element | undefined): string | undefined {
  return attribute(element, 'nullFlavor');
}

export const isNegated = (element: Element | undefined): boolean =>
  attribute(element, 'negationInd') === 'true';

/** The root OIDs of the element's `templateId`s. */
export function templatesOf(element: Element | undefined): string[] {
  return children(element, 'templateId').flatMap((template) => attribute(template, 'root') ?? []);
}

export const hasTemplate = (element: Element | undefined, ...oids: readonly string[]): boolean =>
  templatesOf(element).some((oid) => oids.includes(oid));

function childrenIn(element: Element | undefined, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  for (let next = element?.firstElementChild ?? null; next !== null; next = next.nextElementSibling)
    if (next.localName === name && next.namespaceURI === namespace) found.push(next);
  return found;
}

function childIn(element: Element | undefined, namespace: string, name: string): Element | undefined {
  for (let next = element?.firstElementChild ?? null; next !== null; next = next.nextElementSibling)
    if (next.localName === name && next.namespaceURI === namespace) return next;
  return undefined;
}
