import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from '../../server/app.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  call,
  newTestPatient,
  generateRecordArchive,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { ENGINES } from '../harness/store.ts';

const listFolders = (): string[] =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`chartgate-${process.pid}-`));

interface StoredUpload {
  patientId: string;
  batchId: string;
}

const findBatch = ({ store }: TestService, { batchId }: StoredUpload) =>
  one(
    store.db,
    sql<{ status: string; resources_created: number }>`
      select status, resources_created from upload_batch where batch_id = ${batchId}`,
  );

async function countResources({ store }: TestService, { patientId }: StoredUpload): Promise<number> {
  const statement = sql<{
    count: number;
  }>`select count(*) as count from resource where patient_id = ${patientId}`;
  return (await one(store.db, statement)).count;
}

/** Stops the worker when resources are stored and others are not. */
async function stopWhileReading(service: TestService, archive: Buffer): Promise<StoredUpload> {
  const patient = await newTestPatient(service);
  const form = new FormData();
  form.append('file', new Blob([archive]));
  const url = `/v1/patients/${patient.id}/upload-documents`;
  const { body } = await call(service, url, { token: patient.token, body: form });
  const upload = { patientId: patient.id, batchId: body.batchId as string };
  while ((await countResources(service, upload)) === 0) await sleep(5);
  await service.worker.stop();
  return upload;
}

/** How often the stop may come too late, on a machine that is busy elsewhere, before it is a fault. */
const MAX_ATTEMPTS = 5;

for (const engine of ENGINES) {
  describe(`a service that is stopped while it reads an upload, on ${engine}`, () => {
    it('gives the upload back, leaves no files, and another one reads it to its end', async () => {
      const archive = fs.readFileSync(await generateRecordArchive({ seed: 5, years: isLong ? 20 : 8 }));
      let service = await startTestService({ engine });
      let upload = await stopWhileReading(service, archive);
      for (let attempt = 1; attempt < MAX_ATTEMPTS; attempt++) {
        if ((await findBatch(service, upload)).status === 'processing') break;
        await service.stop();
        service = await startTestService({ engine });
        upload = await stopWhileReading(service, archive);
      }
      assert.equal((await findBatch(service, upload)).status, 'processing');
      const { db } = service.store;
      const jobs = await db.query(sql`select attempts, leased_by, state from job where kind = 'upload'`);
      assert.deepEqual(jobs, [{ attempts: 0, leased_by: null, state: 'due' }]);
      assert.deepEqual(listFolders(), []);

      const other = createService({ config: service.config, db, clock: service.clock });
      await other.worker.drain();
      const { status, resources_created } = await findBatch(service, upload);
      assert.equal(status, 'completed');
      assert.equal(resources_created, await countResources(service, upload));
      await other.worker.stop();
      await service.stop();
    });
  });
}
