import type { ParsedResource } from '../store/found-resource.ts';
import type { Element } from './element.ts';
import { readNewerVersion } from './newer-version.ts';
import { readOlderVersion } from './older-version.ts';

/** Whether a resource has elements of an older version of FHIR, by which it says something else than by those of R4. */
export const isOfOlderVersion = (resource: ParsedResource): boolean => readOlderVersion(resource) !== null;

/** Whether a resource has elements of R5 that say what R4 says elsewhere. */
export const isOfNewerVersion = (resource: ParsedResource): boolean => readNewerVersion(resource) !== null;

/** Returns the resource as R4 would say it; itself, where it has no element of another version. */
export function readAsR4<R extends Element>(resource: R): R {
  const newer = readNewerVersion(resource);
  const older = readOlderVersion(resource);
  return newer === null && older === null ? resource : { ...resource, ...newer, ...older };
}
