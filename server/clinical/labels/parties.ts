import { PARTY_TYPES } from '../store/party-types.ts';
import type { Element } from '../entries/element.ts';
import {
  isUnclear,
  listNamesByIdentifier,
  listWrittenTargets,
  type NamedTarget,
  type WrittenTarget,
} from './names-of-targets.ts';

const ADDRESS = /^([A-Z][A-Za-z]+)\/[A-Za-z0-9.-]{1,64}(?=$|\/)/;
/** `Location|system|value`. */
const WITH_SYSTEM = /\|.*\|/;

/**
 * Lists who, where or what a reference means: of the types that may stand there, or of any where anything may, and then no identifier
 * without a system, since numbers without one are those of other things too.
 */
export function listNamedParties(element: Element, { address, types }: WrittenTarget): NamedTarget[] {
  const isAny = types.includes('Resource');
  const fitting = isAny ? [...PARTY_TYPES] : types.filter((type) => PARTY_TYPES.has(type));
  const written = isUnclear(address) ? listWrittenTargets(address, (type) => PARTY_TYPES.has(type)) : [];
  if (fitting.length === 0) return written;
  const [target, type = ''] = ADDRESS.exec(address ?? '') ?? [];
  const reference = target !== undefined && PARTY_TYPES.has(type) ? target : null;
  if (!('identifier' in element) && written.length === 0 && !isUnclear(address))
    return reference === null ? [] : [{ reference, name: null }];
  const names = new Set(
    fitting
      .flatMap((each) => listNamesByIdentifier(element, [each]))
      .filter((name) => isOfParty(name) && (!isAny || WITH_SYSTEM.test(name))),
  );
  if (names.size === 0) return reference === null ? written : [{ reference, name: null }, ...written];
  return [...[...names].map((name) => ({ reference, name })), ...written];
}

/** Whether a name (`Location/1`, `Location|system|value`) is that of who, where or what, and of nothing else. */
export const isOfParty = (name: string): boolean => PARTY_TYPES.has(/^[A-Za-z]*/.exec(name)?.[0] ?? '');

/** Where somebody works, what a place is part of and who runs it, what a medicine is made of: by type, the elements that say it. */
const WHOLES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    HealthcareService: 'providedBy',
    Location: 'partOf managingOrganization',
    // In R5 `item.reference`.
    Medication: 'ingredient.itemReference ingredient.item.reference',
    Organization: 'partOf',
    OrganizationAffiliation: 'organization participatingOrganization location healthcareService',
    Practitioner: '',
    PractitionerRole: 'practitioner organization location healthcareService',
    Substance: 'ingredient.substanceReference',
  }).map(([type, names]) => [type, new Set(names.split(' '))]),
);

/** Types that are about somebody, or administer the record: whom they name is no part of what was done. */
const NO_FACTS: ReadonlySet<string> = new Set(
  [
    'Patient Person RelatedPerson Group Coverage Endpoint Provenance AuditEvent MessageHeader Linkage',
    'Bundle Parameters Subscription OperationOutcome',
  ].flatMap((line) => line.split(' ')),
);

/** Elements that list whatever there is, or who numbers things. */
const LISTED =
  /^(?:CareTeam\.participant\.|List\.entry\.|Composition\.section\..*\bentry$|CarePlan\.activity\.detail\.product)|\.assigner$/;

/**
 * Whether a reference to who or where is left out where its target is withheld, rather than to make all of the resource as sensitive;
 * `path` begins with the type that holds it, be it contained.
 */
export function isLeftOut(path: string): boolean {
  const dot = path.indexOf('.');
  const type = path.slice(0, dot);
  const wholes = WHOLES.get(type);
  if (wholes !== undefined) return !wholes.has(path.slice(dot + 1));
  return NO_FACTS.has(type) || LISTED.test(path);
}

/** Lists whose members say nothing without whom they name. */
const MEMBERS =
  /^(?:CareTeam\.participant|List\.entry|Group\.member|Provenance\.agent|AuditEvent\.(?:agent|entity))\.\w+$|^CarePlan\.activity\.detail\.product/;

/** Whether the member of a list is left out with the reference at a path. */
export const isAboutMember = (path: string): boolean => MEMBERS.test(path);

/**
 * Elements that list visits among whatever else was written, done or seen; nothing that they stand in belongs to these, as a result
 * does and the List or Composition of a visit (`encounter`).
 */
const LISTED_VISITS =
  /^(?:Provenance\.(?:target|entity\.what(?:Reference)?)|AuditEvent\.entity\.(?:what|reference)|List\.entry\.item|Composition\.section\..*\bentry|Linkage\.item\.resource|MessageHeader\.focus)$/;

/** Whether a visit is left out of a list where it is withheld, rather than to make all that lists it as sensitive. */
export const isListedVisit = (path: string): boolean => LISTED_VISITS.test(path);
