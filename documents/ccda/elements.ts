import type { Element } from 'slimdom';

/** The namespace of CDA R2, and the one of the extensions HL7's Structured Documents group added to it. */
export const HL7_V3_NS = 'urn:hl7-org:v3';
export const SDTC_NS = 'urn:hl7-org:sdtc';
const XSI_NS = 'http://www.w3.org/2001/XMLSchema-instance';

/** Returns child elements of CDA's namespace with this local name, in the order of the document. */
export function getChildren(element: Element | undefined, name: string): Element[] {
  return getChildrenNS(element, HL7_V3_NS, name);
}

export function getChild(element: Element | undefined, name: string): Element | undefined {
  return getChildNS(element, HL7_V3_NS, name);
}

/** Returns an `sdtc:` child: `getSdtcChild(patient, 'deceasedInd')`. */
export function getSdtcChild(element: Element | undefined, name: string): Element | undefined {
  return getChildNS(element, SDTC_NS, name);
}

export function getSdtcChildren(element: Element | undefined, name: string): Element[] {
  return getChildrenNS(element, SDTC_NS, name);
}

/** Returns every element at the end of a path of local names: `selectAll(act, 'entryRelationship/observation')`. */
export function selectAll(element: Element | undefined, path: string): Element[] {
  let found = element === undefined ? [] : [element];
  for (const name of path.split('/')) found = found.flatMap((parent) => getChildren(parent, name));
  return found;
}

/** Returns the first element at the end of a path of local names. */
export function selectFirst(element: Element | undefined, path: string): Element | undefined {
  return selectAll(element, path)[0];
}

/** Returns an attribute's trimmed value; undefined where it is absent or empty. */
export function getAttribute(element: Element | undefined, name: string): string | undefined {
  return element?.getAttribute(name)?.trim() || undefined;
}

/** Returns all text of the element with white space collapsed; undefined where nothing is left. */
export function getText(element: Element | undefined): string | undefined {
  return element?.textContent?.replace(/\s+/g, ' ').trim() || undefined;
}

/** Returns the local name in `xsi:type`: "PQ", "IVL_TS". */
export function getXsiType(element: Element | undefined): string | undefined {
  return element?.getAttributeNS(XSI_NS, 'type')?.trim().split(':').pop() || undefined;
}

export function getNullFlavor(element: Element | undefined): string | undefined {
  return getAttribute(element, 'nullFlavor');
}

export const isNegated = (element: Element | undefined): boolean =>
  getAttribute(element, 'negationInd') === 'true';

/** Returns the root OIDs of the element's `templateId`s. */
export function getTemplateIds(element: Element | undefined): string[] {
  return getChildren(element, 'templateId').flatMap((template) => getAttribute(template, 'root') ?? []);
}

export const hasTemplateId = (element: Element | undefined, ...oids: readonly string[]): boolean =>
  getTemplateIds(element).some((oid) => oids.includes(oid));

function getChildrenNS(element: Element | undefined, namespace: string, name: string): Element[] {
  const found: Element[] = [];
  for (let next = element?.firstElementChild ?? null; next !== null; next = next.nextElementSibling)
    if (next.localName === name && next.namespaceURI === namespace) found.push(next);
  return found;
}

function getChildNS(element: Element | undefined, namespace: string, name: string): Element | undefined {
  for (let next = element?.firstElementChild ?? null; next !== null; next = next.nextElementSibling)
    if (next.localName === name && next.namespaceURI === namespace) return next;
  return undefined;
}
