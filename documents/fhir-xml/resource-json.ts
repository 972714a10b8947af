import { serializeToWellFormedString, type Element } from 'slimdom';
import { FHIR_RESOURCE_TYPES } from '../../contract/fhir/fhir-resource-types.ts';
import { findElementType, isPrimitive } from './element-types.ts';

/** The XML is not FHIR R4: it has an element, an attribute or a value that R4 doesn't know or doesn't allow there. */
export class FhirXmlError extends Error {}

export const FHIR = 'http://hl7.org/fhir';
const XHTML = 'http://www.w3.org/1999/xhtml';

interface JsonObject {
  [key: string]: unknown;
}

/** Builds the JSON of a resource (FHIR R4 §2.6.2, "JSON Representation of Resources"). Throws FhirXmlError. */
export function buildResourceJson(element: Element): JsonObject {
  if (element.namespaceURI !== FHIR) throw new FhirXmlError();
  return { resourceType: element.localName, ...buildComplexJson(element, element.localName) };
}

function buildComplexJson(element: Element, type: string): JsonObject {
  const object: JsonObject = readAttributes(element, type === 'Extension' ? ['id', 'url'] : ['id']);
  const lists = new Map<string, PrimitiveJson[]>();
  for (const child of listChildElements(element)) {
    const name = child.localName;
    const definition = findElementType(type, name);
    if (definition === null || child.namespaceURI !== (definition.type === 'xhtml' ? XHTML : FHIR))
      throw new FhirXmlError();
    if (!definition.list && (Object.hasOwn(object, name) || Object.hasOwn(object, `_${name}`)))
      throw new FhirXmlError();
    if (definition.type === 'xhtml') object[name] = serializeDiv(child);
    else if (!isPrimitive(definition.type))
      addElement(object, name, { list: definition.list, value: buildValue(child, definition.type) });
    else if (definition.list)
      appendInOrder(object, lists, { name, item: buildPrimitiveJson(child, definition.type) });
    else assignPrimitive(object, name, buildPrimitiveJson(child, definition.type));
  }
  for (const [name, items] of lists) assignList(object, name, items);
  return object;
}

function buildValue(element: Element, type: string): JsonObject {
  if (type !== 'Resource') return buildComplexJson(element, type);
  readAttributes(element, []);
  const [resource, ...others] = listChildElements(element);
  if (resource === undefined || others.length > 0 || !FHIR_RESOURCE_TYPES.has(resource.localName))
    throw new FhirXmlError();
  return buildResourceJson(resource);
}

/** Adds an element; one without content is left out, since JSON cannot express it. */
function addElement(
  object: JsonObject,
  name: string,
  { list, value }: { list: boolean; value: JsonObject },
): void {
  if (Object.keys(value).length === 0) return;
  if (!list) object[name] = value;
  else if (Array.isArray(object[name])) object[name].push(value);
  else object[name] = [value];
}

interface PrimitiveJson {
  value: unknown;
  /** Its id and extensions, which JSON writes under the name with a `_` before it. */
  extra: JsonObject | null;
}

function buildPrimitiveJson(element: Element, type: string): PrimitiveJson {
  const { value, ...rest } = readAttributes(element, ['id', 'value']);
  const extra: JsonObject = rest;
  for (const child of listChildElements(element)) {
    if (child.localName !== 'extension' || child.namespaceURI !== FHIR) throw new FhirXmlError();
    addElement(extra, 'extension', { list: true, value: buildComplexJson(child, 'Extension') });
  }
  const converted = value === undefined ? undefined : parsePrimitive(value, type);
  if (converted === null) throw new FhirXmlError();
  return { value: converted, extra: Object.keys(extra).length > 0 ? extra : null };
}

/** FHIR R4 §2.24.0.1; each is a number as JSON writes it, too. */
const NUMBERS = new Map([
  ['decimal', /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/],
  ['integer', /^-?(?:0|[1-9][0-9]*)$/],
  ['unsignedInt', /^(?:0|[1-9][0-9]*)$/],
  ['positiveInt', /^[1-9][0-9]*$/],
]);

/** Returns the JSON value of a primitive, its digits unchanged; null where the type doesn't have that value. */
function parsePrimitive(written: string, type: string): unknown {
  const number = NUMBERS.get(type);
  if (number) {
    // XML Schema collapses white space around numbers, and FHIR lets a positiveInt begin with a plus.
    const digits = written.trim().replace(/^\+(?=[1-9])/, '');
    return number.test(digits) ? JSON.rawJSON(digits) : null;
  }
  if (type !== 'boolean') return written;
  const word = written.trim();
  return word === 'true' || word === 'false' ? word === 'true' : null;
}

function assignPrimitive(object: JsonObject, name: string, { value, extra }: PrimitiveJson): void {
  if (value !== undefined) object[name] = value;
  if (extra !== null) object[`_${name}`] = extra;
}

/**
 * Appends to a list. JSON writes keys in the order in which they were first set, so the key is set before the list is
 * complete.
 */
function appendInOrder(
  object: JsonObject,
  lists: Map<string, PrimitiveJson[]>,
  { name, item }: { name: string; item: PrimitiveJson },
): void {
  if (item.value === undefined && item.extra === null) return;
  object[name] ??= undefined;
  const list = lists.get(name);
  if (list) list.push(item);
  else lists.set(name, [item]);
}

/** Assigns both arrays with the same length, `null` where one has no item (§2.6.2.3). */
function assignList(object: JsonObject, name: string, items: readonly PrimitiveJson[]): void {
  if (items.some(({ value }) => value !== undefined)) object[name] = items.map(({ value }) => value ?? null);
  if (items.some(({ extra }) => extra !== null)) object[`_${name}`] = items.map(({ extra }) => extra);
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

function readAttributes(element: Element, allowed: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { namespaceURI, localName, value } of element.attributes) {
    // Namespaces and schema locations are no content of the resource.
    if (namespaceURI === XMLNS || namespaceURI === XSI) continue;
    if (namespaceURI !== null || !allowed.includes(localName)) throw new FhirXmlError();
    found[localName] = value;
  }
  return found;
}

const ELEMENT = 1;
const TEXT = 3;
const CDATA = 4;

/** Lists child elements. FHIR holds its values in attributes: text between elements is not FHIR. */
function listChildElements(element: Element): Element[] {
  const elements: Element[] = [];
  for (const node of element.childNodes) {
    if (node.nodeType === ELEMENT) elements.push(node as Element);
    else if ((node.nodeType === TEXT || node.nodeType === CDATA) && node.nodeValue!.trim() !== '')
      throw new FhirXmlError();
  }
  return elements;
}

/** Serializes a narrative's div as FHIR JSON has it: its namespace declared on it and without prefixes. */
function serializeDiv(div: Element): string {
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
