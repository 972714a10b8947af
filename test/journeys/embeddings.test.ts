import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createZip } from '../data/sample-data.ts';
import { startFakeEmbeddings, type FakeEmbeddings } from '../harness/fake-embeddings.ts';
import {
  callTool,
  getToolText,
  newTestPatient,
  startTestService,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const GOUT = {
  resourceType: 'Condition',
  id: 'gout',
  clinicalStatus: { coding: [{ code: 'active' }] },
  code: { text: 'Gout' },
  subject: { reference: 'Patient/p' },
};

describe('a service with an embeddings endpoint', () => {
  let fake: FakeEmbeddings;
  let service: TestService;
  let patient: TestPatient;
  before(async () => {
    fake = await startFakeEmbeddings();
    service = await startTestService({
      environment: { CHARTGATE_EMBEDDINGS_URL: fake.url, CHARTGATE_EMBEDDINGS_MODEL: 'letters' },
    });
    patient = await newTestPatient(service);
  });
  after(async () => {
    await service.stop();
    await fake.stop();
  });
  const search = async (): Promise<string> =>
    getToolText(await callTool(service, patient, 'search', { query: 'gout' }));
  const readFailures = async (): Promise<string[]> =>
    (await service.metrics.metrics()).match(/^chartgate_embeddings_failures_total.*$/gm) ?? [];

  it('has vectors made of an uploaded record, and of each question', async () => {
    await upload(
      service,
      patient,
      await createZip([{ path: 'gout.json', bytes: Buffer.from(JSON.stringify(GOUT)) }]),
    );
    await service.worker.drain();
    const rows = await service.store.db.query(sql<{ embedding_model: string | null }>`
      select distinct embedding_model from passage where patient_id = ${patient.id}`);
    assert.deepEqual(rows, [{ embedding_model: 'letters' }]);
    assert.match(await search(), /Condition\/gout/);
    assert.deepEqual(fake.requests.at(-1)?.body.input, ['gout']);
    assert.deepEqual(await readFailures(), []);
  });

  it('answers by concepts and words while the endpoint fails, and counts that', async () => {
    fake.answerWith({ status: 500 });
    assert.match(await search(), /Condition\/gout/);
    assert.match(await search(), /Condition\/gout/);
    assert.deepEqual(await readFailures(), ['chartgate_embeddings_failures_total{purpose="question"} 1']);
  });
});
