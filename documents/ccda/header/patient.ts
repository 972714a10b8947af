import type { Element } from 'slimdom';
import { toCodeableConcept } from '../concepts.ts';
import { getAttribute, getChild, getChildren, selectFirst, getSdtcChild, getText } from '../elements.ts';
import type { FhirObject, Reference } from '../fhir-values.ts';
import { toGender } from '../gender.ts';
import { toIdentifiers } from '../identifiers.ts';
import { toAddresses, toHumanNames, toContactPoints } from '../contact-details.ts';
import type { NarrativeIndex } from '../narrative-index.ts';
import { buildAbsentExtension } from '../null-flavors.ts';
import type { People } from '../people.ts';
import type { ResourceList } from '../resource-list.ts';
import { buildDateTime, toDate, toInstant, toTime, type Time } from '../times.ts';
import { buildPatientExtensions } from './patient-extensions.ts';

interface PatientDeps {
  resources: ResourceList;
  narrative: NarrativeIndex;
  people: People;
}

/** Adds the patient of the document; returns undefined for a part of a document without one. */
export function addPatient(
  root: Element,
  { resources, narrative, people }: PatientDeps,
): Reference | undefined {
  const target = root.localName === 'recordTarget' ? root : getChild(root, 'recordTarget');
  const role = getChild(target, 'patientRole');
  const person = getChild(role, 'patient');
  if (role === undefined) return undefined;
  return resources.add('Patient', 'recordTarget', {
    extension: buildPatientExtensions(person, narrative),
    identifier: toIdentifiers(role),
    name: toHumanNames(person),
    telecom: toContactPoints(role),
    gender: toGender(getChild(person, 'administrativeGenderCode')),
    ...buildBirthDate(getChild(person, 'birthTime')),
    ...buildDeceased(person),
    address: toAddresses(role),
    maritalStatus: toCodeableConcept(getChild(person, 'maritalStatusCode'), narrative),
    ...buildMultipleBirth(person),
    contact: getChildren(person, 'guardian').map((guardian) => toContact(guardian, narrative)),
    communication: getChildren(person, 'languageCommunication').map(toCommunication),
    managingOrganization: people.resolveOrganization(getChild(role, 'providerOrganization')),
  });
}

/** Builds the day of birth, with the time of day in HL7's extension where it has a zone. */
function buildBirthDate(birthTime: Element | undefined): FhirObject {
  const born = toTime(birthTime);
  if (birthTime === undefined) return {};
  if (born === undefined) return { _birthDate: { extension: [buildAbsentExtension(birthTime)] } };
  const at = toInstant(born);
  const extension = { url: 'http://hl7.org/fhir/StructureDefinition/patient-birthTime', valueDateTime: at };
  return {
    ...buildDateTime('birthDate', { ...born, value: toDate(born) ?? born.value } satisfies Time),
    ...(at === undefined ? {} : { _birthDate: { extension: [extension] } }),
  };
}

function buildDeceased(person: Element | undefined): FhirObject {
  const died = toTime(getSdtcChild(person, 'deceasedTime'));
  if (died !== undefined) return buildDateTime('deceasedDateTime', died);
  const indicator = getAttribute(getSdtcChild(person, 'deceasedInd'), 'value');
  return indicator === 'true' || indicator === 'false' ? { deceasedBoolean: indicator === 'true' } : {};
}

function buildMultipleBirth(person: Element | undefined): FhirObject {
  const order = getAttribute(getSdtcChild(person, 'multipleBirthOrderNumber'), 'value');
  if (order !== undefined && /^[1-9]\d?$/.test(order)) return { multipleBirthInteger: Number(order) };
  const indicator = getAttribute(getSdtcChild(person, 'multipleBirthInd'), 'value');
  return indicator === 'true' || indicator === 'false' ? { multipleBirthBoolean: indicator === 'true' } : {};
}

const toContact = (guardian: Element, narrative: NarrativeIndex): FhirObject => ({
  relationship: [
    toCodeableConcept(getChild(guardian, 'code'), narrative) ?? {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/v3-RoleClass', code: 'GUARD', display: 'guardian' },
      ],
    },
  ],
  name: toHumanNames(getChild(guardian, 'guardianPerson'))[0],
  telecom: toContactPoints(guardian),
  address: toAddresses(guardian)[0],
  organization: getOrganizationName(guardian),
});

function getOrganizationName(guardian: Element): FhirObject | undefined {
  const name = getText(selectFirst(guardian, 'guardianOrganization/name'));
  return name === undefined ? undefined : { display: name };
}

/** Converts a language; without its code the result is empty, and is pruned. */
function toCommunication(element: Element): FhirObject {
  const code = getAttribute(getChild(element, 'languageCode'), 'code');
  if (code === undefined) return {};
  const preferred = getAttribute(getChild(element, 'preferenceInd'), 'value');
  return {
    language: { coding: [{ system: 'urn:ietf:bcp:47', code }] },
    preferred: preferred === 'true' || preferred === 'false' ? preferred === 'true' : undefined,
  };
}
