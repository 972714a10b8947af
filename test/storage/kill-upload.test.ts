import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { createOrganization } from '../../server/identity/organizations/create-organization.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { findFreePort } from '../harness/postgres.ts';
import {
  call,
  newTestPatient,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { isLong } from '../harness/long.ts';
import { ENGINES, openTestStore, type Engine, type TestStore } from '../harness/store.ts';

const KILLS = isLong ? 6 : 2;

describe('an upload whose server is killed while it reads', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`on ${engine}`, () => {
      let host: Host;
      before(async () => void (host = await createHost(engine)));
      after(() => host.remove());

      it('ends as one that was not disturbed: completed, counted once, with the same entries', async () => {
        const archive = path.join(host.store.dataDirectory, 'record.zip');
        const { resources } = await writeRecordArchive(
          { seed: 7, years: isLong ? 25 : 12, endsOn: '2026-11-20' },
          archive,
        );
        const service = host as unknown as TestService;
        await host.start();
        const calm = await newTestPatient(service, { organization: host.organization });
        const disturbed = await newTestPatient(service, { organization: host.organization });
        const from = performance.now();
        const undisturbed = await waitForBatch(service, calm, await send(service, calm, archive));
        const took = performance.now() - from;

        const batchId = await send(service, disturbed, archive);
        const interrupted: string[] = [];
        for (let kill = 1; kill <= KILLS; kill++) {
          await sleep((took * kill) / (KILLS + 1));
          const { body } = await call(service, `/v1/patients/${disturbed.id}/upload-documents/${batchId}`, {
            token: disturbed.token,
          });
          interrupted.push(body.status as string);
          await host.kill();
          await host.expireLeases();
          await host.start();
        }
        assert.ok(interrupted.includes('processing'), `it was ${interrupted.join()} when it was killed`);
        const batch = await waitForBatch(service, disturbed, batchId);
        await host.kill();

        assert.equal(batch.status, 'completed');
        assert.deepEqual(batch.resources, { created: resources, updated: 0, unchanged: 0 });
        for (const result of [batch, undisturbed])
          for (const name of ['batchId', 'receivedAt', 'completedAt']) delete result[name];
        assert.deepEqual(batch, undisturbed);
        await host.look(async (db) => {
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
        });
      });
    });
  }
});

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
  const organization = await createOrganization(
    { db: store.db, clock: systemClock },
    { name: 'Clinic', project: 'Study', adminEmail: 'a@b.example' },
  );
  if (!organization) throw new Error('no organization');
  await store.db.close();
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    CHARTGATE_DATA_DIR: store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'warn',
    ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
  };
  let server: ChildProcess | undefined;

  const inspectStore = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const db = await openDb({ ...store, onFatal: (error) => assert.fail(error) });
    await work(db).finally(() => db.close());
  };
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => server?.once('exit', resolve));
    server?.kill('SIGKILL');
    await ended;
    server = undefined;
  };
  return {
    store,
    organization,
    baseUrl,
    look: inspectStore,
    kill,
    async start(): Promise<void> {
      const started = (server = spawn(process.execPath, ['server/main.ts'], {
        env: environment,
        stdio: ['ignore', 'inherit', 'inherit'],
      }));
      for (;;) {
        if (
          await fetch(`${baseUrl}/health`).then(
            () => true,
            () => false,
          )
        )
          return;
        if (started.exitCode !== null) throw new Error(`the server ended with ${started.exitCode}`);
        await sleep(20);
      }
    },
    /** On a shared store a dead node's lease would have to run out first, 30 s; jobs' own tests show that it does. */
    async expireLeases(): Promise<void> {
      if (engine === 'postgresql')
        await inspectStore((db) => db.query(sql`update job set run_at = now()`).then(() => {}));
    },
    async remove(): Promise<void> {
      if (server) await kill();
      fs.rmSync(store.dataDirectory, { recursive: true });
    },
  };
}
