import type { Element } from 'slimdom';
import { getAttribute, getChild, getChildren, getNullFlavor, getText } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';
import { toPeriod } from './times.ts';

/** CDA's `EntityNameUse` and `TelecommunicationAddressUse` as FHIR codes; others have no equivalent. */
const NAME_USES = new Map([
  ['L', 'usual'],
  ['C', 'official'],
  ['A', 'anonymous'],
  ['ASGN', 'usual'],
  ['P', 'nickname'],
  ['I', 'usual'],
  ['R', 'usual'],
  ['BR', 'old'],
]);
const CONTACT_USES = new Map([
  ['H', 'home'],
  ['HP', 'home'],
  ['HV', 'home'],
  ['WP', 'work'],
  ['DIR', 'work'],
  ['PUB', 'work'],
  ['TMP', 'temp'],
  ['BAD', 'old'],
  ['OLD', 'old'],
  ['MC', 'mobile'],
]);

/** Qualifiers of a name part with an equivalent in FHIR: a maiden name is a name of its own. */
const MAIDEN = new Set(['BR']);

/** Converts every `name` of the element; a birth name becomes a name of its own, `use: maiden`. */
export function toHumanNames(element: Element | undefined): FhirObject[] {
  return getChildren(element, 'name')
    .map(toHumanName)
    .filter((one) => one !== undefined);
}

export function toHumanName(name: Element | undefined): FhirObject | undefined {
  if (name === undefined || (getNullFlavor(name) !== undefined && getText(name) === undefined))
    return undefined;
  const getParts = (part: string): string[] => getChildren(name, part).flatMap((one) => getText(one) ?? []);
  const families = getChildren(name, 'family');
  const isBirth = families.length > 0 && families.every(isBirthName);
  const family = (isBirth ? families : families.filter((one) => !isBirthName(one)))
    .flatMap((one) => getText(one) ?? [])
    .join(' ');
  const given = getParts('given');
  const text = family === '' && given.length === 0 ? getText(name) : undefined;
  if (family === '' && given.length === 0 && text === undefined) return undefined;
  return {
    use: isBirth ? 'maiden' : NAME_USES.get(getAttribute(name, 'use')?.split(/\s+/)[0] ?? ''),
    text,
    family,
    given,
    prefix: text === undefined ? getParts('prefix') : [],
    suffix: text === undefined ? getParts('suffix') : [],
    period: toPeriod(getChild(name, 'validTime')),
  };
}

/** Formats a name in the order it is spoken, for `display`. */
export function formatName(element: Element | undefined): string | undefined {
  const name = getChild(element, 'name');
  if (name === undefined) return undefined;
  const parts = ['prefix', 'given', 'family', 'suffix'].flatMap((part) =>
    getChildren(name, part).flatMap((one) => getText(one) ?? []),
  );
  return parts.length === 0 ? getText(name) : parts.join(' ');
}

export function toAddresses(element: Element | undefined): FhirObject[] {
  return getChildren(element, 'addr')
    .map(toAddress)
    .filter((one) => one !== undefined);
}

function toAddress(addr: Element): FhirObject | undefined {
  const getParts = (part: string): string[] => getChildren(addr, part).flatMap((one) => getText(one) ?? []);
  const line = [
    'streetAddressLine',
    'streetName',
    'houseNumber',
    'unitID',
    'additionalLocator',
    'deliveryAddressLine',
  ].flatMap(getParts);
  const known = {
    line,
    city: getParts('city')[0],
    district: getParts('county')[0],
    state: getParts('state')[0],
    postalCode: getParts('postalCode')[0],
    country: getParts('country')[0],
  };
  const isKnown = line.length > 0 || Object.values(known).some((value) => typeof value === 'string');
  const text = isKnown ? undefined : getText(addr);
  if (!isKnown && text === undefined) return undefined;
  return {
    use: CONTACT_USES.get(getAttribute(addr, 'use')?.split(/\s+/)[0] ?? ''),
    text,
    ...known,
    period: toPeriod(getChild(addr, 'useablePeriod')),
  };
}

const SCHEMES = new Map([
  ['tel', 'phone'],
  ['fax', 'fax'],
  ['mailto', 'email'],
  ['http', 'url'],
  ['https', 'url'],
  ['ftp', 'url'],
]);

export function toContactPoints(element: Element | undefined): FhirObject[] {
  return getChildren(element, 'telecom')
    .map(toContactPoint)
    .filter((one) => one !== undefined);
}

function toContactPoint(telecom: Element): FhirObject | undefined {
  const raw = getAttribute(telecom, 'value');
  if (raw === undefined) return undefined;
  const scheme = /^([a-z]+):/i.exec(raw)?.[1]?.toLowerCase() ?? '';
  const system = SCHEMES.get(scheme) ?? (raw.includes('@') ? 'email' : 'phone');
  const value = system === 'url' ? raw : raw.replace(/^(?:tel|fax|mailto):/i, '').trim();
  if (value === '') return undefined;
  const uses = getAttribute(telecom, 'use')?.split(/\s+/) ?? [];
  return { system, value, use: uses.map((use) => CONTACT_USES.get(use)).find((use) => use !== undefined) };
}

const isBirthName = (part: Element): boolean =>
  getAttribute(part, 'qualifier')
    ?.split(/\s+/)
    .some((one) => MAIDEN.has(one)) ?? false;
