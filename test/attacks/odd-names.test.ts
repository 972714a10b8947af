import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createArchive } from '../harness/archive.ts';
import {
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

const NUL = '\u0000';
const condition = { resourceType: 'Condition', id: 'c', code: { text: 'ankle' } };
const patient = { resourceType: 'Patient', id: 'p', identifier: [{ system: 's', value: `x${NUL}` }] };
const utf32 = Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]).toString('base64');
const note = { resourceType: 'DocumentReference', id: 'd', content: [{ attachment: { data: utf32 } }] };

async function uploadEntries(owner: TestPatient, entries: readonly object[]) {
  const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries };
  return upload(service, owner, await createArchive({ 'a.json': JSON.stringify(bundle) }));
}

describe('a NUL, which JSON can write and PostgreSQL cannot hold,', () => {
  it('does not keep the rest of an upload out of the record, wherever it stands', async () => {
    const references = [
      `Encounter/${NUL}`,
      `urn:uuid:${NUL}`,
      'Patient?identifier=%00',
      `http://x${NUL}/Patient/1`,
    ];
    const entries = [
      { resource: condition },
      { resource: { ...condition, id: `n${NUL}` } },
      {
        resource: {
          ...condition,
          id: 'r',
          evidence: [{ detail: references.map((reference) => ({ reference })) }],
        },
      },
      { resource: patient },
      { resource: note },
      { fullUrl: `http://x${NUL}y/Condition/u`, resource: { ...condition, id: 'u' } },
      { fullUrl: `urn:uuid:${NUL}`, resource: { ...condition, id: 'v' } },
    ];
    const batch = await uploadEntries(await newTestPatient(service), entries);
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(batch.resources, { created: 7, updated: 0, unchanged: 0 });
    assert.deepEqual(
      batch.rejected.map(({ code }: { code: string }) => code),
      ['class_unknown'],
    );
  });
});

describe('case 198: a name that is longer than an entry of an index may be', () => {
  it('keeps nothing out of the record, and an id of it means the same resource again', async () => {
    // In hexadecimal, which does not pack well: PostgreSQL compresses what it indexes.
    const long = randomBytes(20_000).toString('hex');
    const coding = [{ system: `http://${long}`, code: long, display: long }];
    const references = [`Encounter/${long}`, `urn:uuid:${long}`, `http://${long}/Patient/1`];
    const entries = [
      { fullUrl: `http://${long}/Condition/c`, resource: { ...condition, code: { coding, text: long } } },
      { resource: { ...condition, id: long } },
      { fullUrl: `urn:uuid:${long}`, resource: { resourceType: 'Condition', code: { text: 'wrist' } } },
      { resource: { ...patient, identifier: [{ system: long, value: long }], name: [{ family: long }] } },
      ...references.map((reference, index) => ({
        resource: {
          resourceType: 'Observation',
          id: `o${index}`,
          category: [{ coding: [{ code: 'laboratory' }] }],
          code: { coding, text: long },
          encounter: { reference, display: long },
          performer: [{ reference: `Organization?identifier=${long}`, display: long }],
          valueQuantity: { value: 1, unit: long, code: long },
          referenceRange: [{ text: long }],
          interpretation: [{ coding }],
        },
      })),
      { resource: { resourceType: 'MedicationRequest', id: long, medicationCodeableConcept: { coding } } },
    ];
    const owner = await newTestPatient(service);
    const first = await uploadEntries(owner, entries);
    assert.deepEqual([first.status, first.resources.created], ['completed', 8]);
    const again = await uploadEntries(owner, entries);
    assert.deepEqual(again.resources, { created: 0, updated: 0, unchanged: 8 });
  });
});
