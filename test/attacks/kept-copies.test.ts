import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { BatchId, PatientId } from '../../contract/brands.ts';
import { completeBatch, createArchiveReport } from '../../server/clinical/ingest/batches/complete-batch.ts';
import { failBatch } from '../../server/clinical/ingest/batches/upload-job.ts';
import { importResources } from '../../server/clinical/ingest/import/import.ts';
import { rebuildEntries } from '../../server/clinical/ingest/import/rebuild-entries.ts';
import { parseResource } from '../../server/clinical/store/parse-resource.ts';
import { purgeVersions } from '../../server/clinical/store/purge-versions.ts';
import { createRecordsUpdatedEmitter } from '../../server/consent/decisions/records-updated-event.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { createEmitter } from '../../server/surfaces/webhooks/events/create-emitter.ts';
import { nameSpoolFile } from '../harness/import-record.ts';
import {
  decide,
  newTestPatient,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { getVocabulary } from '../harness/vocabulary.ts';

const visit = (text: string): object => ({
  resourceType: 'Encounter',
  id: 'visit',
  status: 'finished',
  class: { code: 'AMB' },
  type: [{ text }],
});
const result = (id: string): object => ({
  resourceType: 'Observation',
  id,
  status: 'final',
  category: [{ coding: [{ code: 'laboratory' }] }],
  code: { text: 'Sodium' },
  encounter: { reference: 'Encounter/visit' },
});
const NORMAL = { consentDataSensitivityScopes: ['NORMAL'] };

describe('a copy of what an upload changes that does not end (case 582)', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());
  const emitUpdate = createRecordsUpdatedEmitter(createEmitter(() => {}));

  async function newReader(scopes: object): Promise<TestPatient> {
    const patient = await newTestPatient(service, { consent: false });
    assert.equal((await decide(service, patient, 'OPTED_IN', scopes)).status, 201);
    return patient;
  }

  async function begin({ id }: TestPatient): Promise<BatchId> {
    const batchId = generateId<BatchId>();
    await service.store.db.query(sql`
      insert into upload_batch (patient_id, batch_id, status, received_at, position)
      select ${id}, ${batchId}, 'processing', ${service.clock.now()}, count(*) + 1 from upload_batch where patient_id = ${id}`);
    return batchId;
  }

  /** Writes and labels; `isKilled`: it is killed when all is written and nothing is labeled. */
  const write = (
    { id }: TestPatient,
    batchId: BatchId,
    { resources, isKilled = false }: { resources: readonly object[]; isKilled?: boolean },
  ): Promise<unknown> => {
    const { db } = service.store;
    const query: Db['query'] = async (statement) => {
      if (isKilled && statement.text.includes('labeling_run = labeling_run + 1')) throw new Error('killed');
      return db.query(statement);
    };
    return importResources(
      { db: { ...db, query }, clock: service.clock, getVocabulary, extractText: async () => null },
      {
        patientId: id as PatientId,
        batchId,
        origin: '',
        spoolFile: nameSpoolFile(),
        signal: new AbortController().signal,
      },
      (async function* () {
        for (const resource of resources) {
          const text = JSON.stringify(resource);
          yield {
            path: 'record.json',
            found: { text, resource: parseResource(text), fullUrl: null, position: '' },
          };
        }
      })(),
    );
  };

  const end = ({ id }: TestPatient, batchId: BatchId): Promise<void> =>
    completeBatch(
      { db: service.store.db, clock: service.clock, emitUpdate },
      { patientId: id as PatientId, batchId },
      {
        status: 'completed',
        report: createArchiveReport(),
        result: { created: 0, updated: 1, unchanged: 0 },
      },
    );

  const fail = ({ id }: TestPatient, batchId: BatchId): Promise<void> =>
    failBatch(
      { db: service.store.db, clock: service.clock, emitUpdate },
      { patientId: id as PatientId, batchId },
    );

  const relabel = ({ id }: TestPatient): Promise<void> =>
    rebuildEntries(
      {
        db: service.store.db,
        clock: service.clock,
        getVocabulary,
        emitUpdate,
        extractText: async () => null,
      },
      { patientId: id as PatientId, batchId: null },
    );

  let seen = 0;
  /** Returns what is new among the events: what each names, and whether something is not shown any more. */
  async function listNew({ id }: TestPatient): Promise<string[]> {
    const rows = await service.store.db.query(sql<{ data: string }>`
      select data from webhook_event where patient_id = ${id} and type = 'records.updated' order by event_id`);
    const added = rows.slice(seen).map(({ data }) => JSON.parse(data) as Record<string, unknown>);
    seen = rows.length;
    return added.map((data) => `${String(data['source'])}${data['removed'] === true ? ' removed' : ''}`);
  }

  async function createKnown(scopes: object): Promise<TestPatient> {
    const patient = await newReader(scopes);
    const first = await begin(patient);
    await write(patient, first, { resources: [visit('Check-up'), result('one')] });
    await end(patient, first);
    seen = 0;
    assert.deepEqual(await listNew(patient), ['UPLOAD']);
    return patient;
  }

  it('is announced to who reads by labels when a job has labeled it, a day later too, and to who reads all at once', async () => {
    for (const [scopes, atOnce, later] of [
      [NORMAL, [], ['CLASSIFICATION removed']],
      [{}, ['UPLOAD'], []],
    ] as const) {
      const patient = await createKnown(scopes);
      const batchId = await begin(patient);
      const resources = [visit('Psychiatry visit'), result('two')];
      await assert.rejects(write(patient, batchId, { resources, isKilled: true }), /killed/);
      await fail(patient, batchId);
      assert.deepEqual(await listNew(patient), atOnce);
      service.clock.advance(25 * 3600_000);
      await purgeVersions({ db: service.store.db, clock: service.clock });
      await relabel(patient);
      assert.deepEqual(await listNew(patient), later);
      await relabel(patient);
      assert.deepEqual(await listNew(patient), []);
    }
  });

  it('is announced by the attempt that ends, where another one was killed after it had published labels', async () => {
    for (const [scopes, expected] of [
      [NORMAL, ['UPLOAD removed']],
      [{}, ['UPLOAD']],
    ] as const) {
      const patient = await createKnown(scopes);
      const batchId = await begin(patient);
      const resources = [visit('Psychiatry visit')];
      await write(patient, batchId, { resources });
      assert.deepEqual(await listNew(patient), []);
      await write(patient, batchId, { resources });
      await end(patient, batchId);
      assert.deepEqual(await listNew(patient), expected);
    }
  });

  it('is announced once where nothing but labels of what was there has changed', async () => {
    const patient = await createKnown(NORMAL);
    const { db } = service.store;
    // By earlier rules.
    await db.query(sql`update resource_label set required_labels = -1 where patient_id = ${patient.id}`);
    await relabel(patient);
    assert.deepEqual(await listNew(patient), ['CLASSIFICATION']);
    await relabel(patient);
    assert.deepEqual(await listNew(patient), []);
  });
});
