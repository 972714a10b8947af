import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasSameEmail, isCandidate, hasSameNameAndBirthDate, hasSamePhone } from './demographic-match.ts';
import { selectDefaultScope } from './smart-configuration.ts';
import { selectAlg } from './client-keys.ts';
import { parseCapabilities, findTokenEndpoint } from './capabilities.ts';
import { isUnderBase } from './fhir-client.ts';
import { listAliases } from './own-patient.ts';

const ada = {
  firstName: 'Anna-Lena',
  lastName: 'O’Hara Núñez',
  dateOfBirth: '1970-02-03',
  email: 'ada@mail.example',
  phone: '+49 (30) 555-0100',
};

const there = (family: string, given: string[], birthDate = '1970-02-03') => ({
  resourceType: 'Patient',
  id: 'p',
  name: [{ family, given }],
  birthDate,
});

describe('a patient of a server', () => {
  it('matches by name whatever the case, accents, hyphens, apostrophes and further given names', () => {
    for (const [family, given] of [
      ["O'Hara Nunez", ['Anna-Lena']],
      ['OHARA NÚÑEZ', ['ANNA LENA']],
      ['O’Hara-Núñez', ['Anna', 'Lena']],
      ['O’Hara Núñez', ['Anna', 'Maria']],
    ] as const)
      assert.ok(hasSameNameAndBirthDate(there(family, [...given]), ada), `${given.join(' ')} ${family}`);
  });

  it('does not match with another name or birth date, or without one', () => {
    for (const patient of [
      there('O’Hara', ['Anna-Lena']),
      there('O’Hara Núñez', ['Lena']),
      there('O’Hara Núñez', []),
      there('O’Hara Núñez', ['A']),
      there('', ['Anna-Lena']),
      there('O’Hara Núñez', ['Anna-Lena'], '1970-02'),
      there('O’Hara Núñez', ['Anna-Lena'], '1970-03-02'),
      { resourceType: 'Patient', id: 'p', name: 'O’Hara Núñez', birthDate: '1970-02-03' },
    ])
      assert.ok(!hasSameNameAndBirthDate(patient, ada), JSON.stringify(patient));
    assert.ok(!hasSameNameAndBirthDate(there('O’Hara Núñez', ['Anna-Lena']), { ...ada, dateOfBirth: null }));
  });

  it('matches by e-mail and phone as people write them, not by too short a number', () => {
    const telecom = [
      { system: 'phone', value: '030 5550100' },
      { system: 'email', value: ' ADA@mail.example' },
    ];
    assert.ok(hasSamePhone({ telecom }, ada) && hasSameEmail({ telecom }, ada));
    assert.ok(!hasSamePhone({ telecom: [{ system: 'phone', value: '0100' }] }, { ...ada, phone: '0100' }));
    assert.ok(!hasSameEmail({ telecom: [{ system: 'phone', value: ada.email }] }, ada));
  });

  it('is no candidate once merged, and lists the ids that were merged into it, of its own server', () => {
    const link = (type: string, server = 'https://ehr.example/fhir/') => ({
      ...there('x', ['y']),
      link: [{ other: { reference: `${server}Patient/old` }, type }],
    });
    const list = (...args: Parameters<typeof link>) => listAliases(link(...args), 'https://ehr.example/fhir');
    assert.deepEqual([isCandidate(link('replaced-by')), isCandidate(link('replaces'))], [false, true]);
    assert.deepEqual([list('replaces'), list('seealso', ''), list('refer')], [['old'], ['old'], []]);
    assert.deepEqual(list('replaces', 'https://other.example/fhir/'), []);
  });
});

describe('a server', () => {
  it('gets the newest scope it knows, and an assertion by an algorithm that it verifies', () => {
    assert.equal(selectDefaultScope({ capabilities: ['permission-v1', 'permission-v2'] }), 'system/*.rs');
    assert.equal(selectDefaultScope({ scopes_supported: ['system/*.read'] }), 'system/*.read');
    assert.equal(selectDefaultScope({}), 'system/*.rs');
    assert.deepEqual([null, ['RS384'], ['RS384', 'ES384'], ['RS256'], []].map(selectAlg), [
      'RS384',
      'RS384',
      'ES384',
      null,
      null,
    ]);
  });

  it('declares its operations by name or by definition, and R4 only', () => {
    const statement = (more: object) => ({
      resourceType: 'CapabilityStatement',
      fhirVersion: '4.0.1',
      rest: [{ mode: 'server', ...more }],
    });
    const byName = statement({ resource: [{ type: 'Patient', operation: [{ name: '$everything' }] }] });
    const definition = 'http://hl7.org/fhir/OperationDefinition/Patient-everything|4.0.1';
    for (const each of [byName, statement({ operation: [{ name: 'x', definition }] })])
      assert.equal(parseCapabilities(each).everything, 'Patient');
    const both = ['Patient', 'Person'].map((type) => ({ type, operation: [{ name: 'everything' }] }));
    assert.equal(parseCapabilities(statement({ resource: both })).everything, 'Person');
    assert.equal(parseCapabilities(statement({})).search, null);
    assert.throws(() => parseCapabilities({ ...byName, fhirVersion: '4.3.0' }), /not_r4/);
    assert.throws(() => parseCapabilities({ resourceType: 'Patient' }), /not_fhir/);
  });

  it('names its token endpoint in its CapabilityStatement where it is older than discovery', () => {
    const url = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';
    const extension = [{ url, extension: [{ url: 'token', valueUri: 'https://ehr.example/token' }] }];
    assert.equal(findTokenEndpoint({ rest: [{ security: { extension } }] }), 'https://ehr.example/token');
    assert.equal(findTokenEndpoint({ rest: [{}] }), null);
  });

  it('gets credentials only below its base', () => {
    const base = 'https://ehr.example/fhir/R4';
    for (const url of [base, `${base}/Patient`, `${base}?_getpages=1`, `${base}/x/../Patient`])
      assert.ok(isUnderBase(base, url), url);
    for (const url of [
      'https://ehr.example/fhir/R4x',
      'https://ehr.example/fhir',
      `${base}/../../admin`,
      `${base}/%2e%2e/x`,
      'http://ehr.example/fhir/R4/Patient',
      'https://ehr.example:444/fhir/R4/Patient',
      'https://user@ehr.example/fhir/R4/Patient',
      '//evil.example/fhir/R4',
      '',
    ])
      assert.ok(!isUnderBase(base, url), url);
  });
});
