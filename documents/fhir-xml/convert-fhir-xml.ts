import { parseXmlDocument, type Element } from 'slimdom';
import { FHIR_RESOURCE_TYPES } from '../../contract/fhir/fhir-resource-types.ts';
import { REFUSAL_MESSAGES } from '../detect-document-kind.ts';
import { isRecordBundle, RESOURCE_LIMITS } from '../fhir/resource-limits.ts';
import { RESOURCE_REJECTIONS, type ResourceRejectionCode } from '../fhir/resource-rejections.ts';
import {
  DocumentError,
  type Conversion,
  type ConversionNotice,
  type ConvertedBundle,
  type DocumentToConvert,
} from '../converter.ts';
import { MAX_ATTRIBUTES } from '../xml/scan.ts';
import { decodeText } from '../text/decode-text.ts';
import { FHIR, FhirXmlError, buildResourceJson } from './resource-json.ts';
import { sliceResources, type BundleSlice, type EntrySlice, type ResourceSlice } from './resource-slices.ts';

/**
 * Converts FHIR R4 XML, a resource or a Bundle, into FHIR JSON with every digit as it was written. A resource with
 * anything that the definitions of R4 don't know is rejected, never guessed. Throws DocumentError.
 */
export function convertFhirXml({ bytes }: DocumentToConvert): Conversion {
  const { text } = decodeText(bytes);
  const { root, failure } = sliceResources(text);
  if (root === null || (failure !== null && root.bundle === null)) {
    const code = failure ?? 'not_xml';
    throw new DocumentError(code, MESSAGES[code]);
  }
  const conversion: Conversion = { resources: [], notices: [] };
  convertSlice({ text, conversion }, root, { position: '', fullUrl: null });
  if (failure !== null) conversion.notices.push(createNotice('', failure));
  return conversion;
}

const MESSAGES = {
  not_xml: 'The XML is not well-formed or is cut off.',
  doctype_refused: REFUSAL_MESSAGES.doctype_refused,
  too_deep: `The XML is nested deeper than ${RESOURCE_LIMITS.depth} levels.`,
  too_many_attributes: `An element of the XML has more than ${MAX_ATTRIBUTES} attributes.`,
  not_fhir_xml: 'The XML has elements, attributes or values that FHIR R4 (4.0.1) does not know there.',
};

interface ConversionContext {
  text: string;
  conversion: Conversion;
}

interface ResourceLocation {
  position: string;
  fullUrl: string | null;
  isServerMessage?: boolean;
}

function convertSlice(context: ConversionContext, slice: ResourceSlice, location: ResourceLocation): void {
  const { resources, notices } = context.conversion;
  if (slice.bundle !== null) convertBundle(context, slice, location);
  else if (slice.name === 'Bundle') notices.push(createRejectionNotice(location.position, 'nested_too_deep'));
  else if (!FHIR_RESOURCE_TYPES.has(slice.name))
    notices.push(createRejectionNotice(location.position, 'unknown_resource_type'));
  else {
    const json = serializeSlice(context.text, slice);
    if ('code' in json) notices.push(createNotice(location.position, json.code));
    else if (json.text.length > RESOURCE_LIMITS.bytes)
      notices.push(createRejectionNotice(location.position, 'resource_too_large'));
    else resources.push({ text: json.text, ...location });
  }
}

function convertBundle(
  context: ConversionContext,
  slice: ResourceSlice,
  { position }: ResourceLocation,
): void {
  const { type, meta, entries } = slice.bundle as BundleSlice;
  const { notices } = context.conversion;
  const bundleType = type === null ? undefined : readValue(type, slice);
  if (!isRecordBundle(bundleType)) {
    notices.push(createRejectionNotice(position, 'unsupported_bundle_type'));
    return;
  }
  (context.conversion.bundles ??= []).push({
    position,
    isDocument: bundleType === 'document',
    security: readSecurity(meta, slice),
  });
  for (const [index, bundleEntry] of entries.entries()) {
    const entryPosition = `${position === '' ? '' : `${position}.`}entry[${index}]`;
    const [resource, ...others] = bundleEntry.resources;
    if (others.length > 0) notices.push(createNotice(entryPosition, 'not_fhir_xml'));
    else if (resource) {
      const location = { position: entryPosition, fullUrl: readFullUrl(bundleEntry, slice) };
      const isServerMessage = resource.name === 'OperationOutcome' && isOutcome(bundleEntry, slice);
      convertSlice(context, resource, { ...location, ...(isServerMessage && { isServerMessage }) });
    }
    // An entry with only another request or a response (transaction-response) adds nothing to a record.
    else if (isDeletion(bundleEntry, slice))
      notices.push(createRejectionNotice(entryPosition, 'deletion_not_applied'));
    else if (bundleEntry.isComplete && !bundleEntry.hasRequest)
      notices.push(createRejectionNotice(entryPosition, 'not_fhir'));
  }
}

/** Reads the labels in `meta` of a Bundle. */
function readSecurity(meta: string | null, bundle: ResourceSlice): ConvertedBundle['security'] {
  const element = meta === null ? null : parseElement(meta, bundle);
  const readChild = (label: Element, name: string): string | null =>
    label.children.find(({ localName }) => localName === name)?.getAttribute('value') ?? null;
  return (element?.children ?? [])
    .filter(({ localName }) => localName === 'security')
    .map((label) => ({ system: readChild(label, 'system'), code: readChild(label, 'code') }));
}

/** Whether an entry is about the search that its Bundle answers, and no match of it (FHIR R4 SearchEntryMode). */
const isOutcome = ({ search }: EntrySlice, bundle: ResourceSlice): boolean =>
  readMember(search, 'mode', bundle) === 'outcome';

const isDeletion = ({ request }: EntrySlice, bundle: ResourceSlice): boolean =>
  readMember(request, 'method', bundle) === 'DELETE';

/** Returns the `value` of a child of one element of an entry; null where there is none. */
function readMember(xml: string | null, name: string, bundle: ResourceSlice): string | null {
  const element = xml === null ? null : parseElement(xml, bundle);
  const child = element?.children.find(({ localName }) => localName === name);
  return child?.namespaceURI === FHIR ? child.getAttribute('value') : null;
}

const readFullUrl = ({ fullUrl }: EntrySlice, bundle: ResourceSlice): string | null =>
  fullUrl === null ? null : readValue(fullUrl, bundle);

function serializeSlice(
  text: string,
  slice: ResourceSlice,
): { text: string } | { code: 'not_xml' | 'not_fhir_xml' } {
  const element = parseElement(text.slice(slice.from, slice.to), slice);
  if (element === null) return { code: 'not_xml' };
  try {
    return { text: JSON.stringify(buildResourceJson(element)) };
  } catch (error) {
    if (error instanceof FhirXmlError) return { code: 'not_fhir_xml' };
    throw error;
  }
}

/** Returns the `value` of one element of a Bundle; null where it has none. */
function readValue(xml: string, bundle: ResourceSlice): string | null {
  const element = parseElement(xml, bundle);
  return element?.namespaceURI === FHIR ? element.getAttribute('value') : null;
}

/** Parses one element under the namespaces that are declared around it; returns null where it is not well-formed. */
function parseElement(xml: string, { declarations }: ResourceSlice): Element | null {
  const byName = new Map(declarations.map((declaration) => [declaration.split('=')[0]!.trim(), declaration]));
  try {
    const { documentElement } = parseXmlDocument(`<_ ${[...byName.values()].join(' ')}>${xml}</_>`);
    return documentElement?.firstElementChild ?? null;
  } catch {
    return null;
  }
}

const createNotice = (position: string, code: keyof typeof MESSAGES): ConversionNotice => ({
  position,
  code,
  message: MESSAGES[code],
});

const createRejectionNotice = (position: string, code: ResourceRejectionCode): ConversionNotice => ({
  position,
  code,
  message: RESOURCE_REJECTIONS[code],
});
