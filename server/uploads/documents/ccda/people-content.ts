import type { Element } from 'slimdom';
import { concept } from './concepts.ts';
import { attribute, child, textOf } from './elements.ts';
import type { FhirObject } from './fhir-values.ts';
import { identifiers } from './identifiers.ts';
import { addresses, names, telecoms } from './names.ts';
import type { NarrativePlaces } from './narrative-places.ts';

/** The organization a person acts for, whatever the kind of entity calls it. */
export const representedBy = (entity: Element | undefined): Element | undefined =>
  child(entity, 'representedOrganization') ??
  child(entity, 'scopingOrganization') ??
  child(entity, 'receivedOrganization');

export const organizationContent = (element: Element): FhirObject => ({
  identifier: identifiers(element),
  name: textOf(child(element, 'name')),
  telecom: telecoms(element).map(notAtHome),
  address: addresses(element).map(notAtHome),
});

/** FHIR org-2 and org-3: an organization has no home; a vendor that says so means the place it is at. */
const notAtHome = (contact: FhirObject): FhirObject => {
  const { use, ...rest } = contact;
  return use === 'home' ? rest : contact;
};

export function practitionerContent(
  entity: Element,
  { person, narrative }: { person: Element | undefined; narrative: NarrativePlaces },
): FhirObject {
  const specialty = concept(child(entity, 'code'), narrative);
  return {
    identifier: identifiers(entity),
    name: names(person),
    telecom: telecoms(entity),
    address: addresses(entity),
    qualification: specialty && [{ code: specialty }],
  };
}

/** What the program that wrote the document is called: its model, and its software where that has another name. */
export function deviceName(device: Element): string | undefined {
  const called = ['manufacturerModelName', 'softwareName'].flatMap((name) => {
    const element = child(device, name);
    return textOf(element) ?? attribute(element, 'displayName') ?? [];
  });
  return [...new Set(called)].join(' ') || undefined;
}

export function deviceContent(entity: Element, device: Element): FhirObject {
  const name = deviceName(device);
  return {
    identifier: identifiers(entity),
    deviceName: name === undefined ? undefined : [{ name, type: 'model-name' }],
  };
}
