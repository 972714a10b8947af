import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { after, before, describe, it } from 'node:test';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { createDocumentProcessPool } from '../../documents/sandbox/document-process-pool.ts';
import { VOCABULARY } from '../../server/clinical/concepts/read-vocabulary.ts';
import { reindexAll } from '../../server/clinical/ingest/import/reindex.ts';
import { sealAll } from '../../server/platform/audit/seal.ts';
import { verifyStore, type StoreVerification } from '../../server/platform/audit/verify-store.ts';
import { restoreBackup } from '../../server/platform/backup/restore-backup.ts';
import { readMigrations } from '../../server/platform/db/migrate.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { systemClock as clock } from '../../server/platform/kernel/clock.ts';
import { createSigningKeys, listAllSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import { importVerifyingKeys } from '../../server/platform/keys/verifying-keys.ts';
import { createArchive } from '../harness/archive.ts';
import { refresh } from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { createConsoleBrowser } from '../harness/member.ts';
import { ROOT } from '../harness/process.ts';
import {
  call,
  callTool,
  decide,
  getToolText,
  startTestService,
  upload,
  type TestService,
} from '../harness/service.ts';
import { JOURNEY_ENGINES, openTestStore, type TestStore } from '../harness/store.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { BASE_URL, FINDINGS, SINCE, type Known } from './fill-store.ts';
import { getBackupFile, getKnownFile, RELEASES } from './releases.ts';

describe('the stores of earlier programs', () => {
  it('are of schemas that today begins with, and small', async () => {
    const numbers = (await readMigrations()).map(({ name }) => name.slice(0, 4));
    const schemas = RELEASES.map(({ schema }) => schema);
    assert.deepEqual(
      schemas.filter((schema) => !numbers.includes(schema)),
      [],
    );
    const bytes = RELEASES.flatMap((release) => [getBackupFile(release), getKnownFile(release)])
      .map((file) => fs.statSync(file).size)
      .reduce((sum, size) => sum + size, 0);
    assert.ok(bytes < 1_000_000, `${bytes} bytes`);
  });

  it('include one of each version that the changelog names', () => {
    const changelog = fs.readFileSync(path.join(ROOT, 'CHANGELOG.md'), 'utf8');
    const versions = Array.from(changelog.matchAll(/^## \[?(\d\S*?)\]?(?:\s|$)/gm), ([, version]) => version);
    const made = RELEASES.map(({ brought }) => brought);
    assert.deepEqual(
      versions.filter((version) => !made.includes(version ?? '')),
      [],
    );
  });
});

const documents = createDocumentProcessPool();
after(() => documents.close());

/**
 * Migrations that were applied never change, so what today can break is how it reads what they left. A store costs 3.5 CPU-seconds:
 * every run opens the oldest with all that an app needs, one of the middle and the newest; `npm run test:long` all, on both engines.
 */
const DAILY = ['0010', '0048', RELEASES.at(-1)?.schema];
const opened = RELEASES.filter(({ schema }) => isLong || DAILY.includes(schema));

for (const engine of JOURNEY_ENGINES)
  for (const release of opened)
    describe(`a store of schema ${release.schema} (${release.brought}), opened on ${engine}`, () => {
      let store: TestStore;
      let service: TestService;
      const known = JSON.parse(fs.readFileSync(getKnownFile(release), 'utf8')) as Known;
      const { organization, patient, withdrawn, connected, webhookId } = known;
      before(async () => {
        store = await openTestStore(engine, { isEmpty: true });
        const { takenAt } = await restoreBackup(store.db, getBackupFile(release));
        await postponeEnds(store, Date.now() - Date.parse(takenAt));
        service = await startTestService({
          store,
          environment: { CHARTGATE_BASE_URL: BASE_URL, CHARTGATE_ALLOWED_HOSTS: '127.0.0.1' },
        });
        Object.assign(service, { baseUrl: `http://127.0.0.1:${service.config.http.port}`, organization });
      });
      after(() => service.stop());

      const verify = async (): Promise<StoreVerification> => {
        const { db } = store;
        const keys = createSigningKeys({ db, clock });
        await sealAll({ db, clock, keys, baseUrl: BASE_URL }, new AbortController().signal);
        return verifyStore({ db, keys: await importVerifyingKeys(await listAllSigningKeys(db)) }, null);
      };

      it('has an audit log as it was written, and stays so', async () => {
        const before = await verify();
        assert.deepEqual([before.fault, before.entries > 0], [null, true]);
      });

      it('lets in the keys, passwords and logins of then', async () => {
        for (const role of ['admin', 'researcher'] as const)
          assert.equal(
            (await call(service, '/v1/auth/token', { json: organization[role] })).status,
            200,
            role,
          );
        const { email, password } = organization.console;
        const login = await createConsoleBrowser({ baseUrl: service.baseUrl }).post(
          '/console/sign-in',
          { email, password },
          { origin: BASE_URL },
        );
        assert.equal(login.status, 200, JSON.stringify(login.body));
      });

      it('answers tools from the record, at once and after reindex, under the consent that is in force', async () => {
        const token = await signIn(service, patient);
        const check = async (): Promise<void> => {
          for (const [tool, finding] of Object.entries(FINDINGS))
            assert.match(getToolText(await callTool(service, { token }, tool)), finding, tool);
        };
        await check();
        await reindexAll({
          db: store.db,
          clock,
          getVocabulary: VOCABULARY.get,
          extractText: (document) => documents.extractText(document),
        });
        await check();
        const other = await signIn(service, withdrawn);
        assert.equal((await callTool(service, { token: other }, 'get_labs')).status, 403);
      });

      it('takes the tokens of then', { skip: connected === undefined }, async () => {
        assert.ok(connected);
        const { clientId, accessToken, refreshToken } = connected;
        const token = await prolong(store, accessToken);
        assert.match(getToolText(await callTool(service, { token }, 'get_conditions')), /Asthma/);
        const { status, body } = await refresh(service, clientId, refreshToken);
        assert.equal(status, 200, JSON.stringify(body));
        const answer = await callTool(service, { token: body.access_token as string }, 'get_conditions');
        assert.match(getToolText(answer), /Asthma/);
      });

      it('shows people and organizations its pages, and what they ask for', async () => {
        const accept = 'text/html';
        for (const page of ['/', '/consent/', '/console/', '/docs/'])
          assert.equal((await call(service, page, { headers: { accept } })).status, 200, page);
        const browser = createTestBrowser(service, { origin: BASE_URL });
        const { email, password } = (connected ?? known).patient;
        assert.equal((await browser.post('/account/sign-in', { email, password })).status, 200);
        for (const path of PAGES_OF_PEOPLE) assert.equal((await browser.get(path)).status, 200, path);
        const token = (await call(service, '/v1/auth/token', { json: organization.admin })).body
          .token as string;
        for (const path of PAGES_OF_ORGANIZATIONS) {
          const url = `/v1/organizations/${organization.organizationId}${path}`;
          const { status, body } = await call(service, url, { token });
          assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
        }
      });

      it('reads the consents of then with their evidence, and ends them', async () => {
        const token = (await call(service, '/v1/auth/token', { json: organization.admin })).body
          .token as string;
        for (const { id } of [patient, ...(connected === undefined ? [] : [connected.patient])]) {
          const { body } = await call(service, `/v1/patients/consents?patientId=${id}`, { token });
          const [{ consentRecord, screenshots }] = body.results as [DecisionWithEvidence];
          assert.equal(consentRecord.consentStatus, 'OPTED_IN');
          const hasEvidence = id === connected?.patient.id && release.schema >= SINCE.evidence;
          assert.equal(screenshots.length > 0, hasEvidence);
          const recordId = consentRecord.id;
          assert.equal((await call(service, `/v1/consents/${recordId}/receipt`, { token })).status, 200);
        }
      });

      it('goes on: uploads, withdrawals that end tokens, events to the webhooks of then', async () => {
        const token = await signIn(service, patient);
        const note = {
          resourceType: 'Condition',
          id: 'gout',
          subject: { reference: 'Patient/p' },
          code: { text: 'Gout' },
        };
        const batch = await upload(
          service,
          { ...patient, token },
          await createArchive({ 'later.json': JSON.stringify(note) }),
        );
        assert.equal(batch.status, 'completed');
        assert.match(getToolText(await callTool(service, { token }, 'get_conditions')), /Gout/);
        for (const each of [patient, ...(connected === undefined ? [] : [connected.patient])]) {
          const own = { ...each, token: await signIn(service, each) };
          assert.equal((await decide(service, own, 'OPTED_OUT')).status, 201);
          assert.equal((await callTool(service, own, 'get_conditions')).status, 403);
        }
        if (connected !== undefined) {
          const { clientId, refreshToken } = connected;
          assert.equal((await refresh(service, clientId, refreshToken)).status, 400);
        }
        const [{ count } = { count: 0 }] = await store.db.query(sql<{ count: number }>`
          select count(*)::integer as count from webhook_delivery where webhook_id = ${webhookId ?? null}::uuid`);
        assert.equal(count, webhookId === undefined ? 0 : 3, 'one of then, two of now');
        assert.equal((await verify()).fault, null);
      });
    });

interface DecisionWithEvidence {
  consentRecord: { id: string; consentStatus: string };
  screenshots: unknown[];
}

/** What the patient's own pages ask for. */
const PAGES_OF_PEOPLE = [
  '/account/session',
  '/account/consents',
  '/account/receipts',
  '/account/record',
  '/account/record/facts?category=DIAGNOSES',
  '/account/uploads',
  '/account/documents',
  '/account/unread-documents',
  '/account/access-log',
  '/account/sources',
  '/account/sessions',
  '/account/events',
  '/account/notices',
];

const TODAY = new Date().toISOString();
const DAY_BEFORE = new Date(Date.now() - 86_400_000).toISOString();

/** What the console asks for, below the organization. */
const PAGES_OF_ORGANIZATIONS = [
  '',
  '/projects',
  '/patients',
  `/patients/funnel?from=${DAY_BEFORE}&to=${TODAY}`,
  '/consent-records',
  '/consent-stats',
  '/access-log',
  '/audit-events',
  `/usage?bucket=day&from=${DAY_BEFORE}&to=${TODAY}`,
  '/attention',
  '/clients',
  '/api-keys',
  '/members',
  '/invitations',
  '/sources',
  '/test-patients',
  '/webhooks',
  '/webhook-events',
];

/**
 * What a permission ended at, so much later: a store that was kept for years is opened as if it had been made now. Times of what
 * happened stay.
 */
async function postponeEnds({ db }: TestStore, ms: number): Promise<void> {
  const later = sql`make_interval(secs => ${ms / 1000})`;
  await db.query(sql`update consent set expires_at = expires_at + ${later}`);
  await db.query(sql`update consent_record set expires_at = expires_at + ${later}`);
  await db.query(
    sql`update oauth_grant set expires_at = expires_at + ${later}, rotated_at = rotated_at + ${later}`,
  );
}

/** A token as the program of then wrote it, with its claims and key, that ends in an hour from now. */
async function prolong({ db }: TestStore, token: string): Promise<string> {
  const { key } = await createSigningKeys({ db, clock }).getCurrentKey();
  const seconds = Math.floor(Date.now() / 1000);
  return new SignJWT({ ...decodeJwt(token), iat: seconds, exp: seconds + 3600 })
    .setProtectedHeader(decodeProtectedHeader(token) as { alg: string })
    .sign(key);
}

async function signIn(
  service: TestService,
  { email, password, projectId }: Known['patient'],
): Promise<string> {
  const { status, body } = await call(service, '/v1/auth/token', { json: { email, password, projectId } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.token as string;
}
