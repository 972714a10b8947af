import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  startTestService,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService();
  await numberEnds();
});
beforeEach(async () => void (patient = await newTestPatient(service)));
after(() => service.stop());

/** Sends an archive with a version of the one resource; returns the batch's id as soon as it is acknowledged. */
async function send(version: number): Promise<string> {
  const resource = {
    resourceType: 'Condition',
    id: 'c',
    subject: { reference: 'Patient/p' },
    code: { text: `version ${version}` },
  };
  const form = new FormData();
  form.append('file', new Blob([await createArchive({ 'a.json': JSON.stringify(resource) })]), 'a.zip');
  const { status, body } = await call(service, `/v1/patients/${patient.id}/upload-documents`, {
    token: patient.token,
    body: form,
  });
  assert.equal(status, 202);
  return body.batchId as string;
}

/** Keeps jobs from being claimed, as when other nodes and other patients come first; the action changes them. */
async function whileHeld(action: () => Promise<string[]>): Promise<string[]> {
  const { db } = service.store;
  await db.query(sql`create or replace function hold() returns trigger language plpgsql as
    $$ begin new.run_at := new.run_at + interval '1 day'; return new; end $$`);
  await db.query(sql`create trigger hold before insert on job for each row execute function hold()`);
  try {
    return await action();
  } finally {
    await db.query(sql`drop trigger hold on job`);
  }
}

/** Makes the jobs due one after another, in the order given. */
async function makeDue(batchIds: readonly string[]): Promise<void> {
  for (const [index, batchId] of batchIds.entries())
    await service.store.db.query(sql`
      update job set run_at = clock_timestamp() - interval '1 hour' + ${index} * interval '1 minute' where unique_key = ${batchId}`);
}

/**
 * Has the database number the batches as they end. `completed_at` is the time of the thread that read each, and those of two
 * threads differ by as much as the message took that gave one its work.
 */
async function numberEnds(): Promise<void> {
  const { db } = service.store;
  await db.query(sql`create table ended (number bigint generated always as identity, batch_id uuid)`);
  await db.query(sql`create function number_end() returns trigger language plpgsql as
    $$ begin insert into ended (batch_id) values (new.batch_id); return new; end $$`);
  await db.query(sql`create trigger number_end before update on upload_batch for each row
    when (old.completed_at is null and new.completed_at is not null) execute function number_end()`);
}

/** The batches in the order in which they ended, and the version that the record holds. */
async function assertReadInOrder(batchIds: readonly string[], version: number): Promise<void> {
  for (const batchId of batchIds) await waitForBatch(service, patient, batchId);
  const { db } = service.store;
  const ended = await db.query(sql<{ batch_id: string }>`
    select batch_id from ended where batch_id = any(${batchIds}) order by number`);
  assert.deepEqual(
    ended.map(({ batch_id: id }) => id),
    batchIds,
  );
  const kept = await db.query(sql<{ body: string }>`
    select body from resource where patient_id = ${patient.id} and resource_type = 'Condition'`);
  assert.deepEqual(
    kept.map(({ body }) => (JSON.parse(body) as { code: { text: string } }).code.text),
    [`version ${version}`],
  );
}

describe('case 176: uploads of one record', () => {
  it('are read in the order of their acknowledgement, also when their jobs come in the reverse order', async () => {
    const ids = await whileHeld(async () => [await send(1), await send(2), await send(3), await send(4)]);
    await makeDue(ids.toReversed());
    await assertReadInOrder(ids, 4);
  });

  it('are read one after another without waiting for a timer', async () => {
    const ids: string[] = [];
    for (let version = 1; version <= 6; version++) ids.push(await send(version));
    await assertReadInOrder(ids, 6);
  });

  it('wait for one that a dead process holds, and for nothing else', async () => {
    const other = await newTestPatient(service);
    const ids = await whileHeld(async () => [await send(1), await send(2)]);
    const [held, waiting] = ids as [string, string];
    const { db } = service.store;
    await db.query(sql`update upload_batch set status = 'processing' where batch_id = ${held}`);
    await db.query(
      sql`update job set leased_by = ${generateId()}, run_at = clock_timestamp() + interval '1 hour' where unique_key = ${held}`,
    );
    await makeDue([waiting]);
    const mine = patient;
    patient = other;
    await assertReadInOrder([await send(7)], 7);
    patient = mine;
    await service.worker.drain();
    const { body } = await call(service, `/v1/patients/${patient.id}/upload-documents/${waiting}`, {
      token: patient.token,
    });
    assert.equal(body.status, 'queued');
    // Its lease ends.
    await makeDue([held]);
    await assertReadInOrder(ids, 2);
  });

  it('go on after one that was given up before it could be ended', async () => {
    const ids = await whileHeld(async () => [await send(1), await send(2)]);
    const [parked, next] = ids as [string, string];
    await service.store.db.query(sql`update job set state = 'parked' where unique_key = ${parked}`);
    await makeDue([next]);
    await assertReadInOrder(ids, 2);
    const { status, rejected } = await waitForBatch(service, patient, parked);
    assert.deepEqual([status, rejected[0].code], ['failed', 'processing_failed']);
  });
});
