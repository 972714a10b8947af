import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  call,
  decide,
  getOrganizationToken,
  newOrganization,
  newProject,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';

let service: TestService;
let admin: string;
let base: string;
before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
  base = `/v1/organizations/${service.organization.organizationId}`;
});
after(() => service.stop());

const get = (path: string): Promise<HttpResponse> => call(service, base + path, { token: admin });

async function newLimitedToken(projectId: string): Promise<string> {
  const { body } = await call(service, `${base}/api-keys`, {
    token: admin,
    json: { name: 'One study', role: 'researcher', projectIds: [projectId] },
  });
  return (await call(service, '/v1/auth/token', { json: { apiKey: body.apiKey, apiSecret: body.apiSecret } }))
    .body.token as string;
}

const narrowTo = (patient: TestPatient, categories: string[]): Promise<HttpResponse> =>
  decide(service, patient, 'OPTED_IN', {
    consentDataResourceScopes: categories,
    consentDataSensitivityScopes: ['NORMAL'],
  });
const CONDITION = createBundle({ resourceType: 'Condition', id: 'gout', code: { text: 'Gout' } });

async function send(patient: TestPatient, files: Record<string, object>): Promise<string> {
  const batch = await upload(service, patient, await createArchive(files));
  return batch.batchId as string;
}

const remove = async (patient: TestPatient, batchId: string): Promise<void> => {
  const { status } = await call(service, `/v1/patients/${patient.id}/upload-documents/${batchId}`, {
    method: 'DELETE',
    token: patient.token,
  });
  assert.equal(status, 204);
};

const countUploads = async ({ id }: TestPatient): Promise<unknown> =>
  (await get(`/patients/${id}`)).body.uploads?.byStatus ?? null;

/** Every door by which an organization reads what is in its log about one patient. */
const READERS = [
  ({ id }: TestPatient) => get(`/audit-events?patientId=${id}`),
  ({ id }: TestPatient) => get(`/audit-events/export?patientId=${id}`),
  ({ id }: TestPatient) => get(`/audit-events/export?format=csv&patientId=${id}`),
  ({ id }: TestPatient) => get(`/patients/${id}`),
  ({ id }: TestPatient) => call(service, `/v1/patients/${id}/access-log`, { token: admin }),
] as const;

const listReaders = async (patient: TestPatient, words: string): Promise<boolean[]> =>
  Promise.all(
    READERS.map(async (read) => {
      const { status, body } = await read(patient);
      assert.equal(status, 200, JSON.stringify(body));
      return (typeof body === 'string' ? body : JSON.stringify(body)).includes(words);
    }),
  );

describe('what an organization learns of uploads', () => {
  it('counts those that brought something that is shared with it, and no others (case 318)', async () => {
    const patient = await newTestPatient(service);
    await send(patient, { 'a.json': CONDITION });
    assert.deepEqual(await countUploads(patient), { completed: 1 });
    await narrowTo(patient, ['LABS']);
    assert.deepEqual(await countUploads(patient), {});
    await narrowTo(patient, ['LABS', 'DIAGNOSES']);
    assert.deepEqual(await countUploads(patient), { completed: 1 });
  });

  it('finds an upload by its id only where something of it is shared with a project of the caller (case 318)', async () => {
    const patient = await newTestPatient(service);
    const batchId = await send(patient, { 'a.json': CONDITION });
    const find = async (by = admin): Promise<[number, unknown]> => {
      const answer = await call(service, `${base}/uploads/${batchId}`, { token: by });
      return [answer.status, answer.body.patientId];
    };
    assert.deepEqual(await find(), [200, patient.id]);
    const { uploads } = (await get(`/patients/${patient.id}`)).body;
    assert.deepEqual(
      uploads.newest.map((each: { batchId: string; status: string }) => [each.batchId, each.status]),
      [[batchId, 'completed']],
    );
    const limit = (await newTestPatient(service, { projectId: await newProject(service) })).projectId;
    assert.deepEqual(await find(await newLimitedToken(limit)), [404, undefined]);
    assert.deepEqual(await find(await newLimitedToken(patient.projectId)), [200, patient.id]);
    await narrowTo(patient, ['LABS']);
    assert.deepEqual(await find(), [404, undefined]);
    assert.deepEqual((await get(`/patients/${patient.id}`)).body.uploads.newest, []);
    await narrowTo(patient, ['LABS', 'DIAGNOSES']);
    assert.deepEqual(await find(), [200, patient.id]);
    await decide(service, patient, 'OPTED_OUT');
    assert.deepEqual(await find(), [404, undefined]);
  });

  it('says nothing of them under a consent that lets nobody read the record (case 318)', async () => {
    const patient = await newTestPatient(service, { consent: false });
    await decide(service, patient, 'OPTED_IN', { consentType: 'FUTURE_DATA_USE' });
    await send(patient, { 'a.json': CONDITION });
    const { consents } = (await get(`/patients/${patient.id}`)).body;
    assert.deepEqual([consents.length, consents[0]?.isInForce], [1, true]);
    assert.equal(await countUploads(patient), null);
  });

  it('has none of somebody who was enrolled and shares nothing among what needs attention (case 319)', async () => {
    const organization = await newOrganization(service);
    const token = await getOrganizationToken(service, 'admin', organization);
    const ask = async (path: string): Promise<string> =>
      JSON.stringify(
        (await call(service, `/v1/organizations/${organization.organizationId}/${path}`, { token })).body,
      );
    const patient = await newTestPatient(service, { organization, consent: false });
    const batchId = await send(patient, { 'a.json': CONDITION });
    await service.store.db.query(
      sql`update upload_batch set status = 'failed' where patient_id = ${patient.id} and batch_id = ${batchId}`,
    );
    assert.ok(!(await ask('attention')).includes('uploads_failed'));
    assert.match(await ask('first-steps'), /"code":"record_connected","isDone":false/);
    await decide(service, patient, 'OPTED_IN');
    assert.match(await ask('attention'), /uploads_failed/);
    assert.match(await ask('first-steps'), /"code":"record_connected","isDone":true/);
  });

  it('has none in its log that was taken out unshared; the patient has it in theirs (case 320)', async () => {
    const patient = await newTestPatient(service);
    await remove(patient, await send(patient, { 'a.json': CONDITION }));
    assert.deepEqual(
      await listReaders(patient, 'upload.removed'),
      READERS.map(() => true),
    );

    const other = await newTestPatient(service);
    await narrowTo(other, ['LABS']);
    await remove(other, await send(other, { 'a.json': CONDITION }));
    assert.deepEqual(
      await listReaders(other, 'upload.removed'),
      READERS.map(() => false),
    );
    const browser = await createSignedInBrowser(service, other);
    const own = await browser.get('/account/access-log');
    assert.match(JSON.stringify(own.body), /upload\.removed/);
  });
});
