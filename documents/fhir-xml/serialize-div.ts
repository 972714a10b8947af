import { serializeToWellFormedString, type Element } from 'slimdom';

export const XHTML = 'http://www.w3.org/1999/xhtml';

/** A narrative's div as the string that FHIR JSON has in its place, its namespace declared on it and without prefixes. */
export function serializeDiv(div: Element): string {
  const hasPrefix = (element: Element): boolean =>
    element.prefix !== null || element.children.some(hasPrefix);
  return serializeToWellFormedString(hasPrefix(div) ? stripPrefixes(div) : div);
}

function stripPrefixes(element: Element): Element {
  const document = element.ownerDocument!;
  const copy = document.createElementNS(element.namespaceURI, element.localName);
  for (const { namespaceURI, name, value } of element.attributes) {
    if (!name.startsWith('xmlns')) copy.setAttributeNS(namespaceURI, name, value);
  }
  for (const child of element.childNodes) {
    copy.appendChild(child.nodeType === 1 ? stripPrefixes(child as Element) : child.cloneNode(true));
  }
  return copy;
}
