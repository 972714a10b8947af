import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { newAccount, requestMailedLink } from '../harness/account.ts';
import { callMcp } from '../harness/authorization.ts';
import { buildEverythingPath } from '../harness/fhir.ts';
import {
  call,
  callTool,
  getOrganizationToken,
  newOrganization,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';

let service: TestService;
let admin: string;

before(async () => {
  service = await startTestService();
  admin = await getOrganizationToken(service);
});
after(() => service.stop());

/** The status of each family of endpoints that takes the patient's token. */
const readAsPatient = async (id: string, token: string): Promise<number[]> => [
  (await call(service, `/v1/patients/${id}/consents`, { token })).status,
  (await call(service, buildEverythingPath(id), { token })).status,
  (await callTool(service, { token }, 'get_labs', {})).status,
  (await call(service, '/mcp', { token, json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })).status,
];

const logIn = async (login: { email: string; password: string; projectId: string }): Promise<string> => {
  const { status, body } = await call(service, '/v1/auth/token', { json: login });
  assert.equal(status, 200);
  return body.token as string;
};

interface Holder {
  id: string;
  email: string;
  password: string;
  projectId: string;
  browser: TestBrowser | null;
}

/** Each way to change a password, by whom it belongs to: returns the new one. */
const CHANGES: Record<string, (holder: Holder) => Promise<string>> = {
  'the organization renews it': async ({ id }) => {
    const path = `/v1/organizations/${service.organization.organizationId}/test-patients/${id}/password`;
    return (await call(service, path, { method: 'POST', token: admin })).body.password as string;
  },
  'a mailed link sets it': async ({ email, browser }) => {
    const password = 'another horse battery staple';
    const token = await requestMailedLink(service, browser as TestBrowser, { email });
    assert.equal((await (browser as TestBrowser).post('/account/password', { token, password })).status, 200);
    return password;
  },
  'a mailed link sets the same one again': async ({ email, password, browser }) => {
    const token = await requestMailedLink(service, browser as TestBrowser, { email });
    assert.equal((await (browser as TestBrowser).post('/account/password', { token, password })).status, 200);
    return password;
  },
};

async function createHolder(change: string): Promise<Holder> {
  if (change.startsWith('the organization')) return { ...(await newTestPatient(service)), browser: null };
  const browser = createTestBrowser(service);
  const account = await newAccount(service, browser);
  const { projectId } = service.organization;
  const { body } = await call(service, `/v1/projects/${projectId}/patients`, {
    token: admin,
    json: { patients: [account], suppressNotifications: true },
  });
  const id = [...body.duplicates, ...body.successfulPatients][0].referenceId as string;
  await service.store.db.query(sql`
    insert into consent (patient_id, project_id, consent_type, consent_record_id, consent_status, expires_at, decided_at)
    values (${id}, ${projectId}, 'PATIENT_DIRECTED_DATA_EXCHANGE', gen_random_uuid(), 'OPTED_IN', '2100-01-01', now())`);
  return { id, ...account, projectId, browser };
}

describe('a token of a password', () => {
  for (const [change, perform] of Object.entries(CHANGES))
    // The clock stands still: both tokens have the same `iat`.
    it(`ends when ${change}, and one made in the same second after it works (case 73)`, async () => {
      const holder = await createHolder(change);
      const before = await logIn(holder);
      const [own] = await readAsPatient(holder.id, before);
      assert.notEqual(own, 401);
      assert.deepEqual((await readAsPatient(holder.id, before)).slice(1), [200, 200, 200]);
      const password = await perform(holder);
      assert.deepEqual(await readAsPatient(holder.id, before), [401, 401, 401, 401]);
      assert.deepEqual(
        (await readAsPatient(holder.id, await logIn({ ...holder, password }))).slice(1),
        [200, 200, 200],
      );
    });

  it('is refused whatever a message says, and leaves no entry of a call (case 73)', async () => {
    const holder = await createHolder('the organization renews it');
    const token = await logIn(holder);
    await CHANGES['the organization renews it']?.(holder);
    const message = (method: string, params?: object): object => ({ jsonrpc: '2.0', id: 1, method, params });
    const messages = [
      message('tools/call', { name: 'get_labs', arguments: {} }),
      message('tools/call', { name: 'get_labs', arguments: { years: 'many' } }),
      message('tools/call', { name: 'no_such_tool' }),
      message('tools/call'),
      message('no/such/method'),
      message('initialize', {}),
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { not: 'a message' },
    ];
    for (const json of messages)
      for (const version of ['2025-03-26', '2025-11-25']) {
        const headers = { 'mcp-protocol-version': version };
        const { status, body } = await call(service, '/mcp', { token, json, headers });
        assert.deepEqual([status, body], [401, { error: 'unauthorized' }], JSON.stringify(json));
      }
    const entries = await service.store.db.query(
      sql`select from audit_entry where patient_id = ${holder.id} and action = 'mcp.tools_call'`,
    );
    assert.equal(entries.length, 0);
  });

  it('ends with the account (case 73)', async () => {
    const { id, token } = await newTestPatient(service);
    const path = `/v1/organizations/${service.organization.organizationId}/test-patients/${id}`;
    assert.equal((await call(service, path, { method: 'DELETE', token: admin })).status, 204);
    const [own, record, ...tools] = await readAsPatient(id, token);
    assert.deepEqual([own, record], [401, 401]);
    // HTTP 200 with -32000, "Patient context not found", as the specification says.
    const answers = await Promise.all(tools.map(() => callTool(service, { token }, 'get_labs')));
    assert.ok(answers.every(({ body }) => body.error.code === -32000));
  });

  it('ends with the account where nothing of a record is asked for (case 379)', async () => {
    const { id, token } = await newTestPatient(service);
    const patientPaths = ['upload-documents', 'sources', 'consents', 'access-log'];
    const ask = async (): Promise<number[]> => [
      ...(await Promise.all(
        patientPaths.map(
          async (path) => (await call(service, `/v1/patients/${id}/${path}`, { token })).status,
        ),
      )),
      ...(await Promise.all(
        ['tools/list', 'ping', 'initialize'].map(
          async (method) => (await callMcp(service, token, method)).status,
        ),
      )),
    ];
    assert.deepEqual(new Set(await ask()), new Set([200]));
    const path = `/v1/organizations/${service.organization.organizationId}/test-patients/${id}`;
    assert.equal((await call(service, path, { method: 'DELETE', token: admin })).status, 204);
    assert.deepEqual(new Set(await ask()), new Set([401]));
  });
});

describe('a token of an API key', () => {
  it('ends when the key is rotated or revoked (case 74)', async () => {
    const organization = await newOrganization(service);
    const { apiKey } = organization.admin;
    const list = `/v1/organizations/${organization.organizationId}/projects`;
    const getStatus = async (token: string): Promise<number> => (await call(service, list, { token })).status;
    const first = await getOrganizationToken(service, 'admin', organization);
    const other = await getOrganizationToken(service, 'researcher', organization);
    assert.equal(await getStatus(first), 200);
    const keys = `/v1/organizations/${organization.organizationId}/api-keys`;
    const listed = await call(service, keys, { token: first });
    const { id } = listed.body.results.find((key: { apiKey: string }) => key.apiKey === apiKey);
    const { body } = await call(service, `${keys}/${id}/rotate`, { token: first, json: { graceSeconds: 0 } });
    const apiSecret = body.apiSecret as string;
    assert.equal(await getStatus(first), 401);
    const rotated = { ...organization, admin: { apiKey, apiSecret } };
    const second = await getOrganizationToken(service, 'admin', rotated);
    assert.equal(await getStatus(second), 200);
    await service.store.db.query(sql`update api_key set revoked_at = now() where api_key = ${apiKey}`);
    assert.equal(await getStatus(second), 401);
    assert.notEqual(await getStatus(other), 401);
  });
});

describe('a session', () => {
  it('of before a change of the password ends, even one that claims to have begun later (case 75)', async () => {
    const { email } = await newAccount(service, createTestBrowser(service));
    const stale = createTestBrowser(service);
    const password = 'correct horse battery staple';
    assert.equal((await stale.post('/account/sign-in', { email, password })).status, 200);
    // As on a node whose clock is ahead.
    await service.store.db.query(
      sql`update account_session set created_at = created_at + interval '10 minutes'`,
    );
    assert.equal((await stale.get('/account/session')).body.person?.email, email);
    const kept = await service.store.db.query(
      sql<{ line: string }>`select row_to_json(s)::text as line from account_session s`,
    );
    const browser = createTestBrowser(service);
    const token = await requestMailedLink(service, browser, { email });
    assert.equal((await browser.post('/account/password', { token, password })).status, 200);
    // A sign-in that was under way writes its session after the change deleted those it found.
    for (const { line } of kept)
      await service.store.db.query(sql`
        insert into account_session select * from json_populate_record(null::account_session, ${line}::json) on conflict do nothing`);
    assert.equal((await stale.get('/account/session')).body.person, null);
    assert.equal((await browser.get('/account/session')).body.person.email, email);
  });
});
