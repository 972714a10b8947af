import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import type { Queryable } from '../../server/platform/db/db.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { call, callTool, newTestPatient, startTestService } from '../harness/service.ts';
import type { TestPatient, TestService } from '../harness/service.ts';
import { openTestStore, type TestStore } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';

/** A session that takes writes whatever the database says, and that nobody ends. */
async function openAdmin(databaseUrl: string): Promise<pg.Client> {
  const admin = new pg.Client(databaseUrl);
  await admin.connect();
  await admin.query('set default_transaction_read_only = off');
  return admin;
}

describe('a PostgreSQL that takes no writes for a while', () => {
  let store: TestStore;
  let admin: pg.Client;
  let service: TestService;
  let patient: TestPatient;
  before(async () => {
    store = await openTestStore('postgresql', { isNew: true, pipelines: 8 });
    admin = await openAdmin(store.databaseUrl as string);
    service = await startTestService({ store, environment: { CHARTGATE_LOG_LEVEL: 'silent' } });
    patient = await newTestPatient(service);
  });
  after(async () => {
    await admin.end();
    await service.stop();
  });

  const setDatabase = async (setting: string): Promise<void> => {
    const { rows } = await admin.query<{ name: string }>('select quote_ident(current_database()) as name');
    await admin.query(`alter database ${rows[0]?.name ?? ''} ${setting}`);
  };
  const endSessions = () =>
    admin.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
  const readStatus = async (): Promise<number> => (await call(service, '/readyz')).status;
  const withdraw = () =>
    call(service, `/v1/projects/${patient.projectId}/patients/${patient.id}/consent`, {
      token: patient.token,
      json: { consentStatus: 'OPTED_OUT', consentType: 'PATIENT_DIRECTED_DATA_EXCHANGE' },
    });

  it('is not ready meanwhile, and every write is refused as one that was not made', async () => {
    await setDatabase('set default_transaction_read_only = on');
    await endSessions();
    await waitUntil('a node without writes is not ready', async () => (await readStatus()) === 503);
    const { status, headers, body } = await withdraw();
    assert.deepEqual([status, body.code, headers.get('retry-after')], [503, 'store_unavailable', '5']);
    const called = await callTool(service, patient, 'get_labs');
    assert.deepEqual([called.status, called.body.error.code], [503, -32000], 'its audit entry is a write');
    const write = sql`insert into organization (organization_id, name, created_at)
      values ('11111111-1111-4111-8111-111111111111', 'Clinic', now())`;
    const refusal = { name: 'StoreError', outcome: 'unchanged' };
    await assert.rejects(store.db.query(write), refusal);
    await assert.rejects(
      store.db.tx((tx) => tx.query(write)),
      refusal,
    );
  });

  it('is used again when it takes writes, although sessions of the time before stay as they began', async () => {
    await setDatabase('reset default_transaction_read_only');
    await waitUntil('a node is ready again', async () => (await readStatus()) === 200);
    // Sessions are made anew once a second at most.
    await waitUntil('a withdrawal is taken', async () => (await withdraw()).status === 201);
    assert.equal((await callTool(service, patient, 'get_labs')).status, 403);
  });

  it('refuses no write for a session of that time, and those that wait for its answers get them', async () => {
    await setDatabase('set default_transaction_read_only = on');
    const size = { pipelines: 2, transactions: 2 };
    const db = openPostgres(store.databaseUrl as string, { size });
    const write = sql`delete from organization where false`;
    try {
      const readPid = async (on: Queryable): Promise<number | undefined> =>
        (await on.query(sql<{ pid: number }>`select pg_backend_pid() as pid`))[0]?.pid;
      const readAll = async (): Promise<(number | undefined)[]> =>
        Promise.all([readPid(db), readPid(db), db.tx(readPid), db.tx(readPid)]);
      const before = await readAll();
      await setDatabase('reset default_transaction_read_only');
      const [, ...beside] = await Promise.all([db.query(write), readPid(db), readPid(db)]);
      for (const pid of beside) assert.ok(before.includes(pid), 'it was sent before the refusal came');
      await db.tx((tx) => tx.query(write));
      for (const pid of await readAll()) assert.ok(!before.includes(pid));
    } finally {
      await db.close();
    }
  });
});
