import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { moveOriginals } from '../../server/clinical/ingest/originals/move-originals.ts';
import { movePictures } from '../../server/consent/decisions/move-pictures.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { deleteDueObjects } from '../../server/platform/objects/delete-objects.ts';
import { createObjects } from '../../server/platform/objects/objects.ts';
import { createObjectStore } from '../../server/platform/objects/s3-client.ts';
import { newAccount } from '../harness/account.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  buildAuthorizePath,
  createPkce,
  getRequestId,
  newFlow,
  obtainTokens,
  registerClient,
  sendRequestScreens,
  type Flow,
} from '../harness/authorization.ts';
import { runCommand } from '../harness/cli.ts';
import { buildScreenshot, createPng, sendScreens } from '../harness/evidence.ts';
import {
  downloadArchive,
  getPatientId,
  requestDownload,
  uploadOnPage,
  waitForUploads,
} from '../harness/my-data.ts';
import { startObjectStore, type TestObjectStore } from '../harness/object-store.ts';
import { readZip } from '../harness/read-zip.ts';
import {
  call,
  callTool,
  decide,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  upload,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { createDatabase, JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

const SCAN = Buffer.alloc(3000, 'zebra ');
const LETTER = Buffer.from('<html><body><p>Dear colleague, thank you for the referral.</p></body></html>');

/** The same scan under two names. */
const CONTENTS = {
  'record.json': createBundle({ resourceType: 'Patient', id: 'p' }),
  'letter.html': LETTER,
  'scan.docx': SCAN,
  'copies/scan.docx': SCAN,
};

interface Kept {
  documentId: string;
  path: string;
}

for (const engine of JOURNEY_ENGINES)
  describe(`an object store: ${engine}`, () => {
    let remote: TestObjectStore;
    let service: TestService;
    let admin: string;
    before(async () => {
      remote = await startObjectStore();
      service = await startTestService({ engine, environment: remote.environment });
      admin = await getOrganizationToken(service);
    });
    after(async () => {
      await service.stop();
      await remote.stop();
    });

    /** What the job does every ten seconds, a minute from now: it may have tried before, while the store was away. */
    async function deleteDue(): Promise<void> {
      const store = createObjectStore(service.config.objectStore ?? assert.fail());
      const { db } = service.store;
      const clock = { now: () => new Date(service.clock.now().getTime() + 60_000) };
      await deleteDueObjects({ db, clock, store }, new AbortController().signal);
      await store.close();
    }

    const countIn = async (table: 'blob_chunk' | 'stored_object' | 'object_deletion'): Promise<number> => {
      const text = `select count(*) as rows from ${table}`;
      return (await one<{ rows: number }>(service.store.db, { text, values: [] })).rows;
    };
    const countPicturesInRows = async (): Promise<number> =>
      (
        await one(
          service.store.db,
          sql<{ rows: number }>`
            select (select count(*) from consent_screenshot where bytes is not null)
              + (select count(*) from draft_screenshot where bytes is not null) as rows`,
        )
      ).rows;

    const listDocuments = async ({ id, token }: TestPatient): Promise<Kept[]> =>
      (await call(service, `/v1/patients/${id}/documents`, { token })).body.results;

    const readDocument = ({ id, token }: TestPatient, documentId: string): Promise<Response> =>
      fetch(`${service.baseUrl}/v1/patients/${id}/documents/${documentId}`, {
        headers: { authorization: `Bearer ${token}` },
      });

    async function assertReadable(patient: TestPatient): Promise<void> {
      const documents = await listDocuments(patient);
      assert.deepEqual(documents.map((each) => each.path).sort(), [
        'copies/scan.docx',
        'letter.html',
        'scan.docx',
      ]);
      for (const { documentId, path: name } of documents) {
        const answer = await readDocument(patient, documentId);
        assert.equal(answer.status, 200);
        const bytes = Buffer.from(await answer.arrayBuffer());
        assert.ok(bytes.equals(name === 'letter.html' ? LETTER : SCAN), name);
      }
    }

    const removePatient = ({ id }: TestPatient): Promise<HttpResponse> =>
      call(service, `/v1/organizations/${service.organization.organizationId}/test-patients/${id}`, {
        method: 'DELETE',
        token: admin,
      });

    async function findDecision(patientId: string): Promise<string> {
      const [row] = await service.store.db.query(sql<{ id: string }>`
        select consent_record_id as id from consent_screenshot where patient_id = ${patientId} limit 1`);
      return row?.id ?? assert.fail('no pictures');
    }

    const requestEvidence = (consentRecordId: string): Promise<Response> =>
      fetch(`${service.baseUrl}/v1/consents/${consentRecordId}/evidence`, {
        headers: { authorization: `Bearer ${admin}` },
      });

    /** The pictures in the archive are those whose hashes the receipt names. */
    async function assertEvidence(patientId: string): Promise<void> {
      const answer = await requestEvidence(await findDecision(patientId));
      assert.equal(answer.status, 200);
      const files = await readZip(await answer.arrayBuffer());
      const { payload } = JSON.parse(String(files.get('receipt.json')));
      const named = (payload.evidence.screenshots as { sha256: string }[]).map(({ sha256 }) => sha256);
      assert.equal(named.length, 2);
      for (const [index, sha256] of named.entries()) {
        const picture = files.get(`screens/0${index + 1}.png`) ?? assert.fail();
        assert.equal(createHash('sha256').update(picture).digest('hex'), sha256);
      }
    }

    it('has archives and originals, once for a content, until the upload is removed', async () => {
      const patient = await newTestPatient(service);
      const batch = await upload(service, patient, await createArchive(CONTENTS));
      assert.equal(batch.documents.total, 4);
      assert.equal(await countIn('blob_chunk'), 0);
      assert.equal(await countIn('stored_object'), 2, 'the archive has been read');
      await assertReadable(patient);
      // The job itself, once.
      await service.worker.enqueueRecurringJobs();
      await service.worker.drain();
      assert.equal(remote.listKeys().length, 2);
      for (const key of remote.listKeys()) assert.ok(!remote.readObject(key).includes('zebra'));
      const again = await upload(service, patient, await createArchive({ 'third/scan.docx': SCAN }));
      await call(service, `/v1/patients/${patient.id}/upload-documents/${batch.batchId}`, {
        method: 'DELETE',
        token: patient.token,
      });
      await deleteDue();
      assert.equal(remote.listKeys().length, 1, 'another upload has the scan');
      const [{ documentId } = assert.fail()] = await listDocuments(patient);
      assert.ok(Buffer.from(await (await readDocument(patient, documentId)).arrayBuffer()).equals(SCAN));
      await call(service, `/v1/patients/${patient.id}/upload-documents/${again.batchId}`, {
        method: 'DELETE',
        token: patient.token,
      });
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
      assert.equal(await countIn('object_deletion'), 0);
    });

    it('has the pictures of decisions, which the receipt names, until a test patient is deleted', async () => {
      const flow = await newFlow(service);
      await obtainTokens(service, flow);
      assert.equal(await countPicturesInRows(), 0);
      assert.equal(remote.listKeys().length, 1, 'both pictures are the same');
      await assertEvidence(flow.patient.id);
      const list = await call(service, `/v1/patients/consents?patientId=${flow.patient.id}`, {
        token: admin,
      });
      const [{ screenshots }] = list.body.results;
      assert.ok((screenshots as { data: string }[]).every(({ data }) => data.length > 100));
      assert.equal((await removePatient(flow.patient)).status, 204);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('keeps the pictures alone when a person deletes their account', async () => {
      const on = createTestBrowser(service);
      const jo = await newAccount(service, on);
      const patientId = getPatientId(on);
      await uploadOnPage(service, on, await createArchive(CONTENTS));
      await waitForUploads(on);
      await obtainTokens(service, {
        browser: on,
        client: await registerClient(service),
        pkce: createPkce(),
      } as Flow);
      // A draft that no decision takes over.
      const begun = await on.get(
        buildAuthorizePath({
          clientId: (await registerClient(service)).client_id as string,
          challenge: createPkce().challenge,
        }),
      );
      assert.equal((await sendRequestScreens(on, getRequestId(begun))).length, 2);
      await deleteDue();
      assert.equal(remote.listKeys().length, 3);
      const files = await downloadArchive(service, on);
      assert.ok([...files].some(([name, bytes]) => name.endsWith('scan.docx') && bytes.equals(SCAN)));
      assert.equal([...files.keys()].filter((name) => name.endsWith('.png')).length, 2);
      assert.equal((await on.post('/account/delete', { password: jo.password })).status, 204);
      await deleteDue();
      assert.equal(remote.listKeys().length, 1);
      await assertEvidence(patientId);
      await service.store.db.query(sql`delete from consent_screenshot`);
      await service.store.db.query(sql`
        with gone as (delete from stored_object returning object_key)
        insert into object_deletion (object_key, due_at) select object_key, now() from gone`);
      await deleteDue();
    });

    it('that is away refuses uploads and what is in it for a while, and nothing else', async () => {
      const flow = await newFlow(service);
      const { patient, browser } = flow;
      await upload(service, patient, await createArchive(CONTENTS));
      await obtainTokens(service, flow);
      const [{ documentId } = assert.fail()] = await listDocuments(patient);
      const decision = await findDecision(patient.id);
      const begun = await browser.get(
        buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
      );
      await remote.goAway();
      const form = new FormData();
      form.append('file', new Blob([await createArchive({ 'a.html': LETTER })]), 'a.zip');
      const refusals = [
        await fetch(`${service.baseUrl}/v1/patients/${patient.id}/upload-documents`, {
          method: 'POST',
          headers: { authorization: `Bearer ${patient.token}` },
          body: form,
        }),
        await readDocument(patient, documentId),
        await requestEvidence(decision),
        await fetch(`${service.baseUrl}/v1/patients/consents?patientId=${patient.id}`, {
          headers: { authorization: `Bearer ${admin}` },
        }),
      ];
      for (const answer of refusals) {
        assert.equal(answer.status, 503, answer.url);
        assert.equal(answer.headers.get('retry-after'), '30');
        assert.equal(((await answer.json()) as { code: string }).code, 'object_store_unavailable');
      }
      const url = `/oauth/interaction/${getRequestId(begun)}/screens`;
      const data = createPng(250, 250).toString('base64');
      const screenshots = [buildScreenshot(browser.now(), { data })];
      assert.equal((await sendScreens(browser, url, { screenshots }))[0]?.status, 503);
      assert.equal((await requestDownload(service, browser)).status, 503);
      assert.equal((await callTool(service, patient, 'get_health_summary')).body.error, undefined);
      assert.equal((await decide(service, patient, 'OPTED_OUT')).status, 201);
      await remote.comeBack();
      assert.equal((await readDocument(patient, documentId)).status, 200);
      assert.equal(await countIn('blob_chunk'), 0);
      await removePatient(patient);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });

    it('is filled from the database, and emptied into it, also when that was interrupted', async () => {
      const flow = await newFlow(service);
      await upload(service, flow.patient, await createArchive(CONTENTS));
      await obtainTokens(service, flow);
      const { db } = service.store;
      const store = createObjectStore(service.config.objectStore ?? assert.fail());
      const move = async (takesNew: boolean, onMoved = (): void => {}): Promise<void> => {
        const objects = createObjects({ db, clock: service.clock, store, takesNew });
        const deps = { db, clock: service.clock, objects, onMoved };
        await moveOriginals(deps);
        await movePictures(deps);
      };
      const assertIn = async (place: 'objects' | 'database'): Promise<void> => {
        await deleteDue();
        const [chunks, pictures] = place === 'database' ? [3, 2] : [0, 0];
        assert.equal(await countIn('blob_chunk'), chunks);
        assert.equal(await countPicturesInRows(), pictures);
        assert.equal(await countIn('stored_object'), place === 'database' ? 0 : 3);
        assert.equal(remote.listKeys().length, place === 'database' ? 0 : 3);
        await assertReadable(flow.patient);
        await assertEvidence(flow.patient.id);
      };
      let left = 1;
      const interrupt = (): void => {
        if (left-- === 0) throw new Error('killed');
      };
      await assertIn('objects');
      await assert.rejects(move(false, interrupt), /killed/);
      await assertReadable(flow.patient);
      await move(false);
      await assertIn('database');
      left = 3;
      await assert.rejects(move(true, interrupt), /killed/);
      await assertReadable(flow.patient);
      await assertEvidence(flow.patient.id);
      await move(true);
      await assertIn('objects');
      await store.close();
      await removePatient(flow.patient);
      await deleteDue();
      assert.deepEqual(remote.listKeys(), []);
    });
  });

describe('the commands of an object store', () => {
  let remote: TestObjectStore;
  let service: TestService;
  before(async () => {
    remote = await startObjectStore();
    service = await startTestService({ environment: remote.environment });
  });
  after(async () => {
    await service.stop();
    await remote.stop();
  });

  it('count, move and verify what is there, and a backup is restored where the store is named', async () => {
    const environment = {
      ...remote.environment,
      DATABASE_URL: service.store.databaseUrl ?? '',
      CHARTGATE_DATA_DIR: service.store.dataDirectory,
    };
    const flow = await newFlow(service);
    await upload(service, flow.patient, await createArchive(CONTENTS));
    await obtainTokens(service, flow);
    const listed = await runCommand(['objects', '--json'], { environment });
    assert.deepEqual(
      (JSON.parse(listed.stdout).objects as { use: string; objects: number }[]).map(({ use, objects }) => [
        use,
        objects,
      ]),
      [
        ['evidence', 1],
        ['original', 2],
      ],
    );
    const file = path.join(service.store.dataDirectory, 'backup.zip');
    assert.equal((await runCommand(['backup', file], { environment })).code, 0);
    assert.ok(!(await hasBytes(file)), 'the bytes are in the bucket alone');
    const elsewhere = {
      CHARTGATE_DATA_DIR: service.store.dataDirectory,
      DATABASE_URL: await createDatabase({ template: 'template0' }),
    };
    const refused = await runCommand(['restore', file], { environment: elsewhere });
    assert.match(refused.stderr, /refers to 3 files in an object store[^]*CHARTGATE_OBJECT_STORE_URL/);
    const there = { ...remote.environment, ...elsewhere };
    assert.equal((await runCommand(['restore', file], { environment: there })).code, 0);
    assert.match(
      (await runCommand(['objects', 'verify'], { environment: there })).stdout,
      /knows: 3, .* not: 0/,
    );
    const back = { ...there, CHARTGATE_OBJECT_STORE_WRITES: '0' };
    // A copy of the bucket would be taken in earnest: what is moved is deleted from it.
    const moved = await runCommand(['objects', 'move', '--json'], { environment: back });
    assert.deepEqual(JSON.parse(moved.stdout), { moved: 4, to: 'database' }, moved.stderr);
    assert.deepEqual(remote.listKeys(), []);
    const missing = await runCommand(['objects', 'verify', '--json'], { environment });
    assert.equal(missing.code, 1);
    assert.equal(JSON.parse(missing.stdout).missing.length, 3);
    assert.match((await runCommand(['objects', 'move'], { environment: elsewhere })).stderr, /must be set/);
    const [{ documentId } = assert.fail()] = (
      await call(service, `/v1/patients/${flow.patient.id}/documents`, { token: flow.patient.token })
    ).body.results as Kept[];
    const gone = await call(service, `/v1/patients/${flow.patient.id}/documents/${documentId}`, {
      token: flow.patient.token,
    });
    assert.deepEqual([gone.status, gone.body.code], [410, 'file_missing']);
  });
});

/** Whether any table of a backup has rows with the bytes of a file or picture. */
async function hasBytes(file: string): Promise<boolean> {
  const tables = await readZip(fs.readFileSync(file));
  return (
    (tables.get('tables/blob_chunk.jsonl')?.length ?? 0) > 0 ||
    String(tables.get('tables/consent_screenshot.jsonl')).includes(PNG_HEX)
  );
}

const PNG_HEX = '89504e470d0a1a0a';
