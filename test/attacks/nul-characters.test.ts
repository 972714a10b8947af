import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  startTestService,
  waitForBatch,
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
    const bundle = { resourceType: 'Bundle', type: 'collection', entry: entries };
    const owner = await newTestPatient(service);
    const form = new FormData();
    form.append('file', new Blob([await createArchive({ 'a.json': JSON.stringify(bundle) })]), 'a.zip');
    const address = `/v1/patients/${owner.id}/upload-documents`;
    const { body } = await call(service, address, { token: owner.token, body: form });
    const batch = await waitForBatch(service, owner, body.batchId as string);
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(batch.resources, { created: 7, updated: 0, unchanged: 0 });
    assert.deepEqual(
      batch.rejected.map(({ code }: { code: string }) => code),
      ['class_unknown'],
    );
  });
});
