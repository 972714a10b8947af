import type { Element } from 'slimdom';
import { concept } from '../concepts.ts';
import { attribute, child, children, first, sdtcChild, textOf } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { genderOf } from '../gender.ts';
import { identifiers } from '../identifiers.ts';
import { addresses, names, telecoms } from '../names.ts';
import type { NarrativePlaces } from '../narrative-places.ts';
import { absentExtension } from '../null-flavors.ts';
import type { People } from '../people.ts';
import type { ResourceList } from '../resource-list.ts';
import { dated, dateOf, instantOf, time, type Time } from '../times.ts';
import { patientExtensions } from './patient-extensions.ts';

interface Known {
  resources: ResourceList;
  narrative: NarrativePlaces;
  people: People;
}

/** Adds the person whom the document is about; undefined in a part of a document that does not name one. */
export function patientOf(root: Element, { resources, narrative, people }: Known): Reference | undefined {
  const target = root.localName === 'recordTarget' ? root : child(root, 'recordTarget');
  const role = child(target, 'patientRole');
  const person = child(role, 'patient');
  if (role === undefined) return undefined;
  return resources.add('Patient', 'recordTarget', {
    extension: patientExtensions(person, narrative),
    identifier: identifiers(role),
    name: names(person),
    telecom: telecoms(role),
    gender: genderOf(child(person, 'administrativeGenderCode')),
    ...birth(child(person, 'birthTime')),
    ...death(person),
    address: addresses(role),
    maritalStatus: concept(child(person, 'maritalStatusCode'), narrative),
    ...multipleBirth(person),
    contact: children(person, 'guardian').map((guardian) => contact(guardian, narrative)),
    communication: children(person, 'languageCommunication').map(communication),
    managingOrganization: people.organization(child(role, 'providerOrganization')),
  });
}

/** A day of birth, and the time of day in HL7's extension where it has a zone. */
function birth(birthTime: Element | undefined): FhirObject {
  const born = time(birthTime);
  if (birthTime === undefined) return {};
  if (born === undefined) return { _birthDate: { extension: [absentExtension(birthTime)] } };
  const at = instantOf(born);
  const extension = { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime: at };
  return {
    ...dated('birthDate', { ...born, value: dateOf(born) ?? born.value } satisfies Time),
    ...(at === undefined ? {} : { _birthDate: { extension: [extension] } }),
  };
}

function death(person: Element | undefined): FhirObject {
  const died = time(sdtcChild(person, 'deceasedTime'));
  if (died !== undefined) return dated('deceasedDateTime', died);
  const said = attribute(sdtcChild(person, 'deceasedInd'), 'value');
  return said === 'true' || said === 'false' ? { deceasedBoolean: said === 'true' } : {};
}

function multipleBirth(person: Element | undefined): FhirObject {
  const order = attribute(sdtcChild(person, 'multipleBirthOrderNumber'), 'value');
  if (order !== undefined && /^[1-9]\d?$/.test(order)) return { multipleBirthInteger: Number(order) };
  const said = attribute(sdtcChild(person, 'multipleBirthInd'), 'value');
  return said === 'true' || said === 'false' ? { multipleBirthBoolean: said === 'true' } : {};
}

const contact = (guardian: Element, narrative: NarrativePlaces): FhirObject => ({
  relationship: [
    concept(child(guardian, 'code'), narrative) ?? {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/v3-RoleClass', code: 'GUARD', display: 'guardian' },
      ],
    },
  ],
  name: names(child(guardian, 'guardianPerson'))[0],
  telecom: telecoms(guardian),
  address: addresses(guardian)[0],
  organization: organizationName(guardian),
});

function organizationName(guardian: Element): FhirObject | undefined {
  const name = textOf(first(guardian, 'guardianOrganization/name'));
  return name === undefined ? undefined : { display: name };
}

/** Without a language there is nothing to say about it; the list drops what is empty. */
function communication(spoken: Element): FhirObject {
  const code = attribute(child(spoken, 'languageCode'), 'code');
  if (code === undefined) return {};
  const preferred = attribute(child(spoken, 'preferenceInd'), 'value');
  return {
    language: { coding: [{ system: 'urn:ietf:bcp:47', code }] },
    preferred: preferred === 'true' || preferred === 'false' ? preferred === 'true' : undefined,
  };
}
