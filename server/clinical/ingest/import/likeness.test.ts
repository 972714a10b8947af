import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseResource } from '../../store/parse-resource.ts';
import { compareLikeness, readLikeness, type Verdict } from './likeness.ts';

const compare = (one: object, other: object, type = 'Observation'): Verdict => {
  const [left, right] = [one, other].map((each) =>
    readLikeness(parseResource(JSON.stringify({ resourceType: type, id: '1', ...each }))),
  );
  return compareLikeness(type, left!, right!);
};
const named = (text: string, more: object = {}): object => ({ code: { text }, ...more });
const coded = (code: string, system = 'http://loinc.org', display?: string): object => ({
  code: { coding: [{ system, code, display }] },
});

describe('two resources of one type and id', () => {
  it('are one where they are of one day and name, or share an identifier', () => {
    const day = { effectiveDateTime: '2026-01-02' };
    assert.equal(compare(named('Potassium', day), named('POTASSIUM (serum)', day)), 'same');
    assert.equal(compare({ ...coded('1'), ...day }, { ...coded('1'), ...day }), 'same');
    const identifier = [{ system: 'urn:lab', value: '7' }];
    assert.equal(compare(named('Asthma', { identifier }), named('COPD', { identifier })), 'same');
  });

  it('may be one where a later state has another value, status or day', () => {
    for (const [one, other] of [
      [named('Weight', { valueInteger: 70 }), named('Weight', { valueInteger: 72 })],
      [
        named('Weight', { effectiveDateTime: '2026-01-02' }),
        named('Weight', { effectiveDateTime: '2026-02-02' }),
      ],
      [named('version 1'), named('version 2')],
      [{ status: 'planned' }, { status: 'finished' }],
      [coded('1'), coded('x', 'urn:local')],
      [
        named('Weight', { meta: { source: 'urn:ehr#a1' } }),
        named('Weight', { meta: { source: 'urn:ehr#b2' } }),
      ],
    ] as const)
      assert.equal(compare(one, other), 'unclear', JSON.stringify([one, other]));
  });

  it('are two where they are about something else, or come from somewhere else', () => {
    for (const [one, other] of [
      [named('Potassium', { valueInteger: 4 }), named('Sodium', { valueInteger: 140 })],
      [
        named('Serum potassium', { effectiveDateTime: '2026-01-02' }),
        named('Serum sodium', { effectiveDateTime: '2026-02-02' }),
      ],
      [coded('2823-3'), coded('2951-2')],
      [named('Weight', { identifier: [{ value: '7' }] }), named('Weight', { identifier: [{ value: '8' }] })],
      [named('Weight', { meta: { source: 'urn:a' } }), named('Weight', { meta: { source: 'urn:b' } })],
    ] as const)
      assert.equal(compare(one, other), 'other', JSON.stringify([one, other]));
    const visit = (display: string): object => ({ serviceProvider: { display } });
    assert.equal(compare(visit('Clinic A'), visit('Clinic B'), 'Encounter'), 'other');
    assert.equal(compare(visit('Clinic A'), visit('Clinic A Ltd.'), 'Encounter'), 'unclear');
    assert.equal(
      compare({ name: [{ family: 'Ahmed' }] }, { name: [{ text: 'Dr. Baker' }] }, 'Practitioner'),
      'unclear',
      'a name alone may have changed',
    );
    assert.equal(compare(named('old'), named('new')), 'unclear', 'words alone may have been corrected');
  });

  it('say of a Patient only that they are of two systems: the person is the same at each', () => {
    const person = (value: string): object => ({
      name: [{ text: 'Ana' }],
      identifier: [{ system: 'urn:mrn', value }],
    });
    assert.equal(compare(person('1'), person('2'), 'Patient'), 'other');
    assert.equal(compare(person('1'), person('1'), 'Patient'), 'unclear');
    assert.equal(compare({ name: [{ text: 'Ana' }] }, { name: [{ text: 'Bea' }] }, 'Patient'), 'unclear');
  });
});
