import type { Element } from 'slimdom';
import { toCodeableConcept } from './concepts.ts';
import { getAttribute, getChild, getText } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';
import { toIdentifiers } from './identifiers.ts';
import { toAddresses, toHumanNames, toContactPoints } from './contact-details.ts';
import type { NarrativeIndex } from './narrative-index.ts';

/** Returns the organization that a person acts for, by the names that kinds of entity have for it. */
export const getRepresentedOrganization = (entity: Element | undefined): Element | undefined =>
  getChild(entity, 'representedOrganization') ??
  getChild(entity, 'scopingOrganization') ??
  getChild(entity, 'receivedOrganization');

export const buildOrganization = (element: Element): FhirObject => ({
  identifier: toIdentifiers(element),
  name: getText(getChild(element, 'name')),
  telecom: toContactPoints(element).map(dropHomeUse),
  address: toAddresses(element).map(dropHomeUse),
});

/** Drops `use: home`, which FHIR org-2 and org-3 forbid for an organization; vendors mean its address. */
const dropHomeUse = (contact: FhirObject): FhirObject => {
  const { use, ...rest } = contact;
  return use === 'home' ? rest : contact;
};

export function buildPractitioner(
  entity: Element,
  { person, narrative }: { person: Element | undefined; narrative: NarrativeIndex },
): FhirObject {
  const specialty = toCodeableConcept(getChild(entity, 'code'), narrative);
  return {
    identifier: toIdentifiers(entity),
    name: toHumanNames(person),
    telecom: toContactPoints(entity),
    address: toAddresses(entity),
    qualification: specialty && [{ code: specialty }],
  };
}

/** Returns the name of the program that wrote the document: its model, and its software where that has another name. */
export function getDeviceName(device: Element): string | undefined {
  const nameParts = ['manufacturerModelName', 'softwareName'].flatMap((name) => {
    const element = getChild(device, name);
    return getText(element) ?? getAttribute(element, 'displayName') ?? [];
  });
  return [...new Set(nameParts)].join(' ') || undefined;
}

export function buildDevice(entity: Element, device: Element): FhirObject {
  const name = getDeviceName(device);
  return {
    identifier: toIdentifiers(entity),
    deviceName: name === undefined ? undefined : [{ name, type: 'model-name' }],
  };
}
