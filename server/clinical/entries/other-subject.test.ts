import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';

const PATIENT = { reference: 'Patient/p' };
const NAMED = { ...PATIENT, display: 'Ann Doe' };
const FOCUS_CODE = 'http://hl7.org/fhir/StructureDefinition/observation-focusCode';
const heartRate = {
  resourceType: 'Observation',
  id: 'o',
  status: 'final',
  code: { coding: [{ system: 'http://loinc.org', code: '8867-4', display: 'Heart rate' }] },
  subject: PATIENT,
  valueQuantity: { value: 150, unit: '/min' },
};

const build = (resource: ParsedResource, whole?: ParsedResource) =>
  buildEntries(resource, {
    resolve: (reference) => (reference === 'Location/w' ? { display: 'Ward 3', organization: null } : null),
    ...(whole && { whole }),
  });
const read = (resource: ParsedResource, whole?: ParsedResource) =>
  build(resource, whole).map(({ kind, title }) => `${kind}: ${title}`);

describe('an observation with another focus than the patient', () => {
  it('is named by it, and no measurement of the patient', () => {
    for (const [focus, name] of [
      [{ reference: 'RelatedPerson/f', display: 'Fetus' }, 'Fetus'],
      [{ reference: 'RelatedPerson/f' }, 'a related person'],
      [{ display: 'Donor kidney' }, 'Donor kidney'],
      [{ reference: 'Patient/child' }, 'another patient'],
      [{ reference: 'https://other.example/fhir/Patient/child' }, 'another patient'],
      [{ reference: '#f' }, 'Baby'],
      [{ type: 'Patient', display: 'Ben Doe' }, 'Ben Doe'],
      [{ type: 'Substance', display: 'Control serum' }, 'Control serum'],
      [{ reference: 'Location/w' }, 'Ward 3'],
    ] as const) {
      const contained = [{ resourceType: 'RelatedPerson', id: 'f', name: [{ text: 'Baby' }] }];
      assert.deepEqual(read({ ...heartRate, subject: NAMED, contained, focus: [focus] }), [
        `other: Heart rate (of: ${name})`,
      ]);
    }
    const extension = [{ url: FOCUS_CODE, valueCodeableConcept: { text: 'fetus' } }];
    const [entry] = build({ ...heartRate, extension });
    assert.equal(entry?.title, 'Heart rate (of: fetus)');
    assert.deepEqual(entry.detail, { type: 'Observation', text: '150 /min' });
    assert.equal(entry.names, undefined);
    assert.equal(entry.groupKey, 'one:Observation/o');
  });

  it('is the patient’s where the focus is the patient, or a part of the record', () => {
    for (const focus of [
      PATIENT,
      { reference: 'https://server.example/fhir/Patient/p/_history/2' },
      { reference: 'Condition/c', display: 'Breast cancer' },
      { reference: 'BodyStructure/b' },
      ...['AdverseEvent', 'CareTeam', 'DetectedIssue', 'Device', 'Medication'].map((type) => ({
        reference: `${type}/x`,
        display: 'X',
      })),
      { display: 'Doe, Ann' },
      { display: 'Patient' },
      { type: 'Patient', display: 'DOE Ann' },
      { identifier: { value: '7' } },
      { reference: 'urn:uuid:0f1e' },
      {},
    ])
      assert.deepEqual(
        read({ ...heartRate, subject: NAMED, focus: [focus] }),
        ['vital: Heart rate'],
        JSON.stringify(focus),
      );
    for (const valueCodeableConcept of [
      { text: 'Patient' },
      { coding: [{ system: 'http://snomed.info/sct', code: '116154003' }] },
    ])
      assert.deepEqual(read({ ...heartRate, extension: [{ url: FOCUS_CODE, valueCodeableConcept }] }), [
        'vital: Heart rate',
      ]);
    const { subject: _, ...withoutSubject } = heartRate;
    assert.deepEqual(read({ ...withoutSubject, focus: [PATIENT] }), ['vital: Heart rate']);
  });

  it('hands its focus on to what it contains', () => {
    const contained = [{ ...heartRate, id: 'c', subject: undefined }];
    const panel = { ...heartRate, contained, hasMember: [{ reference: '#c' }] };
    assert.deepEqual(read({ ...panel, focus: [{ display: 'Fetus' }] }), [
      'other: Heart rate (of: Fetus)',
      'other: Heart rate (of: Fetus)',
    ]);
  });

  it('is none of the patient where a consent leaves its focus out', () => {
    const whole = { ...heartRate, focus: [{ reference: 'RelatedPerson/f', display: 'Fetus' }] };
    assert.deepEqual(read(heartRate, whole), ['other: Heart rate (of: somebody or something else)']);
    assert.deepEqual(read(heartRate, heartRate), ['vital: Heart rate']);
  });
});

describe('a resource about no person', () => {
  const outbreak = {
    resourceType: 'Condition',
    id: 'c',
    clinicalStatus: { coding: [{ code: 'active' }] },
    verificationStatus: { coding: [{ code: 'provisional' }] },
    code: { text: 'Measles outbreak' },
    note: [{ text: 'At school' }],
  };

  it('is no fact of the patient, and keeps what it says', () => {
    const [entry] = build({ ...outbreak, subject: { reference: 'Group/g', display: 'School' } });
    assert.deepEqual(
      [entry?.kind, entry?.title, entry?.current, entry?.status],
      ['other', 'Measles outbreak (of: School)', false, 'active'],
    );
    assert.deepEqual(entry?.detail, { type: 'Condition', text: 'provisional; active; At school' });
  });

  it('is found by the type of its subject, however that is written', () => {
    const contained = [{ resourceType: 'Group', id: 'g' }];
    for (const [subject, name] of [
      [{ reference: 'Group/g' }, 'a group'],
      [{ reference: 'https://server.example/fhir/Group/g2/_history/1' }, 'a group'],
      [{ reference: 'Device/d', display: 'Analyzer 3' }, 'Analyzer 3'],
      [{ type: 'Organization', display: 'Clinic' }, 'Clinic'],
      [{ reference: 'Location/w' }, 'Ward 3'],
      [{ reference: '#g' }, 'a group'],
    ] as const)
      assert.deepEqual(read({ ...outbreak, contained, subject }), [`other: Measles outbreak (of: ${name})`]);
    for (const subject of [
      PATIENT,
      { reference: 'urn:uuid:x' },
      { display: 'Ann' },
      { reference: 'Device/pump' },
      {},
      undefined,
    ])
      assert.deepEqual(read({ ...outbreak, subject }), ['condition: Measles outbreak']);
  });

  it('is the patient’s where a device that it contains is on the patient', () => {
    const device = { resourceType: 'Device', id: 'd' };
    const subject = { reference: '#d' };
    const reading = (more: object) => read({ ...heartRate, subject, contained: [{ ...device, ...more }] });
    assert.deepEqual(reading({ patient: PATIENT }), ['vital: Heart rate']);
    assert.deepEqual(reading({ deviceName: [{ name: 'Simulator' }] }), ['other: Heart rate (of: Simulator)']);
  });

  it('stays a note', () => {
    const letter = {
      resourceType: 'DocumentReference',
      type: { text: 'Letter' },
      subject: { reference: 'Practitioner/a', display: 'Dr. A' },
      content: [{ attachment: { contentType: 'text/plain', data: 'aGVsbG8=' } }],
    };
    assert.deepEqual(read(letter), ['note: Letter (of: Dr. A)']);
  });
});
