import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount } from '../harness/account.ts';
import { craftArchive, createArchive, createBundle } from '../harness/archive.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { readZip } from '../harness/read-zip.ts';
import { openSlowReader } from '../harness/slow-reader.ts';
import {
  formatCookies,
  requestDownload,
  downloadArchive,
  getPatientId,
  uploadOnPage,
  waitForUploads,
} from '../harness/my-data.ts';
import {
  call,
  getOrganizationToken,
  newProject,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

const observation = (id: number): string =>
  `{"resourceType":"Observation","id":"o${id}","status":"final","code":{"text":"Weight"},"valueQuantity":{"value":${id}.00,"unit":"kg"}}`;

const PRETTY = `{
  "resourceType" : "Condition",\r
  "id" : "c",
  "code" : { "text" : "two\\nlines" }
}`;

for (const engine of JOURNEY_ENGINES) {
  describe(`the person’s own record: ${engine}`, () => {
    let service: TestService;
    let on: TestBrowser;
    before(async () => {
      service = await startTestService({ engine });
      on = createTestBrowser(service);
      await newAccount(service, on);
    });
    after(() => service.stop());

    describe('uploads', () => {
      it('are taken from the page and read in the background, with what could not be read', async () => {
        const accepted = await uploadOnPage(
          service,
          on,
          await createArchive({
            'good.json': createBundle({ resourceType: 'Patient', id: 'p' }),
            'bad.json': '{"resourceType":',
          }),
        );
        assert.equal(accepted.status, 202);
        await uploadOnPage(service, on, await createArchive({ 'worse.json': '{' }));
        const [newest, first] = await waitForUploads(on);
        assert.equal(first.batchId, accepted.body.batchId);
        assert.deepEqual([first.status, first.resources.created], ['completed_with_errors', 1]);
        assert.deepEqual(
          [newest, first].map(({ rejected }) => rejected.map(({ path }: { path: string }) => path)),
          [['worse.json'], ['bad.json']],
        );
        assert.deepEqual(Object.keys(first.rejected[0]).sort(), ['code', 'message', 'path']);
      });

      it('that name somebody else are said to wait for an answer, where the record is counted', async () => {
        const person = createTestBrowser(service);
        await newAccount(service, person, { firstName: 'Kim', lastName: 'Lee' });
        const countRecord = async () => (await person.get('/account/record')).body;
        assert.deepEqual([(await countRecord()).total, (await countRecord()).isAsked], [0, false]);
        const other = {
          resourceType: 'Patient',
          id: 'p',
          name: [{ given: ['Maria'], family: 'Kowalska' }],
          birthDate: '1956-03-02',
        };
        await uploadOnPage(service, person, await createArchive({ 'theirs.json': createBundle(other) }));
        await waitForUploads(person);
        const { total, isArriving, isAsked } = await countRecord();
        assert.deepEqual([total, isArriving, isAsked], [0, false, true]);
      });

      it('need the page’s proof and somebody who is signed in', async () => {
        const archive = await createArchive({ 'a.json': '{}' });
        assert.deepEqual(
          getStatusAndCode(await uploadOnPage(service, on, archive, { 'x-csrf-token': 'x' })),
          [403, 'csrf'],
        );
        const foreign = { origin: 'http://localhost:9999' };
        assert.deepEqual(getStatusAndCode(await uploadOnPage(service, on, archive, foreign)), [403, 'csrf']);
        const stranger = createTestBrowser(service);
        await stranger.get('/account/session');
        assert.deepEqual(getStatusAndCode(await uploadOnPage(service, stranger, archive)), [
          401,
          'not_signed_in',
        ]);
        assert.deepEqual(getStatusAndCode(await stranger.get('/account/uploads')), [401, 'not_signed_in']);
        assert.deepEqual(getStatusAndCode(await on.post('/account/uploads', {})), [
          415,
          'unsupported_media_type',
        ]);
        assert.equal((await uploadOnPage(service, on, Buffer.from('no archive'))).status, 422);
      });
    });

    describe('the download', () => {
      it('holds each resource once, a line each, byte for byte as it is stored', async () => {
        const person = createTestBrowser(service);
        await newAccount(service, person);
        const lines = Array.from({ length: 1203 }, (_, index) => observation(index));
        await uploadOnPage(
          service,
          person,
          await createArchive({
            'o.ndjson': lines.join('\n'),
            'c.json': PRETTY,
            'letter.docx': Buffer.from([0xd0, 0xcf, 0, 1]),
          }),
        );
        await waitForUploads(person);
        const members = await downloadArchive(service, person);
        const stored = await service.store.db.query(sql<{ body: string }>`
          select body from resource where patient_id = ${getPatientId(person)} and resource_type = 'Observation' order by fhir_id`);
        assert.equal(stored.length, 1203);
        const observations = String(members.get('record/Observation.ndjson'));
        assert.equal(observations, stored.map(({ body }) => `${body}\n`).join(''));
        assert.match(observations, /"value":7\.00,/);
        const [condition = '', ...rest] = String(members.get('record/Condition.ndjson')).split('\n');
        assert.deepEqual([JSON.parse(condition), rest], [JSON.parse(PRETTY), ['']]);
        const document = [...members].find(([name]) => /^documents\/[0-9a-f-]{36}\/letter\.docx$/.test(name));
        assert.deepEqual(document?.[1], Buffer.from([0xd0, 0xcf, 0, 1]));
        assert.match(String(members.get('README.txt')), /Your data[^]*decid[^]*Sus datos/);
        assert.doesNotMatch(String(members.get('README.txt')), /waits|espera/);
      });

      it('holds every decision with its signed receipt, and the log of the person alone', async () => {
        const patient = await newTestPatient(service);
        const person = await createSignedInBrowser(service, patient);
        await newTestPatient(service);
        const members = await downloadArchive(service, person);
        const { receipts } = (await person.get('/account/receipts')).body;
        assert.equal(receipts.length, 1);
        const [{ consentRecordId: id }] = receipts;
        const record = JSON.parse(String(members.get(`consents/${id}.json`)));
        assert.deepEqual([record.id, record.patientId, record.consentStatus], [id, patient.id, 'OPTED_IN']);
        assert.equal(String(members.get(`consents/${id}/receipt.jws`)).split('.').length, 3);
        const log = String(members.get('access-log.ndjson'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        assert.deepEqual(
          log.map(({ action }) => action),
          ['test_patient.created', 'patient.enrolled', 'consent.recorded'],
        );
        assert.ok(log.every(({ organization }) => organization.name.startsWith('Clinic')));
      });

      it('holds who the person is by their account and by each organization, what they set, and when they signed in', async () => {
        const email = `kim-${randomBytes(4).toString('hex')}@people.example`;
        const projectId = await newProject(service, 'Study 4711');
        const patient = {
          email,
          firstName: 'Kim',
          lastName: 'Lee',
          phone: '+15550102030',
          externalId: 'MRN-9',
        };
        const enrolled = await call(service, `/v1/projects/${projectId}/patients`, {
          token: await getOrganizationToken(service, 'researcher'),
          json: { patients: [{ ...patient, dateOfBirth: '1980-02-03' }], suppressNotifications: true },
        });
        assert.equal(enrolled.body.successCount, 1);
        const person = createTestBrowser(service);
        await newAccount(service, person, { email, firstName: 'Kim', lastName: 'Lee' });
        await uploadOnPage(service, person, await createArchive({ 'bad.json': '{' }));
        await waitForUploads(person);
        const profile = JSON.parse(String((await downloadArchive(service, person)).get('profile.json')));
        const { account, enrollments, mailsWanted, sessions, signInLog, uploads } = profile;
        assert.deepEqual(
          [account.email, account.firstName, account.dateOfBirth],
          [email, 'Kim', '1980-02-03'],
        );
        assert.equal(enrollments.length, 1);
        assert.deepEqual(
          [enrollments[0].externalId, enrollments[0].project, enrollments[0].phones, enrollments[0].lastName],
          ['MRN-9', 'Study 4711', ['+15550102030'], 'Lee'],
        );
        assert.equal(mailsWanted.firstRead, true);
        assert.deepEqual([sessions.length, signInLog[0].kind], [1, 'password_chosen']);
        assert.equal(uploads[0].rejected[0].path, 'bad.json');
        assert.doesNotMatch(JSON.stringify(profile), /hash|credential/i, 'no secret of theirs');
      });

      it('brings nothing but the record when it is uploaded, to this account and to another', async () => {
        const patient = await newTestPatient(service);
        const person = await createSignedInBrowser(service, patient);
        const condition = { resourceType: 'Condition', id: 'c', code: { text: 'Sprain' } };
        const contents = {
          'n.txt': 'Visit note: the ankle is better.',
          'README.txt': 'How to take the tablets.',
          'a/scan.png': PNG,
          'sec.zip': craftArchive(
            { name: 'in.txt', content: Buffer.from('Visit note: the knee is better.') },
            { name: 'locked.pdf', content: randomBytes(9), flags: 0x801 },
          ),
          'c.json': createBundle(condition),
          'cut.json': JSON.stringify(createBundle(condition)).slice(0, 40),
        };
        await uploadOnPage(service, person, await createArchive(contents));
        const [first] = await waitForUploads(person);
        assert.deepEqual(
          first.rejected
            .filter(({ path }: { path: string }) => path === 'cut.json')
            .map(({ code }: { code: string }) => code),
          ['not_json'],
        );
        const archive = await downloadArchive(service, person);
        const counts = await countStored(service, getPatientId(person));
        const other = createTestBrowser(service);
        await newAccount(service, other);
        for (const browser of [person, other]) {
          await uploadOnPage(service, browser, await createArchive(Object.fromEntries(archive)));
          const [batch] = await waitForUploads(browser);
          assert.deepEqual(
            [batch.rejected, batch.notes].map((list) => list.map(({ code }: { code: string }) => code)),
            [['encrypted'], ['own_archive']],
          );
          const { resources, documents } = await countStored(service, getPatientId(browser));
          assert.deepEqual([resources, documents.length], [counts.resources, counts.documents.length]);
          if (browser === person) assert.deepEqual(documents, counts.documents);
        }
      });

      it('names an upload that waits for an answer, and holds one that could not be unpacked', async () => {
        const person = createTestBrowser(service);
        await newAccount(service, person, { firstName: 'Kim', lastName: 'Lee' });
        const other = { resourceType: 'Patient', id: 'p', name: [{ given: ['Bo'], family: 'Orr' }] };
        const theirs = { 'theirs.json': createBundle({ ...other, birthDate: '1956-03-02' }) };
        const locked = craftArchive({ name: 'locked.pdf', content: randomBytes(9), flags: 0x801 });
        for (const archive of [await createArchive(theirs), locked]) {
          await uploadOnPage(service, person, archive);
          await waitForUploads(person);
        }
        const members = await downloadArchive(service, person);
        const readme = String(members.get('README.txt'));
        assert.match(
          readme,
          /- waits for your answer \(“Is this you\?”\): \d{4}-\d\d-\d\d, archive\.zip\/theirs\.json\n/,
        );
        assert.match(
          readme,
          /- espera su respuesta \(«¿Es usted\?»\): \d{4}-\d\d-\d\d, archive\.zip\/theirs\.json\n/,
        );
        const kept = [...members].find(([name]) => /^documents\/[0-9a-f-]{36}\/upload\.zip$/.test(name));
        assert.deepEqual(kept?.[1], locked);
      });

      it('is a file whose name says nothing of the person, is never kept by caches, and is for nobody else', async () => {
        const answer = await requestDownload(service, on);
        await answer.arrayBuffer();
        assert.match(
          answer.headers.get('content-disposition') ?? '',
          /^attachment; filename="my-health-data-\d{4}-\d\d-\d\d\.zip"$/,
        );
        assert.deepEqual(
          ['content-type', 'cache-control'].map((name) => answer.headers.get(name)),
          ['application/zip', 'no-store'],
        );
        const head = await requestDownload(service, on, { method: 'HEAD' });
        assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'application/zip']);
        assert.deepEqual(getStatusAndCode(await call(service, '/account/download')), [401, 'not_signed_in']);
      });

      it('case 563: breaks off where a document is taken out, the account deleted or the session ended while it is read', async () => {
        const changes: [string, (person: TestBrowser, batchId: string) => Promise<{ status: number }>][] = [
          ['taken out', (person, batchId) => person.post('/account/uploads/remove', { batchId })],
          ['signed out', (person) => person.post('/account/sign-out', {})],
          [
            'deleted',
            (person) => person.post('/account/delete', { password: 'correct horse battery staple' }),
          ],
        ];
        for (const [name, change] of changes) {
          const person = createTestBrowser(service);
          await newAccount(service, person);
          const scans = Array.from({ length: 3 }, (_, index) => [
            `scan-${index}.bin`,
            randomBytes(9_000_000),
          ]);
          await uploadOnPage(service, person, await createArchive(Object.fromEntries(scans)));
          const [{ batchId }] = await waitForUploads(person);
          const headers = { cookie: formatCookies(person) };
          const reader = await openSlowReader(`${service.baseUrl}/account/download`, headers);
          assert.equal(reader.status, 200);
          assert.equal((await change(person, batchId as string)).status, 204, name);
          const { bytes, complete } = await reader.readRest();
          assert.equal(complete, false, name);
          await assert.rejects(readZip(bytes), name);
        }
      });

      it('that is broken off leaves no connection behind, and the service goes on', async () => {
        const person = createTestBrowser(service);
        await newAccount(service, person);
        await uploadOnPage(service, person, await createArchive({ 'scan.bin': randomBytes(6_000_000) }));
        await waitForUploads(person);
        const before = await countConnections(service);
        for (let times = 0; times < 20; times++) await abortDownload(service, person);
        while ((await countConnections(service)) > before)
          await new Promise((resolve) => setTimeout(resolve, 20));
        assert.ok((await downloadArchive(service, person)).has('README.txt'));
      });
    });
  });
}

const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1');

/** The resources and the paths of the documents that are stored of a patient. */
const countStored = async ({ store }: TestService, patientId: string) => ({
  resources: await store.db.query(sql<{ type: string; count: number }>`
    select resource_type as type, count(*)::int as count from resource where patient_id = ${patientId} group by 1 order by 1`),
  documents: await store.db.query(sql<{ path: string }>`
    select path from document where patient_id = ${patientId} order by path`),
});

const countConnections = ({ app }: TestService): Promise<number> =>
  new Promise((resolve) => app.server.getConnections((_error, count) => resolve(count)));

/** Hangs up after the first bytes; `fetch` would keep the connection. */
const abortDownload = ({ baseUrl }: TestService, on: TestBrowser): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { cookie: Array.from(on.cookies, ([name, value]) => `${name}=${value}`).join('; ') };
    const request = http.get(`${baseUrl}/account/download`, { headers, agent: false }, (response) => {
      response.once('data', () => {
        response.destroy();
        resolve();
      });
    });
    request.once('error', reject);
  });
