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

const concept = (text: string) => ({ concept: { text } });
const coded = (code: string) => ({ coding: [{ code }] });
const warfarin = {
  resourceType: 'MedicationStatement',
  status: 'recorded',
  medication: concept('Warfarin'),
  effectiveDateTime: '2024-05-06',
};

describe('a resource of FHIR R5', () => {
  it('says by its adherence whether a drug is taken', () => {
    const read = (adherence?: object) => {
      const { title, status, current } = build({ ...warfarin, ...(adherence && { adherence }) });
      return [title, status, current];
    };
    assert.deepEqual(read(), ['Warfarin', 'active', true]);
    assert.deepEqual(read({ code: coded('taking-as-directed') }), ['Warfarin', 'active', true]);
    assert.deepEqual(read({ code: coded('not-taking') }), ['Warfarin', 'not-taken', false]);
    assert.deepEqual(read({ code: coded('on-hold-as-directed') }), ['Warfarin', 'on-hold', false]);
    assert.deepEqual(read({ code: coded('stopped') }), ['Warfarin', 'stopped', false]);
    assert.deepEqual(read({ code: coded('unknown') }), ['Warfarin', 'unknown', false]);
    const refused = { ...warfarin, adherence: { code: coded('not-taking'), reason: [{ text: 'Bleeding' }] } };
    assert.match(JSON.stringify(build(refused).detail), /Bleeding/);
    assert.ok(isDenied(build(refused)));
    assert.equal(findObjection(refused), 'not-taken');
    assert.match(JSON.stringify(refused), new RegExp(OBJECTING_WORDS, 'i'));
    const inError = { ...warfarin, status: 'entered-in-error', adherence: { code: coded('taking') } };
    assert.deepEqual(buildEntries(inError, { resolve: () => null }), []);
  });

  it('names the reactions of an allergy, and who says so', () => {
    const { detail } = build({
      resourceType: 'AllergyIntolerance',
      code: { text: 'Penicillin' },
      reaction: [{ manifestation: [concept('Anaphylaxis'), { reference: { display: 'Hives' } }] }],
      participant: [{ function: coded('author'), actor: { display: 'Dr. Crooks' } }],
    });
    const { reactions, asserter } = detail as Details['allergy'];
    assert.deepEqual([reactions, asserter], [['Anaphylaxis, Hives'], 'Dr. Crooks']);
  });

  it('is dated by the elements of R5, for tools and by clinical period', () => {
    const date = '2021-02-03';
    for (const resource of [
      { resourceType: 'Procedure', code: { text: 'Hip' }, occurrenceDateTime: date },
      { resourceType: 'Procedure', code: { text: 'Hip' }, occurrencePeriod: { start: date, end: date } },
      { resourceType: 'Encounter', status: 'completed', actualPeriod: { start: date } },
      {
        resourceType: 'MedicationAdministration',
        medication: concept('Warfarin'),
        occurenceDateTime: date,
      },
      { resourceType: 'AdverseEvent', code: { text: 'Fall' }, occurrenceDateTime: date },
      { resourceType: 'DocumentReference', type: { text: 'Letter' }, period: { start: date } },
      { resourceType: 'Consent', decision: 'deny', date },
    ]) {
      assert.equal(build(resource).dayText, date, resource.resourceType);
      assert.equal(findClinicalPeriod(resource).first.slice(0, 10), date, resource.resourceType);
    }
  });

  it('names why, of what and with what', () => {
    const visit = build({
      resourceType: 'Encounter',
      class: [coded('AMB')],
      serviceType: [concept('Cardiology')],
      reason: [{ value: [concept('Chest pain')] }],
      diagnosis: [{ condition: [concept('Angina')] }],
      admission: { dischargeDisposition: { text: 'Home' } },
    });
    const { reason, diagnoses, disposition } = visit.detail as Details['visit'];
    assert.deepEqual(
      [visit.title, reason, diagnoses, disposition],
      ['Cardiology', 'Chest pain', 'Angina', 'Home'],
    );
    const getText = (resource: ParsedResource): string => JSON.stringify(build(resource));
    const reason5 = [concept('Cough')];
    for (const [resource, pattern] of [
      [
        { resourceType: 'ServiceRequest', code: concept('Chest X-ray'), reason: reason5 },
        /Order: Chest X-ray.*Cough/,
      ],
      [{ resourceType: 'Procedure', code: { text: 'Scan' }, reason: reason5 }, /Scan.*Cough/],
      [{ resourceType: 'ImagingStudy', procedure: [concept('CT of head')] }, /CT of head/],
      [{ resourceType: 'Device', name: [{ value: 'Pacemaker X' }] }, /Pacemaker X/],
      [{ resourceType: 'Device', definition: concept('Insulin pump') }, /Insulin pump/],
      [{ resourceType: 'DeviceRequest', code: concept('Wheelchair') }, /Wheelchair/],
      [{ resourceType: 'Immunization', vaccineCode: { text: 'MMR' }, reason: reason5 }, /MMR.*Cough/],
      [
        { resourceType: 'CarePlan', activity: [{ plannedActivityReference: { display: 'Diet' } }] },
        /Activities: Diet/,
      ],
      [{ resourceType: 'Consent', category: [{ text: 'Research' }], decision: 'deny' }, /Research.*Refused/],
      [
        { resourceType: 'Consent', decision: 'permit', provision: [{ action: [{ text: 'Resuscitation' }] }] },
        /Refused: Resuscitation/,
      ],
      [
        {
          resourceType: 'MedicationDispense',
          status: 'declined',
          medication: concept('Warfarin'),
          notPerformedReason: concept('Too dear'),
        },
        /Warfarin.*Too dear/,
      ],
    ] as const)
      assert.match(getText(resource), pattern);
    assert.equal(buildDisplay({ resourceType: 'ServiceRequest', code: concept('MRI') }).display, 'MRI');
  });

  it('is of no older version, and one of R4 is of none', () => {
    assert.deepEqual([isOfNewerVersion(warfarin), isOfOlderVersion(warfarin)], [true, false]);
    for (const resource of [
      {
        resourceType: 'MedicationStatement',
        status: 'active',
        medicationReference: { reference: 'Medication/1' },
      },
      {
        resourceType: 'CarePlan',
        addresses: [{ reference: 'Condition/1' }],
        activity: [{ reference: { reference: 'Task/1' } }],
      },
      {
        resourceType: 'Encounter',
        class: { code: 'AMB' },
        diagnosis: [{ condition: { reference: 'Condition/1' } }],
      },
      { resourceType: 'DocumentReference', context: { period: { start: '2020' } }, date: '2020' },
      {
        resourceType: 'Immunization',
        manufacturer: { reference: 'Organization/1' },
        reaction: [{ detail: { reference: 'Observation/1' } }],
      },
    ])
      assert.equal(readAsR4(resource), resource);
  });
});
