import { parseXmlDocument, type Element } from 'slimdom';
import { FHIR_RESOURCE_TYPES } from '../../../../contract/fhir-resource-types.ts';
import { isRecord } from '../../bundle-entries.ts';
import { rejected } from '../../fhir-resource.ts';
import { ARCHIVE_LIMITS } from '../../limits.ts';
import {
  DocumentUnreadable,
  type Conversion,
  type ConversionNotice,
  type DocumentToConvert,
} from '../converter.ts';
import { decodeText } from '../decode-text.ts';
import { FHIR, NotFhirXml, resourceJson } from './resource-json.ts';
import { resourceSlices, type BundleSlice, type EntrySlice, type ResourceSlice } from './resource-slices.ts';

/**
 * FHIR R4 XML, a resource or a Bundle, as FHIR JSON with every digit as it was written. What the definitions of R4 don't
 * know makes its resource rejected, never guessed. Throws DocumentUnreadable.
 */
export function convertFhirXml({ bytes }: DocumentToConvert): Conversion {
  const { text } = decodeText(bytes);
  const { root, failure } = resourceSlices(text);
  if (root === null || (failure !== null && root.bundle === null)) {
    const code = failure ?? 'not_xml';
    throw new DocumentUnreadable(code, MESSAGES[code]);
  }
  const conversion: Conversion = { resources: [], notices: [] };
  convertSlice({ text, conversion }, root, { position: '', fullUrl: null });
  if (failure !== null) conversion.notices.push(noticed('', failure));
  return conversion;
}

const MESSAGES = {
  not_xml: 'The XML is not well-formed or is cut off.',
  doctype_refused:
    'The XML has a document type declaration (DOCTYPE), which may make a reader open other files; it is not read.',
  too_deep: `The XML is nested deeper than ${ARCHIVE_LIMITS.depth} levels.`,
  not_fhir_xml: 'The XML has elements, attributes or values that FHIR R4 (4.0.1) does not know there.',
};

interface Reading {
  text: string;
  conversion: Conversion;
}

interface Spot {
  position: string;
  fullUrl: string | null;
}

function convertSlice(reading: Reading, slice: ResourceSlice, spot: Spot): void {
  const { resources, notices } = reading.conversion;
  if (slice.bundle !== null) convertBundle(reading, slice, spot);
  else if (slice.name === 'Bundle') notices.push(refused(spot.position, 'nested_too_deep'));
  else if (!FHIR_RESOURCE_TYPES.has(slice.name))
    notices.push(refused(spot.position, 'unknown_resource_type'));
  else {
    const json = jsonOf(reading.text, slice);
    if ('code' in json) notices.push(noticed(spot.position, json.code));
    else if (json.text.length > ARCHIVE_LIMITS.resourceBytes)
      notices.push(refused(spot.position, 'resource_too_large'));
    else resources.push({ text: json.text, ...spot });
  }
}

function convertBundle(reading: Reading, slice: ResourceSlice, { position }: Spot): void {
  const { type, entries } = slice.bundle as BundleSlice;
  const { notices } = reading.conversion;
  if (!isRecord(type === null ? undefined : valueOf(type, slice))) {
    notices.push(refused(position, 'unsupported_bundle_type'));
    return;
  }
  for (const [index, entry] of entries.entries()) {
    const place = `${position === '' ? '' : `${position}.`}entry[${index}]`;
    const [resource, ...others] = entry.resources;
    if (others.length > 0) notices.push(noticed(place, 'not_fhir_xml'));
    else if (resource) convertSlice(reading, resource, { position: place, fullUrl: urlOf(entry, slice) });
    // An entry that only asks (DELETE) or answers (transaction-response) brings nothing to a record.
    else if (entry.whole && !entry.asks) notices.push(refused(place, 'not_fhir'));
  }
}

const urlOf = ({ fullUrl }: EntrySlice, bundle: ResourceSlice): string | null =>
  fullUrl === null ? null : valueOf(fullUrl, bundle);

function jsonOf(text: string, slice: ResourceSlice): { text: string } | { code: 'not_xml' | 'not_fhir_xml' } {
  const element = parsed(text.slice(slice.from, slice.to), slice);
  if (element === null) return { code: 'not_xml' };
  try {
    return { text: JSON.stringify(resourceJson(element)) };
  } catch (error) {
    if (error instanceof NotFhirXml) return { code: 'not_fhir_xml' };
    throw error;
  }
}

/** The `value` of one element of a Bundle; null where it has none. */
function valueOf(xml: string, bundle: ResourceSlice): string | null {
  const element = parsed(xml, bundle);
  return element?.namespaceURI === FHIR ? element.getAttribute('value') : null;
}

/** One element, under the namespaces that are declared around it; null where it is not well-formed. */
function parsed(xml: string, { declarations }: ResourceSlice): Element | null {
  const byName = new Map(declarations.map((declaration) => [declaration.split('=')[0]!.trim(), declaration]));
  try {
    const { documentElement } = parseXmlDocument(`<_ ${[...byName.values()].join(' ')}>${xml}</_>`);
    return documentElement?.firstElementChild ?? null;
  } catch {
    return null;
  }
}

const noticed = (position: string, code: keyof typeof MESSAGES): ConversionNotice => ({
  position,
  code,
  message: MESSAGES[code],
});

/** In the same words as of JSON. */
function refused(position: string, code: Parameters<typeof rejected>[1]): ConversionNotice {
  const finding = rejected({ path: '', position: '' }, code);
  const message = 'rejection' in finding ? finding.rejection.message : '';
  return { position, code, message };
}
