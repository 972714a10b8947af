import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BatchId, PatientId } from '../../contract/brands.ts';
import { failBatch } from '../../server/clinical/ingest/batches/upload-job.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createBundle } from '../harness/archive.ts';
import { confirmUpload, newAskedPatient, sendFiles } from '../harness/asked-patient.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  startTestService,
  waitForBatch,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const named = (text: string, id = 'p'): object => ({ resourceType: 'Patient', id, name: [{ text }] });
const CONDITION = { resourceType: 'Condition', id: 'c', code: { text: 'Scurvy' } };
const OTHERS = { 'a.json': createBundle(named('Maria Perez'), CONDITION) };

describe('an upload that waits for its patient', () => {
  let service: TestService;
  before(async () => void (service = await startTestService()));
  after(() => service.stop());

  async function newHeld(): Promise<{ patient: TestPatient; batchId: string }> {
    const patient = await newAskedPatient(service);
    const { batchId, status } = await sendFiles(service, patient, OTHERS);
    assert.equal(status, 'needs_confirmation');
    return { patient, batchId: batchId as string };
  }

  async function assertHeld({ patient, batchId }: { patient: TestPatient; batchId: string }): Promise<void> {
    await service.worker.drain();
    assert.equal((await waitForBatch(service, patient, batchId)).status, 'needs_confirmation');
  }

  const countRows = async (table: 'resource' | 'job' | 'upload_batch', id: string): Promise<number> => {
    const [row] = await service.store.db.query<{ rows: number }>({
      text:
        table === 'job'
          ? `select count(*)::integer as rows from job where unique_key like $1 || '%'`
          : `select count(*)::integer as rows from ${table} where patient_id = $1::uuid`,
      values: [id],
    });
    return row?.rows ?? 0;
  };

  it('case 207: is confirmed by nobody else', async () => {
    const held = await newHeld();
    const stranger = await newAskedPatient(service);
    assert.equal((await confirmUpload(service, stranger, held.batchId)).status, 404);
    const crossed = { id: held.patient.id, token: stranger.token };
    assert.equal((await confirmUpload(service, crossed, held.batchId)).status, 403);
    const browser = await createSignedInBrowser(service, stranger);
    const { status } = await browser.post('/account/uploads/confirm', { batchId: held.batchId });
    assert.equal(status, 404);
    await assertHeld(held);
  });

  it('case 208: is confirmed by no organization, and not without the proof of the page', async () => {
    const held = await newHeld();
    for (const role of ['admin', 'researcher'] as const) {
      const token = await getOrganizationToken(service, role);
      const { status } = await confirmUpload(service, { id: held.patient.id, token }, held.batchId);
      assert.equal(status, 403);
    }
    const browser = await createSignedInBrowser(service, held.patient);
    const cookie = Array.from(browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const { status, body } = await call(service, '/account/uploads/confirm', {
      json: { batchId: held.batchId },
      headers: { cookie, 'x-csrf-token': 'x' },
    });
    assert.deepEqual([status, body.code], [403, 'csrf']);
    await assertHeld(held);
  });

  it('case 209: is either read or taken out, and not read after it was taken out', async () => {
    const { patient, batchId } = await newHeld();
    const remove = (): ReturnType<typeof call> =>
      call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
        method: 'DELETE',
        token: patient.token,
      });
    const [removed, confirmed] = await Promise.all([remove(), confirmUpload(service, patient, batchId)]);
    // The one that came first decides: what is being read cannot be taken out before it is.
    assert.ok(
      (removed.status === 204 && confirmed.status === 404) ||
        (confirmed.status === 202 && (removed.status === 409 || removed.status === 204)),
      `${removed.status} ${confirmed.status}`,
    );
    await service.worker.drain();
    if (removed.status !== 204) {
      assert.equal((await waitForBatch(service, patient, batchId)).status, 'completed');
      assert.equal((await remove()).status, 204);
    }
    await service.worker.drain();
    assert.equal((await confirmUpload(service, patient, batchId)).status, 404);
    await service.worker.drain();
    for (const table of ['resource', 'upload_batch'] as const)
      assert.equal(await countRows(table, patient.id), 0, table);
    assert.equal(await countRows('job', batchId), 0);
  });

  it('case 211: is read once, when the process that held it died before its job had ended', async () => {
    const { db } = service.store;
    const { patient, batchId } = await newHeld();
    // The job of the upload ends after the question is there.
    await service.worker.drain();
    const insertOldJob = (runAt: Date, attempts: number): Promise<unknown> =>
      db.query(sql`
        insert into job (job_id, kind, unique_key, payload, run_at, created_at, attempts)
        values (${generateId()}, 'upload', ${batchId}, ${JSON.stringify({ patientId: patient.id, batchId })},
          ${runAt}, ${runAt}, ${attempts})`);
    const long = new Date(Date.now() - 3_600_000);
    await insertOldJob(long, 1);
    await assertHeld({ patient, batchId });
    assert.equal(await countRows('job', batchId), 0, 'it has ended');
    // Its lease ends after the answer: the last attempt of the old job, while the new one waits.
    await insertOldJob(long, 4);
    assert.equal((await confirmUpload(service, patient, batchId)).status, 202);
    const batch = await waitForBatch(service, patient, batchId);
    await service.worker.drain();
    assert.deepEqual(
      [batch.status, batch.resources],
      ['completed', { created: 2, updated: 0, unchanged: 0 }],
    );
    assert.equal(await countRows('job', batchId), 0);
    // Or it is given up when the patient has answered.
    await db.query(
      sql`update upload_batch set status = 'queued', completed_at = null where batch_id = ${batchId}`,
    );
    const ids = { patientId: PatientId.parse(patient.id), batchId: BatchId.parse(batchId) };
    const deps = { db, clock: service.clock, emitUpdate: async () => {} };
    await failBatch(deps, ids);
    const [row] = await db.query(
      sql<{ status: string }>`select status from upload_batch where batch_id = ${batchId}`,
    );
    assert.equal(row?.status, 'queued');
    await failBatch(deps, { ...ids, isAnswered: true });
  });

  it('case 212: names few of many persons, clean and short', async () => {
    const patient = await newAskedPatient(service);
    const many = Array.from({ length: 300 }, (_each, index) => {
      const digits = String.fromCodePoint(97 + (index % 26), 97 + Math.floor(index / 26));
      return named(
        index === 0 ? `<b>\u202e${'Maria\n# '.repeat(20_000)}` : `Person ${digits} Perez`,
        `p${index}`,
      );
    });
    const batch = await sendFiles(service, patient, { 'a.json': createBundle(...many) });
    assert.equal(batch.status, 'needs_confirmation');
    assert.deepEqual([batch.question.persons.length, batch.question.total], [10, 300]);
    const [first] = batch.question.persons as { name: string }[];
    assert.match(first?.name ?? '', /^<b> (Maria # )+/);
    assert.ok((first?.name.length ?? 0) < 130);
  });
});
