import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount } from '../harness/account.ts';
import { createArchive } from '../harness/archive.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { runCommand } from '../harness/cli.ts';
import { getEverything, listReferences, type Bundle } from '../harness/fhir.ts';
import { downloadArchive, uploadOnPage, waitForUploads } from '../harness/my-data.ts';
import {
  call,
  callTool,
  newTestPatient,
  startTestService,
  getToolText,
  upload,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';

interface Batch {
  status: string;
  documents: { total: number; processed: number; rejected: number };
  resources: { created: number; updated: number; unchanged: number };
  rejected: { path: string; code: string; message: string }[];
}

interface ListedDocument {
  documentId: string;
  path: string;
  size: number;
  contentType: string;
  sha256: string;
}

const RTF = '{\\rtf1\\ansi The patient plays the bassoon.\\par}';
const CCDA = `<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"><component><structuredBody><component><section>
  <title>Assessment</title><text><paragraph>Recovers from a fall off a zeppelin.</paragraph></text>
  <entry><act><text>not told twice</text></act></entry></section></component></structuredBody></component></ClinicalDocument>`;

const reference = (id: string, data: Buffer, contentType = 'text/plain'): object => ({
  resourceType: 'DocumentReference',
  id,
  status: 'current',
  date: '2021-03-04T10:00:00Z',
  type: { text: `Note ${id}` },
  content: [{ attachment: { contentType, data: data.toString('base64') } }],
});

for (const engine of JOURNEY_ENGINES) {
  describe(`documents in an upload: ${engine}`, () => {
    let service: TestService;
    let patient: TestPatient;
    before(async () => {
      service = await startTestService({ engine });
      patient = await newTestPatient(service);
    });
    after(() => service.stop());

    const send = async (contents: Record<string, unknown>, to = patient): Promise<Batch> =>
      (await upload(service, to, await createArchive(contents))) as Batch;
    const listDocuments = async (
      of: TestPatient,
      query = '',
    ): Promise<{ results: ListedDocument[]; next: string | null }> => {
      const { status, body } = await call(service, `/v1/patients/${of.id}/documents${query}`, {
        token: of.token,
      });
      assert.equal(status, 200);
      return body as { results: ListedDocument[]; next: string | null };
    };
    const download = (of: TestPatient, documentId: string, token = of.token): Promise<Response> =>
      fetch(`${service.baseUrl}/v1/patients/${of.id}/documents/${documentId}`, {
        headers: { authorization: `Bearer ${token}` },
      });
    const search = async (of: TestPatient, query: string): Promise<string> =>
      getToolText(await callTool(service, of, 'search_clinical_notes', { query, years: 150 }));

    it('become notes, whatever they are called, and one that cannot be read costs no other', async () => {
      const someone = await newTestPatient(service);
      const batch = await send(
        {
          'letter.txt': Buffer.from('\ufeffPlays the theremin.', 'utf16le'),
          'letter.bin': RTF,
          page: '<html><body><p>Collects barometers.</p></body></html>',
          'packed.dat': gzipSync('Breeds axolotls.'),
          'evil.xml':
            '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><Patient xmlns="http://hl7.org/fhir">&x;</Patient>',
          'table.csv': 'a,b\n1,2\n',
          'broken.pdf': '%PDF-1.7 and no more',
        },
        someone,
      );
      assert.equal(batch.status, 'completed_with_errors');
      assert.deepEqual(batch.documents, { total: 7, processed: 4, rejected: 3 });
      assert.deepEqual(
        batch.rejected.map(({ path, code }) => `${path} ${code}`),
        ['evil.xml doctype_refused', 'table.csv unsupported_kind', 'broken.pdf damaged'],
      );
      for (const words of [
        'Plays the theremin',
        'plays the bassoon',
        'Collects barometers',
        'Breeds axolotls',
      ])
        assert.ok((await search(someone, words.split(' ').at(-1) as string)).includes(words), words);
      const kept = await listDocuments(someone);
      assert.deepEqual(Object.fromEntries(kept.results.map(({ path, contentType }) => [path, contentType])), {
        'letter.txt': 'text/plain',
        'letter.bin': 'application/rtf',
        page: 'text/html',
        'packed.dat': 'application/gzip',
        'evil.xml': 'application/xml',
        'table.csv': 'text/csv',
        'broken.pdf': 'application/pdf',
      });
    });

    it('are in no answer where they could not be read, so that there is nothing to state of them', async () => {
      const someone = await newTestPatient(service);
      await send(
        { 'broken.pdf': '%PDF-1.7 and no more', 'word.docx': 'PK\x03\x04', 'a.txt': 'Words.' },
        someone,
      );
      const { body } = await getEverything(service, { id: someone.id, token: someone.token });
      const given = listReferences([body as Bundle]).map((reference) => reference.split('/')[0]);
      assert.deepEqual(given, ['Person', 'DocumentReference']);
      const browser = await createSignedInBrowser(service, someone);
      const unread = await browser.get('/account/unread-documents');
      assert.deepEqual(unread.body, { total: 0, results: [] });
    });

    it('stand over every answer where none of them could be read', async () => {
      const someone = await newTestPatient(service);
      await send({ 'broken.pdf': '%PDF-1.7 and no more' }, someone);
      for (const tool of ['get_allergies', 'get_health_summary'])
        assert.match(
          getToolText(await callTool(service, someone, tool)),
          /1 upload \([\d-]+\) could not be read; what is in it is missing here/,
        );
    });

    it('are not missed where an archive or a file holds nothing', async () => {
      const someone = await newTestPatient(service);
      await send({ 'inner.zip': `PK\x05\x06${'\0'.repeat(18)}`, 'blank.json': '\n' }, someone);
      await send({}, someone);
      for (const tool of ['get_allergies', 'get_health_summary'])
        assert.doesNotMatch(getToolText(await callTool(service, someone, tool)), /could (?:not )?be read/);
    });

    it('are the same when they come again', async () => {
      const someone = await newTestPatient(service);
      const files = { 'a.txt': 'One note.', 'folder/b.rtf': RTF };
      const first = await send(files, someone);
      const second = await send(files, someone);
      assert.equal(first.resources.created, 2);
      assert.deepEqual(second.resources, { created: 0, updated: 0, unchanged: 2 });
      assert.equal((await listDocuments(someone)).results.length, 2);
    });

    it('come back byte for byte, and are nothing that a browser runs', async () => {
      const someone = await newTestPatient(service);
      const scan = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), randomBytes(2_500_000)]);
      const page = '<html><script>alert(1)</script><p>Words</p></html>';
      await send({ 'Guzmán/scan "1".png': scan, 'page.html': page }, someone);
      const { results } = await listDocuments(someone);
      for (const [path, bytes, type] of [
        ['Guzmán/scan "1".png', scan, 'image/png'],
        ['page.html', Buffer.from(page), 'application/octet-stream'],
      ] as const) {
        const document = results.find((each) => each.path === path);
        assert.ok(document);
        assert.equal(document.size, bytes.length);
        assert.equal(document.sha256, createHash('sha256').update(bytes).digest('hex'));
        const answer = await download(someone, document.documentId);
        assert.equal(answer.status, 200);
        assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
        assert.equal(answer.headers.get('content-type'), type);
        assert.equal(answer.headers.get('content-length'), String(bytes.length));
        assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
        assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
        assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="/);
      }
    });

    it('are listed a page at a time, newest first, each once', async () => {
      const someone = await newTestPatient(service);
      for (const batch of ['a', 'b'])
        await send(Object.fromEntries([1, 2, 3].map((n) => [`${batch}${n}.csv`, `${batch},${n}`])), someone);
      const paths: string[] = [];
      let before: string | null = null;
      do {
        const page = await listDocuments(someone, `?limit=4${before === null ? '' : `&before=${before}`}`);
        paths.push(...page.results.map(({ path }) => path));
        before = page.next;
      } while (before !== null);
      assert.deepEqual(paths.map((path) => path[0]).join(''), 'bbbaaa');
      assert.equal(new Set(paths).size, 6);
    });

    it('are given to nobody else', async () => {
      await send({ 'mine.txt': 'Mine.' });
      const [document] = (await listDocuments(patient)).results;
      assert.ok(document);
      const stranger = await newTestPatient(service);
      assert.equal((await download(patient, document.documentId, stranger.token)).status, 403);
      assert.equal((await download(stranger, document.documentId)).status, 404);
      assert.deepEqual((await listDocuments(stranger)).results, []);
    });

    it('inside of a resource are read for its note, whatever their label says', async () => {
      const someone = await newTestPatient(service);
      const report = {
        resourceType: 'DiagnosticReport',
        id: 'r',
        status: 'final',
        code: { text: 'Letter' },
        effectiveDateTime: '2021-03-04',
        presentedForm: [
          { contentType: 'application/octet-stream', data: Buffer.from(RTF).toString('base64') },
        ],
      };
      await send(
        {
          'a.json': reference('a', gzipSync(CCDA)),
          'b.json': report,
          'c.json': reference('c', Buffer.from('%PDF-1.4 and no more'), 'application/pdf'),
        },
        someone,
      );
      const zeppelin = await search(someone, 'zeppelin');
      assert.match(zeppelin, /Assessment/);
      assert.match(zeppelin, /Recovers from a fall off a zeppelin\./);
      assert.doesNotMatch(zeppelin, /not told twice/);
      assert.match(await search(someone, 'bassoon'), /The patient plays the bassoon\./);
      assert.match(await search(someone, 'Note c'), /DocumentReference\/c/);
    });

    it('are the person’s on their own page as well, and nobody’s without a session', async () => {
      const on = createTestBrowser(service);
      await newAccount(service, on);
      await uploadOnPage(service, on, await createArchive({ 'letter.rtf': RTF, 'letter.txt': 'Words.' }));
      await waitForUploads(on);
      const { body } = await on.get('/account/documents');
      const results = body.results as ListedDocument[];
      assert.deepEqual(results.map(({ path }) => path).sort(), ['letter.rtf', 'letter.txt']);
      const rtf = results.find(({ path }) => path === 'letter.rtf');
      const cookie = Array.from(on.cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const url = `${service.baseUrl}/account/documents/${rtf?.documentId}`;
      assert.equal(await (await fetch(url, { headers: { cookie } })).text(), RTF);
      assert.equal((await fetch(url)).status, 401);
      const head = await fetch(url, { method: 'HEAD', headers: { cookie } });
      assert.equal(head.headers.get('content-length'), String(RTF.length));
      assert.equal((await fetch(`${url.slice(0, -1)}x`, { headers: { cookie } })).status, 400);
      const members = await downloadArchive(service, on);
      const names = [...members.keys()].filter((name) => name.startsWith('documents/'));
      assert.deepEqual(
        names.map((name) => name.replace(/^.*\//, '')),
        ['letter.rtf', 'letter.txt'],
      );
    });

    it('are read again on their page where they were not read in time, and by the operator', async () => {
      const on = createTestBrowser(service);
      await newAccount(service, on);
      await uploadOnPage(service, on, await createArchive({ 'letter.rtf': RTF }));
      const [first] = await waitForUploads(on);
      const batchId = first.batchId as string;
      const again = await on.post('/account/uploads/read-again', { batchId });
      assert.deepEqual([again.status, again.body.code], [409, 'nothing_unread']);
      await service.store.db.query(sql`
        insert into upload_rejection (patient_id, batch_id, ordinal, path, code, message)
        select patient_id, batch_id, 0, 'letter.rtf', 'not_read_in_time', '' from upload_batch where batch_id = ${batchId}`);
      const stranger = createTestBrowser(service);
      await newAccount(service, stranger);
      assert.equal((await stranger.post('/account/uploads/read-again', { batchId })).status, 404);
      const { status, body } = await on.post('/account/uploads/read-again', { batchId });
      assert.equal(status, 202);
      const [second, ...others] = await waitForUploads(on);
      assert.deepEqual(
        [second.batchId, second.status, second.paths, others.length],
        [body.batchId, 'completed', ['letter.rtf'], 1],
      );
      if (service.store.databaseUrl === undefined) return;
      const environment = { DATABASE_URL: service.store.databaseUrl, CHARTGATE_LOG_LEVEL: 'error' };
      const listed = await runCommand(['read-again'], { environment });
      assert.match(listed.stdout, new RegExp(`not read in time: 1\\n {2}${batchId} {2}1 documents, of 20`));
      const { stdout } = await runCommand(['read-again', batchId, '--json'], { environment });
      const [third] = await waitForUploads(on);
      assert.deepEqual([JSON.parse(stdout).batchId, 'completed'], [third.batchId, third.status]);
      for (const unknown of ['x', body.batchId as string])
        assert.equal((await runCommand(['read-again', unknown], { environment })).code, 1);
    });
  });
}
