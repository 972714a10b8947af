import { findClinicalPeriod } from '../../entries/clinical-period.ts';
import { getPath, readText, readTexts, toElement, toElements } from '../../entries/element.ts';
import type { ParsedResource } from '../../store/found-resource.ts';

/** What says of two resources of one type and id whether they are one. */
export interface Likeness {
  /** `system|code` of what the resource is about. */
  codes: readonly string[];
  /** Its names, as they are compared. */
  names: readonly string[];
  /** `system|value` of the resource's own identifiers. */
  identifiers: readonly string[];
  /** `meta.source`, without the request that HAPI adds to it. */
  source: string | null;
  /** The organization that it is of, by name. */
  organization: string | null;
  /** The first day of its care; null where it has none. */
  day: string | null;
  /** What was measured, as JSON; null where nothing was. */
  value: string | null;
}

export type Verdict = 'same' | 'other' | 'unclear';

/** Elements that say what a resource is about: a correction leaves them, another fact has others. */
const CONCEPTS = ['code', 'vaccineCode', 'medicationCodeableConcept'];
/** Types that have none of these, and are distinguished by their type. */
const TYPED = new Set(['Composition', 'Device', 'DocumentReference', 'Encounter', 'Specimen']);
/** Types that are distinguished by their name. */
const NAMED = new Set(['HealthcareService', 'Location', 'Organization', 'Practitioner', 'RelatedPerson']);
const ORGANIZATIONS = ['managingOrganization', 'serviceProvider', 'custodian'];

/** More of them say nothing more. */
const MAX_MEMBERS = 20;
const MAX_LENGTH = 200;

/** Reads of a resource by what it is compared with another of its type and id. */
export function readLikeness(resource: ParsedResource): Likeness {
  const { resourceType: type } = resource;
  const concepts = [...CONCEPTS, ...(TYPED.has(type) ? ['type'] : [])].flatMap((name) =>
    toElements(resource[name]).slice(0, 1),
  );
  const codings = concepts.flatMap(({ coding }) => toElements(coding)).slice(0, MAX_MEMBERS);
  const texts = [...concepts, ...codings].flatMap(({ text, display }) => [
    ...readTexts(text),
    ...readTexts(display),
  ]);
  const { first } = findClinicalPeriod(resource);
  return {
    codes: codings.flatMap(({ system, code }) => formatToken(system, code)),
    names: [...texts, ...(NAMED.has(type) ? listNames(resource['name']) : [])].flatMap(normalizeName),
    identifiers: toElements(resource['identifier'])
      .slice(0, MAX_MEMBERS)
      .flatMap(({ system, value }) => formatToken(system, value)),
    source:
      readText(getPath(resource, 'meta', 'source'))
        ?.split('#', 1)[0]
        ?.slice(0, MAX_LENGTH) || null,
    organization: findOrganization(resource),
    day: /^\d/.test(first) ? first : null,
    value: findValue(resource),
  };
}

const findValue = (resource: ParsedResource): string | null => {
  const name = Object.keys(resource).find((key) => key.startsWith('value'));
  return name === undefined ? null : JSON.stringify(resource[name]).slice(0, MAX_LENGTH);
};

/** Names of an organization or place, or of a person by parts or text. */
const listNames = (name: unknown): string[] => [
  ...(typeof name === 'string' ? [name] : []),
  ...toElements(name).flatMap(({ text, given, family }) => [
    ...readTexts(text),
    [...readTexts(given), ...readTexts(family)].join(' '),
  ]),
];

const findOrganization = (resource: ParsedResource): string | null =>
  ORGANIZATIONS.flatMap((name) => {
    const display = readText(toElement(resource[name])?.['display']);
    return display === null ? [] : normalizeName(display);
  })[0] ?? null;

const formatToken = (system: unknown, code: unknown): string[] => {
  const value = readText(code);
  return value === null ? [] : [`${readText(system) ?? ''}|${value}`.slice(0, MAX_LENGTH)];
};

/** Numbers count versions and copies. */
function normalizeName(text: string): string[] {
  const words = text
    .slice(0, MAX_LENGTH)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  const unnumbered = words.replace(/(?<=^| )\d+(?: |$)/g, '').trim();
  return words === '' ? [] : [unnumbered || words];
}

/**
 * Says whether two resources of one type and id are one: a later state of the first has what it is about, its identifiers, and
 * where it is from in common with it; those that another system happens to give the same id have not. The person is the same
 * at every system, and numbered by the state at each: a Patient can only show that two systems differ.
 */
export function compareLikeness(type: string, one: Likeness, other: Likeness): Verdict {
  const byIdentifier = compareSets(one.identifiers, other.identifiers);
  if (type === 'Patient' || type === 'Person') return byIdentifier === 'same' ? 'unclear' : byIdentifier;
  if (byIdentifier !== 'unclear') return byIdentifier;
  if (differ(one.source, other.source) || differ(one.organization, other.organization)) return 'other';
  const byName = compareNames(one, other);
  if (byName !== 'same') return byName;
  return one.day !== null && one.day === other.day ? 'same' : 'unclear';
}

function compareSets(one: readonly string[], other: readonly string[]): Verdict {
  if (one.length === 0 || other.length === 0) return 'unclear';
  return one.some((each) => other.includes(each)) ? 'same' : 'other';
}

/** "Clinic A" may be "Clinic A Ltd." today. */
const differ = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && !contains(one, other);

function compareNames(one: Likeness, other: Likeness): Verdict {
  if (compareSets(one.codes, other.codes) === 'same') return 'same';
  if (one.names.some((name) => other.names.some((theirs) => contains(name, theirs)))) return 'same';
  const areCoded = compareSets(one.codes.map(getSystem), other.codes.map(getSystem)) === 'same';
  if (areCoded) return 'other';
  // Words alone are corrected too: "old" may be "new". With another value, or of another day, they are of something else.
  const areNamed = one.names.length > 0 && other.names.length > 0;
  return areNamed && (differs(one.value, other.value) || differs(one.day, other.day)) ? 'other' : 'unclear';
}

const differs = (one: string | null, other: string | null): boolean =>
  one !== null && other !== null && one !== other;

/** Two codes of two systems may mean one thing. */
const getSystem = (token: string): string => token.slice(0, token.lastIndexOf('|'));

/** Says whether one of two names is within the other, word for word: "asthma" is in "severe asthma". */
const contains = (one: string, other: string): boolean =>
  ` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `);
