import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { purgeOrphans } from '../../server/clinical/ingest/originals/purge-orphans.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive } from '../harness/archive.ts';
import { newFlow } from '../harness/authorization.ts';
import {
  call,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const QUOTA_BYTES = 3_000_000;
const DAY_MS = 24 * 3600 * 1000;

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService({ environment: { CHARTGATE_QUOTA_BYTES: String(QUOTA_BYTES) } });
});
beforeEach(async () => void (patient = await newTestPatient(service)));
after(() => service.stop());

const condition = {
  resourceType: 'Condition',
  id: 'c',
  subject: { reference: 'Patient/p' },
  code: { text: 'Gout' },
};

async function createForm(files: Record<string, string | Buffer>): Promise<FormData> {
  const form = new FormData();
  form.append('file', new Blob([await createArchive(files)]), 'a.zip');
  return form;
}

const send = async (
  files: Record<string, string | Buffer> = { 'a.json': JSON.stringify(condition) },
): Promise<HttpResponse> =>
  call(service, `/v1/patients/${patient.id}/upload-documents`, {
    token: patient.token,
    body: await createForm(files),
  });

/** Batches as earlier uploads left them. */
const addBatches = (patientId: string, count: number, status: string): Promise<unknown> =>
  service.store.db.query(sql`
    insert into upload_batch (patient_id, batch_id, status, received_at, completed_at, position)
    select ${patientId}, id, ${status}, ${service.clock.now()}, case when ${status} = 'completed' then ${service.clock.now()}::timestamptz end, n
    from unnest(${Array.from({ length: count }, () => generateId())}::uuid[]) with ordinality as made(id, n)`);

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

describe('case 178: what a patient may upload', () => {
  it('is 20 archives that wait to be read: the next is 429, by API and by page, and counted in the metrics', async () => {
    await addBatches(patient.id, 20, 'queued');
    const refused = await send();
    assert.deepEqual(getStatusAndCode(refused), [429, 'too_many_unfinished']);
    assert.equal(refused.headers.get('retry-after'), '60');
    assert.match(refused.headers.get('content-type') ?? '', /^application\/problem\+json/);

    const { browser, patient: person } = await newFlow(service);
    await addBatches(person.id, 20, 'queued');
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'x-csrf-token': await browser.csrfToken() };
    const form = await createForm({ 'a.json': JSON.stringify(condition) });
    const byPage = await call(service, '/account/uploads', { headers, body: form });
    assert.deepEqual(getStatusAndCode(byPage), [429, 'too_many_unfinished']);

    assert.match(
      await service.metrics.metrics(),
      /^chartgate_uploads_refused_total\{code="too_many_unfinished"\} 2$/m,
    );
  });

  it('is no more when uploads race: one of several passes where one is left', async () => {
    await addBatches(patient.id, 19, 'queued');
    const answers = await Promise.all([send(), send(), send()]);
    assert.deepEqual(
      answers.map(({ status }) => status).sort((one, other) => one - other),
      [202, 429, 429],
    );
  });

  it('is 50 archives within 24 hours: the next is 429 until the first of them is a day old', async () => {
    await addBatches(patient.id, 50, 'completed');
    const refused = await send();
    assert.deepEqual(getStatusAndCode(refused), [429, 'too_many_uploads']);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds));
    service.clock.advance(DAY_MS + 1000);
    const login = { email: patient.email, password: patient.password, projectId: patient.projectId };
    patient.token = (await call(service, '/v1/auth/token', { json: login })).body.token as string;
    assert.equal((await send()).status, 202);
  });

  it('is as many bytes as are kept of a patient: beyond them 507, before they are sent', async () => {
    const first = await upload(service, patient, await createArchive({ 'scan.png': randomBytes(2_000_000) }));
    assert.match(first.status, /^completed/);
    assert.deepEqual(getStatusAndCode(await send({ 'scan.png': randomBytes(1_500_000) })), [
      507,
      'quota_exceeded',
    ]);
    const others = await newTestPatient(service);
    patient = others;
    assert.equal((await send()).status, 202, 'nobody else is refused');
  });

  it('is what an archive unpacks to, of which nothing is written when that is too much', async () => {
    const many = Array.from({ length: 2000 }, (_, index) => ({
      ...condition,
      id: `c${index}`,
      note: [{ text: 'x'.repeat(2000) }],
    }));
    const bundle = {
      resourceType: 'Bundle',
      type: 'collection',
      entry: many.map((resource) => ({ resource })),
    };
    const batch = await upload(service, patient, await createArchive({ 'all.json': JSON.stringify(bundle) }));
    assert.deepEqual([batch.status, batch.rejected[0].code], ['failed', 'quota_exceeded']);
    assert.deepEqual(
      await service.store.db.query(sql`select 1 from resource where patient_id = ${patient.id}`),
      [],
    );
    assert.equal((await send()).status, 202, 'a smaller one is accepted');
  });
});

describe('bytes of an upload that was killed before it was acknowledged', () => {
  it('are deleted a day later, and nothing else is', async () => {
    await upload(service, patient, await createArchive({ 'letter.txt': 'Blood pressure 120 over 80' }));
    const { db } = service.store;
    const orphan = generateId();
    await db.query(
      sql`insert into blob_chunk (patient_id, blob_id, ordinal, bytes) values (${patient.id}, ${orphan}, 0, 'a'), (${patient.id}, ${orphan}, 1, 'b')`,
    );
    const listBlobs = async (): Promise<string[]> =>
      (
        await db.query(
          sql<{ id: string }>`select distinct blob_id as id from blob_chunk where patient_id = ${patient.id}`,
        )
      ).map(({ id }) => id);
    await purgeOrphans({ db, clock: systemClock });
    const before = await listBlobs();
    assert.ok(before.includes(orphan) && before.length === 2, 'it may still be on its way');
    const tomorrow = new Date(Date.now() + DAY_MS + 60_000);
    await purgeOrphans({ db, clock: { now: () => tomorrow } });
    assert.deepEqual(
      await listBlobs(),
      before.filter((id) => id !== orphan),
    );
  });
});

describe('originals', () => {
  it('are kept about as compressed as they came, and are downloaded byte for byte', async () => {
    const letter = Array.from(
      { length: 20_000 },
      (_, line) => `Line ${line}: blood pressure ${line % 60} over ${line % 17}\r\n`,
    ).join('');
    const archive = await createArchive({ 'letter.txt': letter });
    const batch = await upload(service, patient, archive);
    assert.equal(batch.documents.processed, 1);
    const { db } = service.store;
    const { kept } = await one(
      db,
      sql<{
        kept: number;
      }>`select sum(octet_length(bytes))::bigint as kept from blob_chunk where patient_id = ${patient.id}`,
    );
    assert.ok(
      kept < archive.length * 1.1,
      `${kept} bytes kept of ${archive.length} that were sent, ${letter.length} unpacked`,
    );
    const { body: list } = await call(service, `/v1/patients/${patient.id}/documents`, {
      token: patient.token,
    });
    const [{ documentId, size }] = list.results;
    assert.equal(size, Buffer.byteLength(letter));
    const original = await call(service, `/v1/patients/${patient.id}/documents/${documentId}`, {
      token: patient.token,
    });
    assert.equal(original.headers.get('content-length'), String(size));
    assert.ok(original.body === letter, 'byte for byte');
  });
});
