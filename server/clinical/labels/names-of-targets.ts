import { FHIR_RESOURCE_TYPES } from '../../../contract/fhir/fhir-resource-types.ts';
import { readText, toElement, toElements, type Element } from '../entries/element.ts';
import type { ParsedResource } from '../store/found-resource.ts';
import { MAX_NAME_LENGTH } from '../store/identity.ts';
import { formatIdentifier, formatSourceId, isAddress, listSearchedNames } from '../store/references.ts';
import { PART_TYPES } from './nested-resource.ts';
import { listWrittenNames } from './written-names.ts';

/** A visit that a resource names, or who or what took part in what it says. */
export interface NamedTarget {
  /** `Type/id`. */
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

/** Whether a text may have a link: there are many others. */
export const mayLink = (text: string): boolean => /[/?]|%[23]f/i.test(text);

/** Lists what a text names in links or in words: `Type/id`, and the names of what its searches look for. */
export function listLinks(text: string): string[] {
  const { addresses, searched } = listWrittenNames(text);
  return [...addresses, ...searched.map(limit)].filter((name) =>
    LINKED_TYPES.has(/^[A-Za-z]*/.exec(name)?.[0] ?? ''),
  );
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

const REFERENCE_ELEMENTS = new Set(['id', 'extension', 'type', '_type', 'identifier', 'display', '_display']);

/** A reference without a target that is written out: by name, or by identifier. */
export const mayBeReference = (element: Element): boolean =>
  ('display' in element || 'identifier' in element || 'type' in element) &&
  Object.keys(element).every((name) => REFERENCE_ELEMENTS.has(name) || name === 'reference');

/** A reference, written as most do, and the types that it may point to. */
export interface WrittenTarget {
  address: string | null;
  types: readonly string[];
}

/**
 * Lists what a reference that is no `Type/id` means by identifiers and ids, and what may be read in it besides: no address of what is
 * named by its id, of which a search may have thousands.
 */
export function listOtherNames(
  element: Element,
  { address, types }: WrittenTarget,
): { name: string; by: 'identifier' | 'link' }[] {
  const named = new Set(listNamesByIdentifier(element, types));
  const linked = isUnclear(address)
    ? listLinks(address).filter((name) => !named.has(name) && !named.has(name.replace('/', '?_id=')))
    : [];
  return [
    ...[...named].map((name) => ({ name, by: 'identifier' as const })),
    ...linked.map((name) => ({ name, by: 'link' as const })),
  ];
}

/** Whether a reference is written as none is: it leads nowhere, and may mean each address that is in it. */
export const isUnclear = (address: string | null): address is string =>
  address !== null && !isAddress(address);

const VISIT = /^Encounter\/[A-Za-z0-9.-]{1,64}(?=$|\/)/;

/**
 * Lists the visits that a reference means, or may mean where it is written as none is. What anything may be named by is that of a
 * visit only with a system: numbers without one are those of other things too.
 */
export function listNamedVisits(element: Element, { address, types }: WrittenTarget): NamedTarget[] {
  const isAny = types.includes('Resource');
  const written = isUnclear(address) ? listWrittenVisits(address) : [];
  if (!isAny && !types.includes('Encounter')) return written;
  const [reference = null] = VISIT.exec(address ?? '') ?? [];
  const names = listNamesByIdentifier(element, types).filter((name) => !isAny || name.slice(1).includes('|'));
  if (names.length > 0)
    return [
      ...names.map((name) => ({ reference, name })),
      ...written.filter(({ name }) => name !== null && !names.includes(name)),
    ];
  return reference === null || written.length > 0 ? written : [{ reference, name: null }];
}

/** Lists the addresses of some types that a reference may mean which is written as none is. */
export const listWrittenTargets = (address: string, fits: (type: string) => boolean): NamedTarget[] =>
  listWrittenNames(address).addresses.flatMap((reference) => {
    const [type = '', id = ''] = reference.split('/');
    return fits(type) ? { reference, name: formatSourceId(type, id) } : [];
  });

export const listWrittenVisits = (address: string): NamedTarget[] =>
  listWrittenTargets(address, (type) => type === 'Encounter');

/** Whether a name is no address: one by an identifier or by an id at the source. */
export const isSearchedName = (name: string): boolean => /[|?]/.test(name);

/** Returns the type in such a name; empty where it says none, so that it may be of any. */
export const getSearchedType = (name: string): string => name.slice(0, name.search(/[|?]/));

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
