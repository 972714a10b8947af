import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { PatientId, SourceId } from '../../contract/brands.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { withoutObjectStore } from '../harness/no-objects.ts';
import { enqueueBatch } from '../../server/clinical/ingest/batches/enqueue-batch.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  startTestService,
  upload,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
before(async () => void (service = await startTestService()));
after(() => service.stop());

interface Kept {
  name: string;
  origin: string;
  source_id: string;
  body: string;
}

const listRecord = ({ id }: TestPatient): Promise<Kept[]> =>
  service.store.db.query(sql<Kept>`
    select resource_type || '/' || fhir_id as name, origin, source_id, body from resource where patient_id = ${id} order by seq`);

// oxlint-disable-next-line typescript/no-explicit-any
async function importFromSource(patient: TestPatient, origin: string, ...resources: object[]): Promise<any> {
  const file = path.join(service.store.dataDirectory, 'pages.zip');
  fs.writeFileSync(file, await createArchive({ 'page-1.json': createBundle(...resources) }));
  const sourceId = generateId<SourceId>();
  const batchId = await enqueueBatch(
    {
      db: service.store.db,
      clock: service.clock,
      objects: withoutObjectStore(service.store.db),
      jobs: service.worker,
    },
    { patientId: patient.id as PatientId, file, source: { sourceId, origin } },
  );
  fs.rmSync(file);
  return { ...(await waitForBatch(service, patient, batchId)), expected: sourceId };
}

const meta = { tag: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason', code: 'HTEST' }] };

const practitioner = (family: string): object => ({
  resourceType: 'Practitioner',
  meta,
  id: '1',
  name: [{ family }],
});
const condition = (id: string): object => ({
  resourceType: 'Condition',
  meta,
  id,
  code: { text: 'Asthma' },
  recorder: { reference: 'Practitioner/1' },
});

describe('what is fetched from a connected server', () => {
  it('is a batch among the uploads that names its source', async () => {
    const patient = await newTestPatient(service);
    const batch = await importFromSource(patient, 'https://a.example/fhir', condition('c'));
    assert.equal(batch.status, 'completed');
    assert.equal(batch.sourceId, batch.expected);
    const own = await upload(service, patient, await createArchive({ 'c.json': condition('own') }));
    assert.equal(own.sourceId, null);
    const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
      token: patient.token,
    });
    assert.deepEqual(
      body.results.map(({ sourceId }: { sourceId: string | null }) => sourceId),
      [null, batch.expected],
    );
  });

  it('has its ids from there: what two servers call the same stays apart, and references stay on their server', async () => {
    const patient = await newTestPatient(service);
    await importFromSource(patient, 'https://a.example/fhir', practitioner('Ahmed'), condition('a'));
    await importFromSource(patient, 'https://b.example/fhir/', practitioner('Baker'), condition('b'));
    const [ahmed, a, baker, b] = await listRecord(patient);
    assert.deepEqual(
      [ahmed, a, baker, b].map((kept) => kept?.origin),
      [
        'https://a.example/fhir',
        'https://a.example/fhir',
        'https://b.example/fhir',
        'https://b.example/fhir',
      ],
    );
    assert.notEqual(ahmed?.name, baker?.name);
    assert.deepEqual(
      [a, b].map((kept) => JSON.parse(kept?.body ?? '').recorder.reference),
      [ahmed?.name, baker?.name],
    );
  });

  it('is the same as an upload whose fullUrls name that server', async () => {
    const patient = await newTestPatient(service);
    const resource = practitioner('Ahmed');
    await upload(
      service,
      patient,
      await createArchive({ 'b.json': createBundle(['https://a.example/fhir/Practitioner/1', resource]) }),
    );
    const batch = await importFromSource(patient, 'https://a.example/fhir', resource);
    assert.deepEqual(batch.resources, { created: 0, updated: 0, unchanged: 1 });
  });

  it('is shown to partners as such', async () => {
    const patient = await newTestPatient(service);
    await importFromSource(patient, 'https://a.example/fhir', condition('c'));
    const events = await service.store.db.query(sql<{ source: string }>`
      select data ->> 'source' as source from webhook_event where patient_id = ${patient.id} and type = 'records.updated'`);
    assert.deepEqual(events, [{ source: 'CONNECTED_SOURCE' }]);
  });
});
