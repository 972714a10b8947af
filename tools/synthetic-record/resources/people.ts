import { createHl7Concept } from '../codes.ts';
import { formatDay } from '../calendar.ts';
import type { PatientProfile } from '../patient-profile.ts';
import type { GeneratedResource, Reference } from '../resource.ts';
import { toReference } from '../resource-id.ts';

const NPI = 'http://hl7.org/fhir/sid/us-npi';

const organizations = [
  { key: 'clinic', name: 'Sampleton Family Medicine', npi: '9999999801', line: '1 Example Plaza' },
  { key: 'hospital', name: 'Exampleby General Hospital', npi: '9999999802', line: '200 Specimen Avenue' },
  {
    key: 'laboratory',
    name: 'Mockridge Clinical Laboratory',
    npi: '9999999803',
    line: '3 Placeholder Court',
  },
] as const;

const practitioners = [
  { key: 'physician', given: 'Alma', family: 'Testwell', npi: '9999999811' },
  { key: 'nurse', given: 'Victor', family: 'Demoson', npi: '9999999812' },
  { key: 'emergency', given: 'Helen', family: 'Placeholt', npi: '9999999813' },
] as const;

export type OrganizationKey = (typeof organizations)[number]['key'];
export type PractitionerKey = (typeof practitioners)[number]['key'];

export function getOrganizationReference(profile: PatientProfile, key: OrganizationKey): Reference {
  const name = organizations.find((organization) => organization.key === key)?.name;
  return toReference(profile.toId(`Organization/${key}`), name);
}

export function getPractitionerReference(profile: PatientProfile, key: PractitionerKey): Reference {
  const person = practitioners.find((practitioner) => practitioner.key === key);
  return toReference(profile.toId(`Practitioner/${key}`), `Dr. ${person?.given} ${person?.family}`);
}

export function getLocationReference(profile: PatientProfile, key: 'clinic' | 'hospital'): Reference {
  return toReference(
    profile.toId(`Location/${key}`),
    key === 'clinic' ? 'Sampleton clinic rooms' : 'Emergency department',
  );
}

/** Everybody that the record's other entries point at. */
export function* generatePeople(profile: PatientProfile): Iterable<GeneratedResource> {
  yield buildPatient(profile);
  for (const { key, name, npi, line } of organizations) {
    yield {
      resourceType: 'Organization',
      id: profile.toId(`Organization/${key}`),
      identifier: [{ system: NPI, value: npi }],
      active: true,
      type: [createHl7Concept('organization-type', 'prov', 'Healthcare Provider')],
      name,
      telecom: [{ system: 'phone', value: '555-0100' }],
      address: [buildAddress(line)],
    };
  }
  for (const { key, given, family, npi } of practitioners) {
    yield {
      resourceType: 'Practitioner',
      id: profile.toId(`Practitioner/${key}`),
      identifier: [{ system: NPI, value: npi }],
      active: true,
      name: [{ family, given: [given], prefix: ['Dr.'] }],
    };
  }
  yield buildLocation(profile, 'clinic');
  yield buildLocation(profile, 'hospital');
}

function buildPatient(profile: PatientProfile): GeneratedResource {
  const { firstName, lastName } = profile;
  return {
    resourceType: 'Patient',
    id: profile.toId('Patient'),
    identifier: [
      {
        type: createHl7Concept('v2-0203', 'MR', 'Medical record number'),
        // The OID that HL7 reserves for examples.
        system: 'urn:oid:2.16.840.1.113883.19.5',
        value: `SYN-${String(profile.plan.seed).padStart(6, '0')}`,
      },
    ],
    active: true,
    name: [{ use: 'official', family: lastName, given: [firstName] }],
    telecom: [
      { system: 'phone', value: '555-0142', use: 'home' },
      {
        system: 'email',
        value: `${firstName}.${lastName}@example.org`.toLowerCase().replace(/[^a-z.@]/g, ''),
      },
    ],
    gender: profile.female ? 'female' : 'male',
    birthDate: formatDay(profile.birth),
    address: [buildAddress('12 Example Street')],
    communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'en-US' }] } }],
    generalPractitioner: [getPractitionerReference(profile, 'physician')],
    managingOrganization: getOrganizationReference(profile, 'clinic'),
  };
}

function buildLocation(profile: PatientProfile, key: 'clinic' | 'hospital'): GeneratedResource {
  return {
    resourceType: 'Location',
    id: profile.toId(`Location/${key}`),
    status: 'active',
    name: getLocationReference(profile, key).display,
    address: buildAddress(key === 'clinic' ? '1 Example Plaza' : '200 Specimen Avenue'),
    managingOrganization: getOrganizationReference(profile, key),
  };
}

/** No such town, and no post code begins with three zeros. */
function buildAddress(line: string) {
  return { line: [line], city: 'Sampleton', state: 'NY', postalCode: '00001', country: 'US' };
}
