import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ParsedResource } from '../store/found-resource.ts';
import { buildEntries } from './build-entries.ts';
import { findClinicalPeriod } from './clinical-period.ts';
import { isDenied } from './denied.ts';
import type { Details } from './entry.ts';
import { findObjection, OBJECTING_WORDS } from './objection.ts';
import { isOfNewerVersion, isOfOlderVersion, readAsR4 } from './read-as-r4.ts';
import { buildDisplay } from './resource-display.ts';

const build = (resource: ParsedResource) => {
  const [entry] = buildEntries(resource, { resolve: () => null });
  assert.ok(entry !== undefined);
  return entry;
};

const vaccine = { resourceType: 'Immunization', status: 'completed', vaccineCode: { text: 'MMR' } };
const given = { resourceType: 'MedicationAdministration', status: 'completed' };
const statement = { resourceType: 'MedicationStatement', status: 'active' };
const drug = { medicationCodeableConcept: { text: 'Paroxetine' } };
const procedure = { resourceType: 'Procedure', status: 'completed', code: { text: 'Amputation of leg' } };
const refused = { text: 'Patient refused' };

/** What DSTU2 and STU3 negate, and the status and reason that R4 has for it. */
const NEGATIONS: readonly (readonly [ParsedResource, status: string, reason?: string])[] = [
  [{ ...vaccine, wasNotGiven: true }, 'not-done'],
  [{ ...vaccine, notGiven: true, explanation: { reasonNotGiven: [refused] } }, 'not-done', refused.text],
  [{ ...given, ...drug, wasNotGiven: true, reasonNotGiven: [refused] }, 'not-done', refused.text],
  [{ ...given, ...drug, notGiven: 'true' }, 'not-done'],
  [{ ...statement, ...drug, wasNotTaken: true, reasonNotTaken: [refused] }, 'not-taken', refused.text],
  [{ ...statement, ...drug, taken: 'n' }, 'not-taken'],
  [{ ...procedure, notPerformed: true, reasonNotPerformed: [refused] }, 'not-done', refused.text],
  [{ ...procedure, notDone: true, notDoneReason: refused }, 'not-done', refused.text],
];

describe('a resource of an older version of FHIR', () => {
  it('is not done, given or taken where it says so, for whatever reason it has', () => {
    for (const [resource, status, reason] of NEGATIONS) {
      const label = JSON.stringify(resource);
      const entry = build(resource);
      assert.deepEqual([entry.status, entry.current, isDenied(entry)], [status, false, true], label);
      if (reason !== undefined) assert.match(JSON.stringify(entry.detail), new RegExp(reason), label);
      assert.equal(findObjection(resource), status, label);
      assert.match(JSON.stringify(resource), new RegExp(OBJECTING_WORDS, 'i'), label);
      assert.ok(isOfOlderVersion(resource), label);
    }
  });

  it('is nothing that is in force where nobody knows whether it was taken', () => {
    for (const taken of ['unk', 'na']) {
      const entry = build({ ...statement, ...drug, taken });
      assert.deepEqual([entry.status, entry.current], ['unknown', false], taken);
    }
    assert.equal(build({ ...statement, ...drug, status: 'intended', taken: 'na' }).status, 'intended');
    const isTaken = build({ ...statement, ...drug, taken: 'y' });
    assert.deepEqual([isTaken.status, isTaken.current], ['active', true]);
  });

  it('names an allergy by its substance, and refutes it by its status', () => {
    const read = (status: string) => {
      const { title, current, detail } = build({
        resourceType: 'AllergyIntolerance',
        substance: { text: 'Peanut' },
        status,
        criticality: 'CRITH',
        onset: '2011-02-03',
      });
      const { clinicalStatus, verification, criticality } = detail as Details['allergy'];
      return [title, current, clinicalStatus, verification, criticality];
    };
    assert.deepEqual(read('active'), ['Peanut', true, 'active', null, 'high']);
    assert.deepEqual(read('unconfirmed'), ['Peanut', true, 'active', 'unconfirmed', 'high']);
    assert.deepEqual(read('resolved'), ['Peanut', false, 'resolved', null, 'high']);
    assert.deepEqual(read('refuted'), ['Peanut', false, null, 'refuted', 'high']);
    const inError = { resourceType: 'AllergyIntolerance', status: 'entered-in-error' };
    assert.deepEqual(buildEntries(inError, { resolve: () => null }), []);
  });

  it('is dated and named by the elements of that version', () => {
    const dated = { ...vaccine, wasNotGiven: true, date: '2013-01-10' };
    assert.equal(build(dated).dayText, '2013-01-10');
    assert.equal(findClinicalPeriod(dated).first.slice(0, 10), '2013-01-10');
    assert.equal(
      build({ resourceType: 'Condition', code: { text: 'Asthma' }, assertedDate: '2014-05-06' }).dayText,
      '2014-05-06',
    );
    assert.equal(
      buildDisplay({ resourceType: 'AllergyIntolerance', substance: { text: 'Egg' } }).display,
      'Egg',
    );
  });

  it('keeps what other types deny', () => {
    const getText = (resource: ParsedResource): string => JSON.stringify(build(resource));
    const activity = [{ detail: { description: 'Exercise', prohibited: true } }];
    assert.match(getText({ resourceType: 'CarePlan', activity }), /not to be done: Exercise/);
    assert.match(
      getText({ resourceType: 'Consent', except: [{ type: 'deny', action: [{ text: 'Resuscitation' }] }] }),
      /Refused: Resuscitation/,
    );
    assert.match(
      getText({ resourceType: 'FamilyMemberHistory', notDone: true, notDoneReason: { text: 'Adopted' } }),
      /No history: Adopted/,
    );
    assert.equal(
      build({ resourceType: 'Communication', status: 'completed', notDone: true }).status,
      'not-done',
    );
    assert.equal(build({ resourceType: 'MedicationDispense', ...drug, notDone: true }).status, 'cancelled');
  });

  it('numbers the doses of a recommendation, which is of no newer version', () => {
    const recommendation = { vaccineCode: { text: 'MMR' }, doseNumber: '2' };
    const recommend = (each: object): ParsedResource => ({
      resourceType: 'ImmunizationRecommendation',
      recommendation: [each],
    });
    const older = recommend({ date: '2016-02-01', ...recommendation });
    const newer = recommend(recommendation);
    assert.deepEqual([isOfOlderVersion(older), isOfNewerVersion(older)], [true, false]);
    assert.deepEqual([isOfOlderVersion(newer), isOfNewerVersion(newer)], [false, true]);
    for (const resource of [older, newer]) assert.match(JSON.stringify(build(resource)), /dose 2/);
  });

  it('is what R4 says where it has the elements of R4', () => {
    for (const resource of [
      vaccine,
      { ...vaccine, wasNotGiven: false },
      { ...statement, ...drug, taken: 'y' },
      { ...procedure, notDone: false },
      {
        resourceType: 'AllergyIntolerance',
        code: { text: 'Egg' },
        clinicalStatus: 'active',
        recordedDate: '2020',
      },
      { resourceType: 'Goal', lifecycleStatus: 'active' },
      { resourceType: 'Observation', status: 'final', date: '2020' },
    ])
      assert.equal(readAsR4(resource), resource);
    const inError = { ...vaccine, status: 'entered-in-error', notGiven: true };
    assert.deepEqual(buildEntries(inError, { resolve: () => null }), []);
  });
});
