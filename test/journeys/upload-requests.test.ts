import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import { after, before, beforeEach, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle, craftArchive } from '../harness/archive.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  upload,
  waitForBatch,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

const MiB = 1024 * 1024;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const allergy = (id: string): object => ({
  resourceType: 'AllergyIntolerance',
  id,
  code: { text: `Allergen ${id}` },
  patient: { reference: 'Patient/p' },
});

let service: TestService;
let patient: TestPatient;
before(async () => void (service = await startTestService()));
beforeEach(async () => void (patient = await newTestPatient(service)));
after(() => service.stop());

const url = (batchId = ''): string =>
  `/v1/patients/${patient.id}/upload-documents${batchId && `/${batchId}`}`;

type Part = [field: string, content: Buffer | string];

function send(...parts: Part[]): Promise<HttpResponse> {
  const form = new FormData();
  for (const [field, content] of parts) {
    if (typeof content === 'string') form.append(field, content);
    else form.append(field, new Blob([content]), 'a.zip');
  }
  return call(service, url(), { token: patient.token, body: form });
}

async function assertRefused(answer: Promise<HttpResponse>, status: number, code: string): Promise<void> {
  const { body, ...rest } = await answer;
  assert.deepEqual([rest.status, body.code], [status, code]);
  assert.deepEqual((await call(service, url(), { token: patient.token })).body.results, []);
}

describe('an upload', () => {
  it('is answered 202 with the id of a batch whose states and counts can be asked for', async () => {
    const accepted = await send([
      'file',
      await createArchive({ 'a.json': createBundle(allergy('a'), allergy('b')), 'c.json': allergy('c') }),
    ]);
    assert.equal(accepted.status, 202);
    assert.deepEqual(Object.keys(accepted.body), ['batchId']);
    assert.match(accepted.body.batchId, UUID);
    const batch = await waitForBatch(service, patient, accepted.body.batchId);
    const { receivedAt, completedAt } = batch;
    assert.ok(receivedAt <= completedAt);
    const expected = {
      batchId: accepted.body.batchId,
      sourceId: null,
      paths: ['a.json', 'c.json'],
      status: 'completed',
      receivedAt,
      completedAt,
      documents: { total: 2, processed: 2, rejected: 0 },
      resources: { created: 3, updated: 0, unchanged: 0 },
      question: null,
    };
    assert.deepEqual(batch, { ...expected, rejected: [], notes: [] });
    assert.deepEqual((await call(service, url(), { token: patient.token })).body, { results: [expected] });
  });

  it('is queued until a worker takes it, and leaves nothing of the archive behind when it is read', async () => {
    await using held = await holdWorker();
    const { body } = await send(['file', await createArchive({ 'a.json': allergy('a') })]);
    const queued = await call(service, url(body.batchId), { token: patient.token });
    assert.deepEqual([queued.body.status, queued.body.completedAt], ['queued', null]);
    const chunks = () =>
      service.store.db.query(sql`select 1 from blob_chunk where patient_id = ${patient.id}`);
    assert.equal((await chunks()).length, 1);
    await held.release();
    await waitForBatch(service, patient, body.batchId);
    assert.equal((await chunks()).length, 0);
  });

  it('is listed newest first', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.unshift(
        (await upload(service, patient, await createArchive({ [`${name}.json`]: allergy(name) }))).batchId,
      );
    const { body } = await call(service, url(), { token: patient.token });
    assert.deepEqual(
      body.results.map(({ batchId }: { batchId: string }) => batchId),
      ids,
    );
  });

  it('takes text fields beside the file', async () => {
    const { status } = await send(
      ['note', 'from my hospital'],
      ['file', await createArchive({ 'a.json': allergy('a') })],
    );
    assert.equal(status, 202);
  });

  it('is unknown to others: 404 for no such batch, and 400 for no UUID', async () => {
    const stranger = await newTestPatient(service);
    const { batchId } = await upload(service, stranger, await createArchive({ 'a.json': allergy('a') }));
    assert.equal((await call(service, url(batchId), { token: patient.token })).status, 404);
    assert.equal((await call(service, url('batch'), { token: patient.token })).status, 400);
  });
});

describe('an upload is refused, and leaves no batch,', () => {
  it('without a file', () => assertRefused(send(['note', 'nothing here']), 400, 'one_file_required'));
  it('when the file is in another field', async () =>
    assertRefused(send(['document', await createArchive({ a: 'b' })]), 400, 'one_file_required'));
  it('when the field holds text instead of a file', () =>
    assertRefused(send(['file', 'text']), 400, 'one_file_required'));
  it('with two files', async () => {
    const archive = await createArchive({ 'a.json': allergy('a') });
    await assertRefused(send(['file', archive], ['file', archive]), 400, 'one_file_required');
  });
  it('when it is JSON', () =>
    assertRefused(
      call(service, url(), { token: patient.token, json: { file: 'a' } }),
      415,
      'unsupported_media_type',
    ));
  it('when it is the bare archive', async () => {
    const headers = { 'content-type': 'application/zip' };
    await assertRefused(
      call(service, url(), {
        method: 'POST',
        token: patient.token,
        body: (await createArchive({ a: 'b' })).toString('latin1'),
        headers,
      }),
      415,
      'unsupported_media_type',
    );
  });
  it('when it has no body at all', () =>
    assertRefused(
      call(service, url(), { method: 'POST', token: patient.token }),
      415,
      'unsupported_media_type',
    ));
  it('when the form is cut off, or names no boundary', async () => {
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK';
    for (const type of ['multipart/form-data; boundary=x', 'multipart/form-data']) {
      await assertRefused(
        call(service, url(), { token: patient.token, body, headers: { 'content-type': type } }),
        400,
        'malformed_form',
      );
    }
  });
  it('when it is no zip', () =>
    assertRefused(
      send(['file', Buffer.from('%PDF-1.7, long enough to be something')]),
      422,
      'not_an_archive',
    ));
  it('when it is empty', () => assertRefused(send(['file', Buffer.alloc(0)]), 422, 'not_an_archive'));
  it('when it is truncated', async () => {
    const whole = await createArchive({ 'a.json': allergy('a'), 'b.json': allergy('b') });
    await assertRefused(send(['file', whole.subarray(0, -40)]), 422, 'truncated_archive');
  });
  it('when it declares that it unpacks to a bomb', () =>
    assertRefused(
      send(['file', craftArchive({ name: 'zeros.json', content: Buffer.alloc(30 * MiB) })]),
      422,
      'ratio_too_high',
    ));
  it('from anybody but the patient', async () => {
    const archive = await createArchive({ 'a.json': allergy('a') });
    const form = (): FormData => {
      const made = new FormData();
      made.append('file', new Blob([archive]), 'a.zip');
      return made;
    };
    const other = await newTestPatient(service);
    for (const token of [other.token, await getOrganizationToken(service)]) {
      assert.equal((await call(service, url(), { token, body: form() })).status, 403);
    }
  });
  it('with 413 when it is larger than 100 MiB, without being held in memory or on disk', async () => {
    const before = process.memoryUsage().rss;
    const answer = await uploadStream(100 * MiB + 1);
    assert.deepEqual([answer.status, answer.body.code], [413, 'archive_too_large']);
    assert.ok(process.memoryUsage().rss - before < 80 * MiB);
    assert.deepEqual(
      fs.readdirSync(os.tmpdir()).filter((name) => /^chartgate-\d+-receive-/.test(name)),
      [],
    );
    assert.deepEqual((await call(service, url(), { token: patient.token })).body.results, []);
  });
});

describe('an archive that lies about its sizes', () => {
  it('costs the file that lies, and none of the others', async () => {
    const liar = craftArchive(
      { name: 'a.json', content: Buffer.from(JSON.stringify(allergy('a'))) },
      { name: 'zeros.json', content: Buffer.alloc(30 * MiB), size: 1000 },
    );
    const batch = await upload(service, patient, liar);
    assert.equal(batch.status, 'completed_with_errors');
    assert.deepEqual(
      batch.rejected.map(({ path, code }: { path: string; code: string }) => [path, code]),
      [['zeros.json', 'size_mismatch']],
    );
    assert.deepEqual(batch.documents, { total: 2, processed: 1, rejected: 1 });
    assert.deepEqual(batch.resources, { created: 1, updated: 0, unchanged: 0 });
    assert.deepEqual(
      await service.store.db.query(sql`select 1 from blob_chunk where patient_id = ${patient.id}`),
      [],
    );
  });
});

/** A form whose file of `size` bytes is made while it is sent. */
function uploadStream(size: number): Promise<Pick<HttpResponse, 'status' | 'body'>> {
  const chunk = randomBytes(MiB);
  return new Promise((resolve, reject) => {
    const request = http.request(service.baseUrl + url(), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${patient.token}`,
        'content-type': 'multipart/form-data; boundary=x',
        connection: 'close',
      },
    });
    request.on('response', (response) => {
      let text = '';
      response.on('data', (bytes: Buffer) => (text += String(bytes)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
    });
    request.on('error', reject);
    request.write('--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n');
    let sent = 0;
    const more = (): void => {
      while (sent < size) {
        const part = chunk.subarray(0, Math.min(MiB, size - sent));
        sent += part.length;
        if (!request.write(part)) return void request.once('drain', more);
      }
      request.end('\r\n--x--\r\n');
    };
    more();
  });
}

/** Keeps jobs from being taken: another node has leased them, as it were. */
async function holdWorker(): Promise<AsyncDisposable & { release(): Promise<void> }> {
  const db = service.store.db;
  await db.query({
    text: `create or replace function hold() returns trigger language plpgsql as $$ begin new.run_at := new.run_at + interval '1 hour'; return new; end $$`,
    values: [],
  });
  await db.query(sql`create trigger hold before insert on job for each row execute function hold()`);
  const release = async (): Promise<void> => {
    await db.query(sql`drop trigger if exists hold on job`);
    await db.query(sql`update job set run_at = run_at - interval '1 hour' where leased_by is null`);
  };
  return { release, [Symbol.asyncDispose]: release };
}
