import { listNestedResources, OWNER_ELEMENTS, type NestedResource } from '../store/owner-elements.ts';
import { INNER_OWNER_ELEMENTS, SHARED_OWNER_ELEMENTS } from './compartment.ts';
import { contradictsBirthDate } from './demographic-match.ts';
import { isObject, readObjects, readString, type JsonObject } from './json.ts';
import { findOwner, isOwnId, parsePatientId, type Owner, type OwnPatient } from './own-patient.ts';

/** Whose the resources of a page are. */
export interface PageOwners {
  /** Adds a resource; false: it is another Patient, or says that it is another's. */
  add(resource: JsonObject, fullUrl: string | null): boolean;
  /** Says whether nothing of the page is of another patient, when all of it was added. */
  isOfOwn(): boolean;
  listOwnNames(): string[];
}

const MAX_OWN_NAMES = 20;

/**
 * Collects whose the resources of a page are. An address that is not the server's own, or a `urn:uuid:…`, means what the entry
 * of this fullUrl is, which may come later on the page; one that no entry has is of nobody known, and so another's.
 */
export function createPageOwners(own: OwnPatient): PageOwners {
  const byName = new Map<string, Owner>(own.otherNames.map((name) => [name, 'own']));
  /** What each of several names may mean: one of them must be the patient, or all of them nobody. */
  const open = new Map<string, { names: string[]; hasOther: boolean }>();
  const addName = (resource: JsonObject, fullUrl: string | null): void => {
    if (fullUrl !== null) byName.set(toName(fullUrl), getOwnerOfEntry(resource, own));
  };
  const addOwners = (owners: readonly Owner[]): boolean => {
    // An account may have several patients; one of them is enough.
    if (owners.includes('own')) return true;
    const names = owners.flatMap((owner) => (typeof owner === 'object' ? owner.name : []));
    const hasOther = owners.includes('other');
    if (names.length > 0) open.set(JSON.stringify([hasOther, names]), { names, hasOther });
    return names.length > 0 || !hasOther;
  };
  return {
    add: (resource, fullUrl) =>
      [...listNestedResources(resource, fullUrl)].every((each) => {
        addName(each.resource, each.fullUrl);
        if (each.resource['resourceType'] === 'Patient' && !isOwnPatient(each, own)) return false;
        return listOwners(each.resource, own).every(addOwners);
      }),
    isOfOwn: () =>
      [...open.values()].every(({ names, hasOther }) => {
        const owners = names.map((name) => byName.get(name) ?? 'other');
        return owners.includes('own') || (!hasOther && owners.every((owner) => owner === 'nobody'));
      }),
    listOwnNames: () =>
      [...byName].flatMap(([name, owner]) => (owner === 'own' ? name : [])).slice(0, MAX_OWN_NAMES),
  };
}

const toName = (fullUrl: string): string => (/^urn:/i.test(fullUrl) ? fullUrl.toLowerCase() : fullUrl);

function getOwnerOfEntry({ resourceType, id }: JsonObject, own: OwnPatient): Owner {
  if (resourceType === 'Patient') return isOwnId(readString(id) ?? '', own) ? 'own' : 'other';
  return resourceType === 'Person' || resourceType === 'Group' ? 'other' : 'nobody';
}

function isOwnPatient({ resource, fullUrl }: NestedResource, own: OwnPatient): boolean {
  if (contradictsBirthDate(resource, { dateOfBirth: own.birthDate })) return false;
  const id = readString(resource['id']) ?? parsePatientId(fullUrl ?? '', own.base);
  return id !== null && isOwnId(id, own);
}

/** Lists by whom a resource, and each that it contains, says whose it is, element by element. */
function listOwners(resource: JsonObject, own: OwnPatient): Owner[][] {
  const find = (element: JsonObject, mayBeOthers: boolean): Owner =>
    findOwner(element, { own, resource, mayBeOthers });
  return [resource, ...readObjects(resource['contained'])].flatMap((each) => [
    ...OWNER_ELEMENTS.map((name) => toObjects(each[name]).map((element) => find(element, false))),
    ...SHARED_OWNER_ELEMENTS.map((name) => toObjects(each[name]).map((element) => find(element, true))),
    ...INNER_OWNER_ELEMENTS.map(([name, inner]) =>
      toObjects(each[name])
        .flatMap((value) => toObjects(value[inner]))
        .map((element) => find(element, true)),
    ),
  ]);
}

const toObjects = (value: unknown): JsonObject[] => (isObject(value) ? [value] : readObjects(value));
