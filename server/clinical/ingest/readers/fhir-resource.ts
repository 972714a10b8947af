import { isUtf8 } from 'node:buffer';
import { FHIR_RESOURCE_TYPES } from '../../../../contract/fhir/fhir-resource-types.ts';
import { parseLosslessly } from '../../store/parse-resource.ts';
import { hasRepeatedMember } from '../../store/repeated-members.ts';
import { hasMoreValues } from './count-values.ts';
import { RESOURCE_LIMITS } from '../../../../documents/fhir/resource-limits.ts';
import {
  RESOURCE_REJECTIONS,
  type ResourceRejectionCode,
} from '../../../../documents/fhir/resource-rejections.ts';
import { cleanNarratives } from './clean-narratives.ts';
import { isContainer } from './parameters.ts';
import type { FoundResource, ParsedResource } from '../../store/found-resource.ts';
import type { Rejection } from '../archive/member.ts';

/** A resource, or why there is none. */
export type ResourceItem = { found: FoundResource } | { rejection: Rejection };

/** A position in an upload. */
export interface ResourceLocation {
  path: string;
  /** "entry[3]", "line 12" or "" for the whole member. */
  position: string;
  fullUrl: string | null;
}

/**
 * Parses the resource in exactly these bytes (no white space around), or returns why it is rejected; of one whose narrative
 * is not kept as it came both.
 */
export function parseUploadedResource(location: ResourceLocation, bytes: Buffer): ResourceItem[] {
  const text = decode(bytes);
  if (text === null) return [createRejection(location, 'not_utf8')];
  if (hasMoreValues(bytes, RESOURCE_LIMITS.values)) return [createRejection(location, 'too_many_values')];
  const resource = tryParseJson(text);
  if (resource === undefined) return [createRejection(location, 'not_json')];
  if (!isResource(resource)) return [createRejection(location, 'not_fhir')];
  if (!FHIR_RESOURCE_TYPES.has(resource.resourceType))
    return [createRejection(location, 'unknown_resource_type')];
  // The resources of a Bundle and of Parameters are checked one by one when it is split.
  const isStandalone = !isContainer(resource);
  // Its labels would be made of the last of two members, and both would be given out.
  if (isStandalone && hasRepeatedMember(text, resource))
    return [createRejection(location, 'repeated_member')];
  const cleaned = isStandalone ? cleanNarratives(text, resource) : null;
  if (cleaned === null) return [toFound(location, text, resource)];
  if (Buffer.byteLength(cleaned) > RESOURCE_LIMITS.bytes)
    return [createRejection(location, 'resource_too_large')];
  return [
    toFound(location, cleaned, parseLosslessly(cleaned) as ParsedResource),
    createRejection(location, 'unsafe_narrative'),
  ];
}

function toFound(
  { fullUrl, position }: ResourceLocation,
  text: string,
  resource: ParsedResource,
): ResourceItem {
  // No address has a NUL, and no database text.
  return { found: { text, resource, fullUrl: fullUrl?.includes('\0') ? null : fullUrl, position } };
}

/** A character of several bytes in UTF-8, or a byte that windows-1252 has no letter for. */
const NOT_WINDOWS_1252 =
  /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|[\x81\x8d\x8f\x90\x9d]/;

/** Decodes UTF-8, or windows-1252 where nothing looks like UTF-8 that was damaged; returns null for anything else. */
function decode(bytes: Buffer): string | null {
  if (isUtf8(bytes)) return bytes.toString('utf8');
  return NOT_WINDOWS_1252.test(bytes.toString('latin1'))
    ? null
    : new TextDecoder('windows-1252').decode(bytes);
}

export function createRejection(
  location: Omit<ResourceLocation, 'fullUrl'>,
  code: ResourceRejectionCode,
): ResourceItem {
  const path = location.position === '' ? location.path : `${location.path}#${location.position}`;
  return { rejection: { path, code, message: RESOURCE_REJECTIONS[code] } };
}

/** Parses as `parseLosslessly` does; returns undefined when `text` is not JSON. */
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
