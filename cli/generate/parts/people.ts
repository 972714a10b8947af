import { terminology } from '../codes.ts';
import { dayText } from '../calendar.ts';
import type { Life } from '../life.ts';
import type { GeneratedResource, Reference } from '../resource.ts';
import { referenceTo } from '../resource-id.ts';

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

export function organizationOf(life: Life, key: OrganizationKey): Reference {
  const name = organizations.find((organization) => organization.key === key)?.name;
  return referenceTo(life.id(`Organization/${key}`), name);
}

export function practitionerOf(life: Life, key: PractitionerKey): Reference {
  const person = practitioners.find((practitioner) => practitioner.key === key);
  return referenceTo(life.id(`Practitioner/${key}`), `Dr. ${person?.given} ${person?.family}`);
}

export function locationOf(life: Life, key: 'clinic' | 'hospital'): Reference {
  return referenceTo(
    life.id(`Location/${key}`),
    key === 'clinic' ? 'Sampleton clinic rooms' : 'Emergency department',
  );
}

/** Everybody that the record's other entries point at. */
export function* peopleOf(life: Life): Iterable<GeneratedResource> {
  yield patient(life);
  for (const { key, name, npi, line } of organizations) {
    yield {
      resourceType: 'Organization',
      id: life.id(`Organization/${key}`),
      identifier: [{ system: NPI, value: npi }],
      active: true,
      type: [terminology('organization-type', 'prov', 'Healthcare Provider')],
      name,
      telecom: [{ system: 'phone', value: '555-0100' }],
      address: [address(line)],
    };
  }
  for (const { key, given, family, npi } of practitioners) {
    yield {
      resourceType: 'Practitioner',
      id: life.id(`Practitioner/${key}`),
      identifier: [{ system: NPI, value: npi }],
      active: true,
      name: [{ family, given: [given], prefix: ['Dr.'] }],
    };
  }
  yield location(life, 'clinic');
  yield location(life, 'hospital');
}

function patient(life: Life): GeneratedResource {
  const { firstName, lastName } = life;
  return {
    resourceType: 'Patient',
    id: life.id('Patient'),
    identifier: [
      {
        type: terminology('v2-0203', 'MR', 'Medical record number'),
        // The OID that HL7 reserves for examples.
        system: 'urn:oid:2.16.840.1.113883.19.5',
        value: `SYN-${String(life.plan.seed).padStart(6, '0')}`,
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
    gender: life.female ? 'female' : 'male',
    birthDate: dayText(life.birth),
    address: [address('12 Example Street')],
    communication: [{ language: { coding: [{ system: 'urn:ietf:bcp:47', code: 'en-US' }] } }],
    generalPractitioner: [practitionerOf(life, 'physician')],
    managingOrganization: organizationOf(life, 'clinic'),
  };
}

function location(life: Life, key: 'clinic' | 'hospital'): GeneratedResource {
  return {
    resourceType: 'Location',
    id: life.id(`Location/${key}`),
    status: 'active',
    name: locationOf(life, key).display,
    address: address(key === 'clinic' ? '1 Example Plaza' : '200 Specimen Avenue'),
    managingOrganization: organizationOf(life, key),
  };
}

/** No such town, and no post code begins with three zeros. */
function address(line: string) {
  return { line: [line], city: 'Sampleton', state: 'NY', postalCode: '00001', country: 'US' };
}
