import type { Element } from 'slimdom';
import { attribute, child, children, nullFlavor, textOf } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';
import { period } from './times.ts';

/** CDA's `EntityNameUse` and `TelecommunicationAddressUse` in FHIR's words; what is not here has no word there. */
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
const PLACE_USES = new Map([
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

/** Qualifiers of a name part that FHIR has a place for: a maiden name is a name of its own. */
const MAIDEN = new Set(['BR']);

/** Every `name` of the element; a family name of birth becomes a name of its own, `use: maiden`. */
export function names(element: Element | undefined): FhirObject[] {
  return children(element, 'name')
    .map(humanName)
    .filter((one) => one !== undefined);
}

export function humanName(name: Element | undefined): FhirObject | undefined {
  if (name === undefined || (nullFlavor(name) !== undefined && textOf(name) === undefined)) return undefined;
  const parts = (part: string): string[] => children(name, part).flatMap((one) => textOf(one) ?? []);
  const families = children(name, 'family');
  const isBirth = families.length > 0 && families.every(isOfBirth);
  const family = (isBirth ? families : families.filter((one) => !isOfBirth(one)))
    .flatMap((one) => textOf(one) ?? [])
    .join(' ');
  const given = parts('given');
  const text = family === '' && given.length === 0 ? textOf(name) : undefined;
  if (family === '' && given.length === 0 && text === undefined) return undefined;
  return {
    use: isBirth ? 'maiden' : NAME_USES.get(attribute(name, 'use')?.split(/\s+/)[0] ?? ''),
    text,
    family,
    given,
    prefix: text === undefined ? parts('prefix') : [],
    suffix: text === undefined ? parts('suffix') : [],
    period: period(child(name, 'validTime')),
  };
}

/** A name in the order it is spoken, for `display`. */
export function nameText(element: Element | undefined): string | undefined {
  const name = child(element, 'name');
  if (name === undefined) return undefined;
  const parts = ['prefix', 'given', 'family', 'suffix'].flatMap((part) =>
    children(name, part).flatMap((one) => textOf(one) ?? []),
  );
  return parts.length === 0 ? textOf(name) : parts.join(' ');
}

export function addresses(element: Element | undefined): FhirObject[] {
  return children(element, 'addr')
    .map(address)
    .filter((one) => one !== undefined);
}

function address(addr: Element): FhirObject | undefined {
  const parts = (part: string): string[] => children(addr, part).flatMap((one) => textOf(one) ?? []);
  const line = [
    'streetAddressLine',
    'streetName',
    'houseNumber',
    'unitID',
    'additionalLocator',
    'deliveryAddressLine',
  ].flatMap(parts);
  const known = {
    line,
    city: parts('city')[0],
    district: parts('county')[0],
    state: parts('state')[0],
    postalCode: parts('postalCode')[0],
    country: parts('country')[0],
  };
  const isKnown = line.length > 0 || Object.values(known).some((value) => typeof value === 'string');
  const text = isKnown ? undefined : textOf(addr);
  if (!isKnown && text === undefined) return undefined;
  return {
    use: PLACE_USES.get(attribute(addr, 'use')?.split(/\s+/)[0] ?? ''),
    text,
    ...known,
    period: period(child(addr, 'useablePeriod')),
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

export function telecoms(element: Element | undefined): FhirObject[] {
  return children(element, 'telecom')
    .map(contactPoint)
    .filter((one) => one !== undefined);
}

function contactPoint(telecom: Element): FhirObject | undefined {
  const written = attribute(telecom, 'value');
  if (written === undefined) return undefined;
  const scheme = /^([a-z]+):/i.exec(written)?.[1]?.toLowerCase() ?? '';
  const system = SCHEMES.get(scheme) ?? (written.includes('@') ? 'email' : 'phone');
  const value = system === 'url' ? written : written.replace(/^(?:tel|fax|mailto):/i, '').trim();
  if (value === '') return undefined;
  const uses = attribute(telecom, 'use')?.split(/\s+/) ?? [];
  return { system, value, use: uses.map((use) => PLACE_USES.get(use)).find((use) => use !== undefined) };
}

const isOfBirth = (part: Element): boolean =>
  attribute(part, 'qualifier')
    ?.split(/\s+/)
    .some((one) => MAIDEN.has(one)) ?? false;
