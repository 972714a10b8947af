import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { readText, toElement, toElements, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { MAX_NAME_LENGTH } from '../store/identity.ts';
import { formatIdentifier, formatSourceId, listSearchedNames } from '../store/references.ts';
import { PART_TYPES } from './nested-resource.ts';

/** A visit that a resource names. */
export interface NamedVisit {
  /** `Encounter/id`. */
  reference: string | null;
  /** Its name by an identifier, which counts where the record does not hold what is at the address. */
  name: string | null;
}

/** Types that a link may name: no parts of whatever names them, no Patient, whose address is in every resource. */
const LINKED_TYPES: ReadonlySet<string> = new Set(
  [...FHIR_RESOURCE_TYPES].filter(
    (type) =>
      !PART_TYPES.has(type) && !['Binary', 'Bundle', 'Parameters', 'Patient', 'Person'].includes(type),
  ),
);

const MAX_LINK_LENGTH = 2000;

/** `Condition/1` or a search by the id, also at the end of the address of a server, with a version, a query or a fragment behind it. */
const LINK = /(?:^|\/)([A-Z][A-Za-z]{1,50})(?:\/|\?(?:[^#]*&)?_id=)([A-Za-z0-9.-]{1,64})(?=$|[/?#|&])/g;

/** Whether a text may have a link: there are many others. */
export const mayLink = (text: string): boolean => text.includes('/') || text.includes('?');

/** Returns `Type/id` of the resource that an address names; null for another one. */
export function readLink(text: string): string | null {
  if (!mayLink(text) || text.length > MAX_LINK_LENGTH) return null;
  let found: string | null = null;
  for (const [, type = '', id] of text.trim().matchAll(LINK))
    if (LINKED_TYPES.has(type)) found = `${type}/${id}`;
  return found;
}

const LINK_WITHIN =
  /(?<![A-Za-z0-9])([A-Z][A-Za-z]{1,50})(?:\/|%2[fF]|&#47;|&#x2[fF];|&sol;|\?_id=)([A-Za-z0-9.-]{1,64})/g;

/** Lists `Type/id` of the resources that a narrative names, in its links or its text. */
export function listLinks(narrative: string): string[] {
  const found = new Set<string>();
  for (const [, type = '', id = ''] of narrative.matchAll(LINK_WITHIN))
    // A full stop is that of the sentence, and may be part of the id.
    if (LINKED_TYPES.has(type))
      for (const each of [id, id.replace(/[.-]$/, '')]) found.add(`${type}/${each}`);
  return [...found];
}

/**
 * Lists the names of what a reference means by identifiers: `Condition|system|value`, without the type or the system where the
 * reference says none; by ids: `Condition?_id=7`. A search may name several.
 */
export function listNamesByIdentifier(element: Element, types: readonly string[]): string[] {
  const searched = listSearchedNames(readText(element['reference']) ?? '');
  if (searched.length > 0) return searched.map(limit);
  const identifier = toElement(element['identifier']);
  const value = readText(identifier?.['value']);
  if (value === null) return [];
  const system = readText(identifier?.['system']);
  const [type = ''] = types.length === 1 && types[0] !== 'Resource' ? types : [];
  return [limit(formatIdentifier(type, system === null ? value : `${system}|${value}`))];
}

/** Whether a name is no address: one by an identifier or by an id at the source. */
export const isSearchedName = (name: string): boolean => /[|?]/.test(name);

/** Lists the names by which references without an address may mean a resource, and searches that are linked to nothing. */
export const listSearchableNames = (resource: ParsedResource, sourceId: string): string[] => [
  ...listIdentifierNames(resource),
  limit(formatSourceId(resource.resourceType, sourceId)),
];

/** Lists the names that the identifiers of a resource make. */
export const listIdentifierNames = (resource: ParsedResource): string[] =>
  toElements(resource['identifier']).flatMap((identifier) => {
    const value = readText(identifier['value']);
    if (value === null) return [];
    const system = readText(identifier['system']);
    const tokens = [value, `${system ?? ''}|${value}`];
    return tokens.flatMap((token) =>
      ['', resource.resourceType].map((type) => limit(formatIdentifier(type, token))),
    );
  });

/** Names are stored, in an index. */
const limit = (name: string): string =>
  name.replaceAll('\0', '\ufffd').slice(0, MAX_NAME_LENGTH).toWellFormed();
