import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from './build-entries.ts';
import { formatConcept, getDisplay, SNOMED, toCodeKey } from './codeable-concept.ts';

const own = (code: string, display?: string) => ({ system: 'urn:oid:1.2.3', code, display });

describe('the words of a concept', () => {
  it('are its text, then a display, then a code of a known system, wherever its coding stands', () => {
    const achieved = { system: 'http://terminology.hl7.org/CodeSystem/goal-achievement', code: 'improving' };
    for (const [concept, words] of [
      [{ text: 'Better', coding: [own('7'), achieved] }, 'Better'],
      [{ coding: [own('7'), { ...achieved, display: 'Improving' }] }, 'Improving'],
      [{ coding: [own('7'), achieved] }, 'improving'],
      [{ coding: [own('7'), { system: SNOMED, code: '385633008' }] }, 'SNOMED CT 385633008'],
      [{ coding: [own('7'), { system: SNOMED, code: '195967001' }] }, 'Asthma'],
      [{ coding: [own('7'), own('8')] }, '7'],
      [{ coding: [own('Rash'), { system: SNOMED, code: '999999001' }] }, 'Rash'],
      [{ coding: [own('Worse'), achieved] }, 'improving'],
    ] as const)
      assert.equal(formatConcept(concept), words);
  });

  it('name the class of a visit also behind a coding of the sender', () => {
    const [visit] = buildEntries(
      { resourceType: 'Encounter', class: { coding: [own('7'), { code: 'EMER' }] } },
      { resolve: () => null },
    );
    assert.ok(visit?.kind === 'visit');
    assert.equal(visit.detail.class, 'emergency');
  });

  it('are never those of a coding that says why there is none, beside another', () => {
    const systems = [
      'http://terminology.hl7.org/CodeSystem/v3-NullFlavor',
      'http://hl7.org/fhir/v3/NullFlavor',
      'urn:oid:2.16.840.1.113883.5.1008',
      'http://terminology.hl7.org/CodeSystem/data-absent-reason',
    ];
    for (const system of systems) {
      const absent = { system, code: 'UNK', display: 'Unknown', userSelected: true };
      for (const coding of [
        [own('METFORMIN'), absent],
        [absent, own('METFORMIN')],
        [own('METFORMIN'), { system, code: 'UNK' }],
      ]) {
        assert.equal(formatConcept({ coding }), 'METFORMIN');
        assert.equal(getDisplay({ coding }), 'METFORMIN');
        assert.equal(toCodeKey({ coding }), 'urn:oid:1.2.3|METFORMIN');
      }
      assert.equal(formatConcept({ coding: [absent] }), 'Unknown');
    }
  });

  it('name a drug that is in force, though no code of the standard does', () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor';
    const medicationCodeableConcept = { coding: [own('METFORMIN'), { system, code: 'UNK' }] };
    const [drug] = buildEntries(
      { resourceType: 'MedicationRequest', id: 'm', status: 'active', medicationCodeableConcept },
      { resolve: () => null },
    );
    assert.ok(drug?.kind === 'medication');
    assert.deepEqual([drug.title, drug.current, drug.detail.none], ['METFORMIN', true, false]);
  });
});
