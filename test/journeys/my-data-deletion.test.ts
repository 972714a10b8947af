import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { WAIT_MS } from '../../server/clinical/ingest/batches/batch-line.ts';
import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import { one, type Tx } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { requestMailedLink, newAccount, type TestAccount } from '../harness/account.ts';
import { createArchive, createBundle } from '../harness/archive.ts';
import {
  buildAuthorizePath,
  callMcp,
  decideRequest,
  createPkce,
  registerClient,
  getRequestId,
  createSignedInBrowser,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { listMailsTo } from '../harness/mails.ts';
import { getPatientId, uploadOnPage, waitForUploads } from '../harness/my-data.ts';
import {
  call,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES, openTestStore } from '../harness/store.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

/** What organizations must be able to show of those who have gone. */
const STAYS = [
  'past_enrollment',
  'audit_entry',
  'consent',
  'consent_record',
  'consent_record_patient',
  'consent_screenshot',
  'webhook_event',
];

/** How often uploads, a decision and the deletion meet, in an order that the scheduler makes: the embedded engine is slower. */
const ROUNDS = isLong ? { postgresql: 20, embedded: 10 } : { postgresql: 4, embedded: 2 };

const getStatusAndCode = ({ status, body }: HttpResponse): unknown[] => [status, body.code];

for (const engine of JOURNEY_ENGINES) {
  describe(`deleting the account: ${engine}`, () => {
    let service: TestService;
    let on: TestBrowser;
    let jo: TestAccount;
    let id: string;
    before(async () => {
      // Statements wait for locks here while others are asked.
      service = await startTestService({ store: await openTestStore(engine, { pipelines: 8 }) });
    });
    after(() => service.stop());
    beforeEach(async () => {
      await service.store.db.query(sql`delete from rate_limit`);
      on = createTestBrowser(service);
      jo = await newAccount(service, on);
      id = getPatientId(on);
    });

    const remove = (password = jo.password): Promise<HttpResponse> =>
      on.post('/account/delete', { password });

    const shareWithClient = async (): Promise<string> => {
      const flow = { browser: on, client: await registerClient(service), pkce: createPkce() } as Flow;
      return (await obtainTokens(service, flow)).access_token as string;
    };

    const RECORD = {
      'r.json': createBundle({ resourceType: 'Patient', id: 'p' }),
      'scan.docx': Buffer.alloc(3, 7),
    };

    /** Tables that name the patient in any row, read from the catalog. */
    async function listTables(patientId: string): Promise<string[]> {
      const { db } = service.store;
      const tables = await db.query(sql<{ name: string }>`
        select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name = 'patient_id'
          -- What a partition has is its table's.
          and quote_ident(table_name)::regclass not in (select inhrelid from pg_inherits)
        order by table_name`);
      assert.ok(tables.length > PATIENT_TABLES.length);
      const found: string[] = [];
      for (const { name } of tables) {
        const text = `select count(*) as total from ${name} where patient_id = $1`;
        if ((await one<{ total: number }>(db, { text, values: [patientId] })).total > 0) found.push(name);
      }
      return found;
    }

    it('deletes the person from every table but those of the evidence, ends every session and token, and confirms by mail', async () => {
      const other = createTestBrowser(service);
      await other.post('/account/sign-in', { email: jo.email, password: jo.password });
      const token = await shareWithClient();
      await uploadOnPage(service, on, await createArchive(RECORD));
      await waitForUploads(on);
      assert.equal((await callMcp(service, token, 'tools/call')).status, 200);
      assert.ok((await listTables(id)).includes('document'));

      const answer = await remove();
      assert.deepEqual([answer.status, answer.body], [204, '']);
      assert.equal(on.cookies.has('chartgate-session'), false);
      await service.worker.drain();
      const left = await listTables(id);
      assert.deepEqual(
        left.filter((name) => !STAYS.includes(name)),
        [],
      );
      assert.ok(left.includes('consent_record') && left.includes('audit_entry'));
      assert.equal((await other.get('/account/session')).body.person, null);
      assert.equal((await callMcp(service, token, 'tools/call')).status, 401);
      const { email, password } = jo;
      assert.deepEqual(getStatusAndCode(await on.post('/account/sign-in', { email, password })), [
        401,
        'invalid_credentials',
      ]);
      const mails = await listMailsTo(service, email);
      assert.equal(mails.at(-1)?.subject, 'Your account was deleted');
    });

    it('takes every consent back first, with word to the partner, and the organization can still show what was agreed', async () => {
      await shareWithClient();
      const granted = (await on.get('/account/consents')).body.consents[0].consentRecordId as string;
      await remove();
      const events = await service.store.db.query(sql<{ type: string }>`
        select type from webhook_event where patient_id = ${id} order by event_id`);
      assert.deepEqual(
        events.map(({ type }) => type),
        ['consent.granted', 'consent.withdrawn'],
      );
      const token = await getOrganizationToken(service);
      const record = await call(service, `/v1/consents/${granted}`, { token });
      assert.deepEqual([record.status, record.body.consentStatus], [200, 'OPTED_IN']);
      const all = await call(service, `/v1/patients/consents?patientId=${id}`, { token });
      assert.deepEqual(
        all.body.results.map((each: HttpResponse['body']) => [
          each.consentRecord.consentStatus,
          each.consentRecord.consentUIFlow,
        ]),
        [
          ['OPTED_OUT', 'MY_DATA_DELETION'],
          ['OPTED_IN', 'PATIENT_DIRECTED_DATA_EXCHANGE'],
        ],
      );
      const listed = await call(service, `/v1/projects/${service.organization.projectId}/consents`, {
        token,
      });
      const summary = listed.body.results.find((each: HttpResponse['body']) => each.patientId === id);
      assert.deepEqual(
        summary?.consents.map((each: HttpResponse['body']) => [each.hasPatientConsented, each.consentType]),
        [[false, 'PATIENT_DIRECTED_DATA_EXCHANGE']],
      );
      assert.equal(listed.body.total, listed.body.results.length);
      const byEmail = `/v1/patients/consents?email=${encodeURIComponent(jo.email)}`;
      assert.equal(
        (await call(service, byEmail, { token })).status,
        403,
        'as for an address that nobody has',
      );
    });

    it('ends tokens that are not over yet, also for what stays', async () => {
      await shareWithClient();
      const { projectId } = service.organization;
      const login = { email: jo.email, password: jo.password, projectId };
      const { token } = (await call(service, '/v1/auth/token', { json: login })).body;
      const record = (await on.get('/account/consents')).body.consents[0].consentRecordId as string;
      const { body } = await call(service, `/v1/consents/${record}/screenshots`, { token });
      const paths = [
        `/v1/consents/${record}`,
        `/v1/consents/${record}/receipt`,
        `/v1/consents/${record}/screenshots`,
        `/v1/consents/${record}/screenshots/${body.screenshots[0].id}`,
        `/v1/patients/consents?patientId=${id}`,
        `/v1/patients/${id}/consents`,
        `/v1/patients/${id}/consented-data-scopes/study/${projectId}`,
        `/v1/patients/${id}/access-log`,
      ];
      for (const path of paths) assert.equal((await call(service, path, { token })).status, 200, path);
      await remove();
      for (const path of paths) assert.equal((await call(service, path, { token })).status, 401, path);
    });

    // The embedded engine runs one transaction at a time.
    if (engine === 'postgresql')
      for (const [other, inserts] of [
        ['enrollment', 'enrollment'],
        ['consent', 'consent'],
      ] as const)
        for (const first of [other, 'deletion'])
          it(`at the moment of the first ${other} leaves nothing of the one who is gone: the ${first} is first`, async () => {
            const { db } = service.store;
            const act = other === 'consent' ? await beginConsent() : await beginEnrollment();
            const [table, when] = first === other ? [inserts, 'insert'] : ['patient_password', 'delete'];
            // The first waits in its middle until the other has come as far as it can.
            await db.tx((tx) =>
              tx.script(`create function wait() returns trigger language plpgsql as
                  'begin perform pg_advisory_xact_lock_shared(77); return coalesce(new, old); end';
                create trigger wait before ${when} on ${table} for each row execute function wait();`),
            );
            let answers: Promise<HttpResponse[]> | undefined;
            await db.tx(async (tx) => {
              await tx.script('select pg_advisory_xact_lock(77)');
              const begun: Promise<HttpResponse>[] = [];
              for (const begin of first === other ? [act, remove] : [remove, act]) {
                begun.push(begin());
                await Promise.race([begun.at(-1), waitForBlocked(tx, begun.length)]);
              }
              answers = Promise.all(first === other ? begun : begun.toReversed());
            });
            const [done, removed] = await (answers as Promise<HttpResponse[]>);
            await db.tx((tx) => tx.script('drop function wait() cascade'));
            await service.worker.drain();
            assert.equal(removed?.status, 204);
            assert.equal(done?.status, other === 'consent' && first === 'deletion' ? 403 : 200);
            assert.deepEqual(
              (await listTables(id)).filter((name) => !STAYS.includes(name)),
              [],
            );
            if (other === 'consent') return;
            const known = done?.body.successfulPatients as { referenceId: string }[];
            assert.equal(known[0]?.referenceId === id, first === 'enrollment', 'or somebody new');
          });

    async function beginEnrollment(): Promise<() => Promise<HttpResponse>> {
      const token = await getOrganizationToken(service);
      const known = { email: jo.email, firstName: 'Jo', lastName: 'L', phone: '555 77', externalId: '7' };
      const json = { patients: [known], suppressNotifications: true };
      return () => call(service, `/v1/projects/${service.organization.projectId}/patients`, { token, json });
    }

    async function beginConsent(): Promise<() => Promise<HttpResponse>> {
      const { client_id: clientId } = await registerClient(service);
      const { challenge } = createPkce();
      const requestId = getRequestId(await on.get(buildAuthorizePath({ clientId, challenge })));
      return () => decideRequest(on, requestId, 'grant');
    }

    /** Until so many transactions wait for this one, or for one that does: jobs of the service wait for locks of their own. */
    async function waitForBlocked(tx: Tx, count: number): Promise<void> {
      for (;;) {
        await tx.query(sql`select pg_stat_clear_snapshot()`);
        const rows = await tx.query(sql`
          with recursive blocked (pid) as (
            select pg_backend_pid() union
            select a.pid from pg_stat_activity a join blocked b on b.pid = any (pg_blocking_pids(a.pid)))
          select from blocked where pid <> pg_backend_pid()`);
        if (rows.length >= count) return;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }

    it('leaves the address free for a new account that knows nothing of the old one', async () => {
      await shareWithClient();
      await remove();
      const again = createTestBrowser(service);
      await newAccount(service, again, { email: jo.email });
      assert.notEqual(getPatientId(again), id);
      assert.deepEqual((await again.get('/account/consents')).body.consents, []);
      assert.deepEqual((await again.get('/account/receipts')).body.receipts, []);
      assert.deepEqual((await again.get('/account/uploads')).body.results, []);
    });

    it('needs the password once more, and waits after ten wrong ones', async () => {
      assert.deepEqual(getStatusAndCode(await remove('another password')), [401, 'invalid_credentials']);
      assert.equal((await on.get('/account/session')).body.person.email, jo.email);
      for (let tries = 1; tries < 10; tries++) await remove('another password');
      assert.equal((await remove()).status, 429);
    });

    it('ends the links that were mailed to the address', async () => {
      const browser = createTestBrowser(service);
      const token = await requestMailedLink(service, browser, { email: jo.email });
      assert.equal((await browser.post('/account/link', { token })).status, 200);
      await remove();
      assert.equal((await browser.post('/account/link', { token })).status, 404);
    });

    if (engine === 'postgresql')
      it('is refused where the password is changed while it is looked at', async () => {
        let removed: Promise<HttpResponse> | undefined;
        await service.store.db.tx(async (tx) => {
          await tx.query(sql`update patient_password set password_hash = 'another' where patient_id = ${id}`);
          removed = remove();
          await Promise.race([removed, waitForBlocked(tx, 1)]);
        });
        assert.deepEqual(getStatusAndCode((await removed) as HttpResponse), [401, 'invalid_credentials']);
        assert.ok((await listTables(id)).includes('patient'));
      });

    it('needs our own page and somebody who is signed in; a test patient is deleted by its organization', async () => {
      const body = { password: jo.password };
      assert.deepEqual(getStatusAndCode(await on.post('/account/delete', body, { 'x-csrf-token': 'x' })), [
        403,
        'csrf',
      ]);
      assert.deepEqual(getStatusAndCode(await createTestBrowser(service).post('/account/delete', body)), [
        401,
        'not_signed_in',
      ]);
      const patient = await newTestPatient(service);
      const browser = await createSignedInBrowser(service, patient);
      const refused = await browser.post('/account/delete', { password: patient.password });
      assert.deepEqual(getStatusAndCode(refused), [403, 'test_patient']);
      assert.equal((await browser.get('/account/session')).body.person.email, patient.email);
    });

    it('at the moment of uploads and decisions leaves nothing of them, and no job that fails', async () => {
      for (let round = 0; round < ROUNDS[engine]; round++) {
        await service.store.db.query(sql`delete from rate_limit`);
        on = createTestBrowser(service);
        jo = await newAccount(service, on);
        id = getPatientId(on);
        const projectId = service.organization.projectId;
        await shareWithClient();
        const archive = await createArchive({ ...RECORD, 'big.bin': Buffer.alloc(2_000_000, round) });
        await uploadOnPage(service, on, archive);
        const answers = await Promise.all([
          uploadOnPage(service, on, archive),
          remove(),
          on.post('/account/consents/withdraw', { projectId }),
          uploadOnPage(service, on, archive),
        ]);
        assert.equal(answers[1].status, 204);
        assert.ok(
          answers.every(({ status }) => status < 500),
          answers.map(({ status }) => status).join(),
        );
        await service.worker.drain();
        assert.deepEqual(
          (await listTables(id)).filter((name) => !STAYS.includes(name)),
          [],
        );
      }
      const jobs = () =>
        service.store.db.query(sql<{ state: string; last_error: string | null }>`
          select state, last_error from job where kind = 'upload'`);
      for (let left = await jobs(); left.length > 0; left = await jobs()) {
        assert.ok(left.every(({ state, last_error }) => state === 'due' && last_error === null));
        // One that waited for another archive looks again then.
        service.clock.advance(WAIT_MS);
        await service.worker.drain();
      }
      assert.deepEqual(
        (await listTables(id)).filter((name) => !STAYS.includes(name)),
        [],
      );
    });

    it('is done as a whole or not at all', async () => {
      const { db } = service.store;
      const token = await shareWithClient();
      await uploadOnPage(service, on, await createArchive(RECORD));
      await waitForUploads(on);
      const before = await listTables(id);
      // The last table of all refuses.
      await db.tx((tx) =>
        tx.script(`create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end';
          create trigger refuse before delete on ${PATIENT_TABLES.at(-1)} execute function refuse();`),
      );
      try {
        assert.equal((await remove()).status, 500);
        assert.deepEqual(await listTables(id), before);
        assert.equal((await callMcp(service, token, 'tools/call')).status, 200, 'the consent is still there');
      } finally {
        await db.tx((tx) => tx.script('drop function refuse() cascade'));
      }
      assert.equal((await remove()).status, 204);
    });
  });
}
