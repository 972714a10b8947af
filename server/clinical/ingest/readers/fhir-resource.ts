import { isUtf8 } from 'node:buffer';
import { FHIR_RESOURCE_TYPES } from '../../../../contract/fhir/fhir-resource-types.ts';
import { parseLosslessly } from '../../store/parse-resource.ts';
import { hasMoreValues } from './count-values.ts';
import { ARCHIVE_LIMITS } from '../archive/limits.ts';
import { isSafeNarrative, isSafeText } from './narrative.ts';
import type { ParsedResource } from '../../store/found-resource.ts';
import type { ResourceItem } from '../archive/reader.ts';

/** Where in an upload something lies. */
export interface ResourceLocation {
  path: string;
  /** "entry[3]", "line 12" or "" for the whole member. */
  position: string;
  fullUrl: string | null;
}

/** The resource in exactly these bytes (no white space around), or why it can't be taken. */
export function parseUploadedResource(location: ResourceLocation, bytes: Buffer): ResourceItem {
  if (!isUtf8(bytes)) return createRejection(location, 'not_utf8');
  if (hasMoreValues(bytes, ARCHIVE_LIMITS.values)) return createRejection(location, 'too_many_values');
  const text = bytes.toString('utf8');
  const resource = tryParseJson(text);
  if (resource === undefined) return createRejection(location, 'not_json');
  if (!isResource(resource)) return createRejection(location, 'not_fhir');
  if (!FHIR_RESOURCE_TYPES.has(resource.resourceType))
    return createRejection(location, 'unknown_resource_type');
  // A Bundle's resources are judged one by one when it is taken apart.
  const isStandalone = resource.resourceType !== 'Bundle';
  if (isStandalone && MAY_HOLD_MARKUP.test(text) && !isSafe(resource))
    return createRejection(location, 'unsafe_narrative');
  return { found: { text, resource, fullUrl: location.fullUrl, position: location.position } };
}

const MESSAGES = {
  not_utf8: 'The text is not UTF-8, the only encoding FHIR allows.',
  not_json: 'The JSON is not well-formed or is cut off.',
  not_fhir: 'This is not a FHIR resource: it has no resourceType.',
  unknown_resource_type: 'The resourceType is not one that FHIR R4 (4.0.1) knows.',
  unsafe_narrative: 'A text of the resource holds scripts or markup that FHIR does not allow there.',
  too_deep: 'The JSON is nested deeper than 200 levels.',
  nested_too_deep: 'The Bundle lies inside a Bundle that is itself inside another.',
  resource_too_large: 'The resource is larger than 32 MiB.',
  too_many_values: 'The resource is made of more than 1,000,000 values.',
  unsupported_bundle_type:
    'Bundles of type history, message and subscription-notification report events; they are not a record.',
};

export function createRejection(
  location: Omit<ResourceLocation, 'fullUrl'>,
  code: keyof typeof MESSAGES,
): ResourceItem {
  const path = location.position === '' ? location.path : `${location.path}#${location.position}`;
  return { rejection: { path, code, message: MESSAGES[code] } };
}

/** Undefined when `text` is not JSON, else as `parseLosslessly` says. */
export function tryParseJson(text: string): unknown {
  try {
    return parseLosslessly(text);
  } catch {
    return undefined;
  }
}

function isResource(value: unknown): value is ParsedResource {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    'resourceType' in value &&
    typeof value.resourceType === 'string'
  );
}

/** Without any of these there is nothing to find; an escape may spell or hide any of the letters. */
const MAY_HOLD_MARKUP = /<|script|\\[ubfnrt]/i;

/** `div` is an element of Narrative only, wherever that stands: the resource's, a contained one's, a section's. */
function isSafe(value: unknown, key = ''): boolean {
  if (typeof value === 'string') return key === 'div' ? isSafeNarrative(value) : isSafeText(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((item) => isSafe(item, key));
  return Object.entries(value).every(([key, item]) => isSafe(item, key));
}
