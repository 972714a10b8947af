import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildEntries } from './build-entries.ts';
import { findObjection, OBJECTING_WORDS } from './objection.ts';
import { readStatusCode } from './status-code.ts';

const HL7 = 'http://terminology.hl7.org/CodeSystem';
const own = (code: string, display?: string) => ({ system: 'urn:oid:1.2.3', code, display });
const verified = (code: string) => ({ system: `${HL7}/condition-ver-status`, code });
const clinical = (code: string) => ({ system: `${HL7}/condition-clinical`, code });

const NOTHING = { resolve: () => null };

describe('the status of a concept', () => {
  it('is that of the standard’s code system, wherever its coding stands', () => {
    for (const [coding, status] of [
      [[own('9'), verified('confirmed')], 'confirmed'],
      [[verified('provisional'), own('9')], 'provisional'],
      [[own('inactive'), clinical('active')], 'active'],
      [[own('1', 'Resolved'), clinical('active')], 'active'],
      [[own('active'), { system: 'http://hl7.org/fhir/condition-clinical', code: 'resolved' }], 'resolved'],
      [[own('active'), { system: `${HL7}/allergyintolerance-clinical`, code: 'inactive' }], 'inactive'],
    ] as const)
      assert.equal(readStatusCode({ coding, text: 'Something else' }), status, JSON.stringify(coding));
  });

  it('is one that the standard knows where no coding is of its system, then the text, then the display', () => {
    const read = (...written: [text: string | undefined, ...coding: object[]]) =>
      readStatusCode({ text: written[0], coding: written.slice(1) });
    assert.equal(read('Active', own('9'), { code: 'resolved' }), 'resolved');
    assert.equal(read('Something else', own('9', 'Entered in error')), 'entered-in-error');
    assert.equal(read('Ruled out', own('9')), 'refuted');
    assert.equal(read('Under discussion', own('9')), 'under discussion');
    assert.equal(read(undefined, own('9', 'Verworfen')), 'verworfen');
    assert.equal(read(undefined, own('9')), '9');
    assert.equal(read(undefined, { system: 'http://x', code: 'unknown' }, clinical('active')), 'active');
  });

  it('is the gravest where codings contradict each other', () => {
    for (const coding of [
      [verified('confirmed'), verified('refuted')],
      [own('refuted'), verified('confirmed')],
      [verified('refuted'), own('9'), verified('provisional')],
    ])
      assert.equal(readStatusCode({ coding }), 'refuted');
    assert.equal(
      readStatusCode({ coding: [verified('refuted'), own('entered-in-error')] }),
      'entered-in-error',
    );
  });

  it('decides what a condition and an allergy are, also behind a coding of the sender', () => {
    const coding = (name: string, code: string) => ({
      coding: [own('9'), { system: `${HL7}/${name}`, code }],
    });
    for (const resource of [
      {
        resourceType: 'Condition',
        code: { text: 'Asthma' },
        verificationStatus: coding('condition-ver-status', 'entered-in-error'),
      },
      {
        resourceType: 'AllergyIntolerance',
        code: { text: 'Egg' },
        verificationStatus: coding('allergyintolerance-verification', 'entered-in-error'),
      },
    ])
      assert.deepEqual(buildEntries(resource, NOTHING), []);
    const [condition] = buildEntries(
      {
        resourceType: 'Condition',
        code: { text: 'Asthma' },
        clinicalStatus: coding('condition-clinical', 'active'),
        verificationStatus: coding('condition-ver-status', 'confirmed'),
      },
      NOTHING,
    );
    assert.deepEqual([condition?.status, condition?.current], ['active', true]);
    const [allergy] = buildEntries(
      {
        resourceType: 'AllergyIntolerance',
        code: { text: 'Egg' },
        clinicalStatus: coding('allergyintolerance-clinical', 'inactive'),
      },
      NOTHING,
    );
    assert.deepEqual([allergy?.status, allergy?.current], ['inactive', false]);
  });
});

describe('the spelling of a status', () => {
  it('is that of the standard, whatever letters and separators it is written with', () => {
    for (const [written, status] of [
      ['Active', 'active'],
      ['NOT_DONE', 'not-done'],
      ['Not Done', 'not-done'],
      ['notDone', 'not-done'],
      ['not given', 'not-done'],
      ['On  hold', 'on-hold'],
      ['Entered in Error', 'entered-in-error'],
      ['enteredInError', 'entered-in-error'],
      ['Canceled', 'cancelled'],
      ['In Progress', 'in-progress'],
      ['No-Show', 'noshow'],
      ['Taken off', 'taken off'],
    ] as const) {
      assert.equal(readStatusCode(written), status, written);
      assert.equal(readStatusCode({ text: written }), status, written);
    }
  });

  it('decides what an order, a vaccine and a procedure are', () => {
    const build = (resource: { resourceType: string; [name: string]: unknown }) =>
      buildEntries(resource, NOTHING)[0];
    const order = build({
      resourceType: 'MedicationRequest',
      status: 'Active',
      intent: 'Order',
      medicationCodeableConcept: { text: 'Heparin' },
    });
    assert.deepEqual([order?.status, order?.current], ['active', true]);
    const proposal = build({
      resourceType: 'MedicationRequest',
      status: 'active',
      intent: 'Proposal',
      medicationCodeableConcept: { text: 'Heparin' },
    });
    assert.equal(proposal?.current, false);
    const vaccine = build({
      resourceType: 'Immunization',
      status: 'not_done',
      vaccineCode: { text: 'MMR' },
    });
    assert.ok(vaccine?.kind === 'immunization');
    assert.deepEqual([vaccine.status, vaccine.detail.notDone], ['not-done', true]);
    const procedure = build({ resourceType: 'Procedure', status: 'Not Done', code: { text: 'X-ray' } });
    assert.ok(procedure?.kind === 'procedure');
    assert.deepEqual([procedure.status, procedure.detail.notDoneReason], ['not-done', 'reason not recorded']);
  });

  it('is found in what is looked through for what stands against a resource', () => {
    for (const [resource, objection] of [
      [{ resourceType: 'Procedure', status: 'Not Done' }, 'not-done'],
      [{ resourceType: 'Immunization', status: 'not_given' }, 'not-done'],
      [{ resourceType: 'Task', status: 'Canceled' }, 'cancelled'],
      [{ resourceType: 'Observation', status: 'ENTERED IN ERROR' }, 'entered-in-error'],
      [{ resourceType: 'Condition', verificationStatus: { text: 'Ruled out' } }, 'refuted'],
      [
        { resourceType: 'Condition', verificationStatus: { coding: [own('9'), verified('refuted')] } },
        'refuted',
      ],
    ] as const) {
      assert.equal(findObjection(resource), objection);
      assert.match(JSON.stringify(resource), new RegExp(OBJECTING_WORDS, 'i'));
    }
  });
});
