import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createTestClock } from '../harness/clock.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  newOrganization,
  newTestPatient,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { ENGINES, openTestStore, type Engine, type TestStore } from '../harness/store.ts';
import { createServerNode } from './server-node.ts';

const KILLS = isLong ? 6 : 1;

describe('an upload whose server is killed while it reads', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`on ${engine}`, () => {
      let host: Host;
      before(async () => void (host = await createHost(engine)));
      after(() => host.remove());

      it('ends as one that was not disturbed: completed, counted once, with the same entries', async () => {
        const archive = path.join(host.store.dataDirectory, 'record.zip');
        const { resources } = await writeRecordArchive(
          { seed: 7, years: isLong ? 25 : 3, endsOn: '2026-11-20' },
          archive,
        );
        await host.node.start();
        const calm = await host.newPatient();
        const calmBatch = await send(host.service, calm, archive);
        await waitUntilRead(host.service, calm, calmBatch);
        const from = performance.now();
        const undisturbed = await waitForBatch(host.service, calm, calmBatch);
        const readingMs = performance.now() - from;
        const peak = host.node.readPeakMegabytes() ?? 0;
        // The embedded engine compiled by V8's optimizing compiler takes 880 MB, and else 450.
        assert.ok(peak < 700, `${peak} MB`);

        const { patient: disturbed, batchId } = await killWhileReading(host, archive, readingMs);
        const batch = await waitForBatch(host.service, disturbed, batchId);
        await host.node.kill();

        assert.equal(batch.status, 'completed');
        assert.deepEqual(batch.resources, { created: resources, updated: 0, unchanged: 0 });
        for (const result of [batch, undisturbed])
          for (const name of ['batchId', 'receivedAt', 'completedAt']) delete result[name];
        assert.deepEqual(batch, undisturbed);
        await host.inspectStore(async (db) => {
          for (const table of [
            'clinical_entry',
            'resource',
            'passage',
            'passage_use',
            'resource_identifier',
            'record_head',
            'blob_chunk',
          ]) {
            const [before, later] = [
              await readContent(db, table, calm),
              await readContent(db, table, disturbed),
            ];
            assert.ok(
              before.length === later.length && before.every((row, index) => row === later[index]),
              `${table} differs`,
            );
            assert.equal(before.length > 0, table !== 'blob_chunk', table);
          }
          assert.equal(await countBeingLabeled(db, disturbed), 0);
        });
      });
    });
  }
});

interface Upload {
  patient: TestPatient;
  batchId: string;
}

/**
 * Uploads the archive and kills the server KILLS times, each time later in the reading, before it has ended. What a batch
 * was when its server died is what the next server says of it first: a batch that was completed by then was killed too
 * late, and another patient's is killed earlier.
 */
async function killWhileReading(host: Host, archive: string, readingMs: number): Promise<Upload> {
  for (let span = readingMs; ; span /= 2) {
    const patient = await host.newPatient();
    const upload = { patient, batchId: await send(host.service, patient, archive) };
    await waitUntilRead(host.service, patient, upload.batchId);
    let kill = 1;
    for (; kill <= KILLS; kill++) {
      await sleep((span * kill) / (KILLS + 1));
      await host.node.kill();
      await host.expireLeases();
      await host.node.start();
      if ((await readStatus(host.service, upload)) !== 'processing') break;
    }
    if (kill > KILLS) return upload;
  }
}

/** Waits until a job has begun to read the batch. */
async function waitUntilRead(service: TestService, patient: TestPatient, batchId: string): Promise<void> {
  while ((await readStatus(service, { patient, batchId })) === 'queued') await sleep(5);
}

async function readStatus(service: TestService, { patient, batchId }: Upload): Promise<string> {
  const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
    token: patient.token,
  });
  return body.status as string;
}

/** Counts entries whose labels readers do not go by yet. */
async function countBeingLabeled(db: Db, patient: TestPatient): Promise<number | undefined> {
  const [row] = await db.query(sql<{ count: number }>`
    select count(*)::integer as count from clinical_entry join record_head using (patient_id)
    where patient_id = ${patient.id} and clinical_entry.labeling_run > labeled_run`);
  return row?.count;
}

/** All rows of a patient, without what is theirs or the time's. */
async function readContent(db: Db, table: string, patient: TestPatient): Promise<string[]> {
  // The source of an entry is named after the batch that brought it.
  const own = [
    'patient_id',
    'first_batch_id',
    'last_batch_id',
    'last_updated',
    'last_synchronized_at',
    'source_key',
    // Which run labeled it, and what readers went by before that ended: an upload that begins anew labels in another run.
    'labeling_run',
    'labeled_run',
    ...(table === 'clinical_entry' ? ['published_labels'] : []),
    // How often the record was written to (an upload that begins anew writes more often), whether its size was summed yet, its secret.
    ...(table === 'record_head' ? ['version', 'body_bytes', 'body_bytes_version', 'document_key'] : []),
  ];
  const text = `select row::jsonb - $2::text[] as row from (select to_json(t) as row from ${table} t where patient_id = $1) rows order by 1`;
  return (await db.query<{ row: string }>({ text, values: [patient.id, own] })).map(({ row }) => row);
}

async function send(service: TestService, patient: TestPatient, archive: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([fs.readFileSync(archive)]), 'record.zip');
  const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
    token: patient.token,
    body: form,
  });
  return body.batchId as string;
}

type Host = Awaited<ReturnType<typeof createHost>>;

/** A server process on a store of its own, to be killed and started again. */
async function createHost(engine: Engine) {
  const store: TestStore = await openTestStore(engine);
  const organization = await newOrganization({ store, clock: createTestClock() });
  await store.db.close();
  const node = createServerNode(await findFreePort(), {
    CHARTGATE_DATA_DIR: store.dataDirectory,
    ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
  });
  const service = { baseUrl: node.baseUrl, organization } as unknown as TestService;

  const inspectStore = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const db = await openDb({ ...store, onFatal: (error) => assert.fail(error) });
    await work(db).finally(() => db.close());
  };
  return {
    store,
    node,
    service,
    inspectStore,
    newPatient: () => newTestPatient(service),
    /** On a shared store a dead node's lease would have to run out first, 30 s; jobs' own tests show that it does. */
    async expireLeases(): Promise<void> {
      if (engine === 'postgresql')
        await inspectStore((db) => db.query(sql`update job set run_at = now()`).then(() => {}));
    },
    async remove(): Promise<void> {
      await node.kill();
      fs.rmSync(store.dataDirectory, { recursive: true });
    },
  };
}
