import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createService } from '../../server/app.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, newTestPatient, generateRecordArchive, startTestService } from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { ENGINES } from '../harness/store.ts';

const listFolders = (): string[] =>
  fs.readdirSync(os.tmpdir()).filter((name) => name.startsWith(`chartgate-${process.pid}-`));

for (const engine of ENGINES) {
  describe(`a service that is stopped while it reads an upload, on ${engine}`, () => {
    it('gives the upload back, leaves no files, and another one reads it to its end', async () => {
      const service = await startTestService({ engine });
      const { db } = service.store;
      const patient = await newTestPatient(service);
      const form = new FormData();
      form.append(
        'file',
        new Blob([fs.readFileSync(await generateRecordArchive({ seed: 5, years: isLong ? 20 : 10 }))]),
      );
      const url = `/v1/patients/${patient.id}/upload-documents`;
      const { body } = await call(service, url, { token: patient.token, body: form });
      const batch = async (): Promise<{ status: string; resources_created: number }> =>
        (
          await db.query(
            sql<{ status: string; resources_created: number }>`
              select status, resources_created from upload_batch where batch_id = ${body.batchId}`,
          )
        )[0]!;
      const countStored = async (): Promise<number> =>
        (
          await db.query(
            sql<{ count: number }>`select count(*) as count from resource where patient_id = ${patient.id}`,
          )
        )[0]!.count;
      while ((await countStored()) === 0) await sleep(5);
      await service.worker.stop();
      assert.equal((await batch()).status, 'processing');
      const jobs = await db.query(sql`select attempts, leased_by, state from job where kind = 'upload'`);
      assert.deepEqual(jobs, [{ attempts: 0, leased_by: null, state: 'due' }]);
      assert.deepEqual(listFolders(), []);

      const other = createService({ config: service.config, db, clock: service.clock });
      await other.worker.drain();
      const { status, resources_created } = await batch();
      assert.equal(status, 'completed');
      assert.equal(resources_created, await countStored());
      await other.worker.stop();
      await service.stop();
    });
  });
}
