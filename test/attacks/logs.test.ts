import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import {
  getRedirectParameters,
  buildAuthorizePath,
  callMcp,
  decideRequest,
  exchangeCode,
  postForm,
  newFlow,
  refresh,
  getRequestId,
  type Flow,
} from '../harness/authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { call, startTestService, type TestService } from '../harness/service.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { PROGRAM, UNPREPARED } from '../harness/program.ts';
import { sendBytes, UNLIMITED } from './attack.ts';

const STATE = 'state-that-nobody-logs';
const VERIFIER_SENT_WRONG = 'wrong-verifier-'.repeat(4);

let store: TestService;
/** The same organization and store, served by a process that logs all it can. */
let service: TestService;
let flow: Flow;
let logged = '';
let stop: () => Promise<void>;

before(async () => {
  store = await startTestService({ environment: UNLIMITED });
  const port = await findFreePort();
  const child = spawn(process.execPath, [...UNPREPARED, PROGRAM, 'serve'], {
    env: {
      ...process.env,
      ...UNLIMITED,
      PORT: String(port),
      CHARTGATE_DATA_DIR: store.store.dataDirectory,
      CHARTGATE_LOG_LEVEL: 'trace',
      DATABASE_URL: store.store.databaseUrl,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise((resolve) => child.once('close', resolve));
  await new Promise<void>((resolve, reject) => {
    const keep = (bytes: Buffer): void => {
      logged += String(bytes);
      if (logged.includes('Chartgate listens')) resolve();
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('close', () => reject(new Error(`the server ended: ${logged}`)));
  });
  service = { ...store, baseUrl: `http://127.0.0.1:${port}` };
  flow = await newFlow(service, { client_name: 'Agent Ragnarok' });
  stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
});
after(async () => {
  await stop();
  await store.stop();
});

/** Breaks a table for the time of an action: what it fails with quotes what was sent. */
async function withHiddenTable<T>(table: string, action: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.store.databaseUrl });
  await client.connect();
  await client.query(`alter table ${table} rename to hidden`);
  try {
    return await action();
  } finally {
    await client.query(`alter table hidden rename to ${table}`);
    await client.end();
  }
}

/** Makes every write to a table fail, for the time of an action, with an error that quotes the whole row. */
async function withQuotingTrigger<T>(table: string, action: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.store.databaseUrl });
  await client.connect();
  await client.query(`create or replace function quote() returns trigger language plpgsql as
    $$ begin raise exception 'bad row %', new using detail = new::text, hint = new::text; end $$`);
  await client.query(
    `create trigger quote before insert or update on ${table} for each row execute function quote()`,
  );
  try {
    return await action();
  } finally {
    await client.query(`drop trigger quote on ${table}`);
    await client.end();
  }
}

describe('the logs of a server that logs all it can', () => {
  it('case 68: hold no secret and no person, of flows that succeed, are refused and break', async () => {
    const { browser, client, patient, pkce } = flow;
    const clientId = client.client_id as string;
    const secrets: Record<string, string> = {};
    const keep = (name: string, value: unknown): string => (secrets[name] = String(value));

    const path = buildAuthorizePath({ clientId, challenge: pkce.challenge }, { state: STATE });
    const requestId = getRequestId(await browser.get(path));
    await browser.post(`/oauth/interaction/${requestId}`, { decision: 'grant' }, { 'x-csrf-token': 'x' });
    await decideRequest(browser, requestId, 'grant');
    const { code } = getRedirectParameters(await browser.get(`/oauth/complete/${requestId}`));
    keep('code', code);
    keep('verifier', pkce.verifier);
    keep('challenge', pkce.challenge);
    assert.equal(
      (await exchangeCode(service, flow, code as string, { code_verifier: VERIFIER_SENT_WRONG })).status,
      400,
    );
    assert.equal(
      (await withHiddenTable('oauth_request', () => exchangeCode(service, flow, code as string))).status,
      500,
    );
    const tokens = (await exchangeCode(service, flow, code as string)).body;
    const access = keep('access token', tokens.access_token);
    const token = keep('refresh token', tokens.refresh_token);
    assert.equal((await callMcp(service, access, 'tools/call')).status, 200);
    await withHiddenTable('clinical_entry', () => callMcp(service, access, 'tools/call').catch(() => null));
    await withHiddenTable('oauth_grant', () => callMcp(service, access));
    assert.equal((await withHiddenTable('oauth_grant', () => refresh(service, clientId, token))).status, 500);
    const next = (await refresh(service, clientId, token)).body;
    keep('second access token', next.access_token);
    keep('second refresh token', next.refresh_token);
    await callMcp(service, `${access}x`);
    await call(service, `/mcp?access_token=${access}`, { method: 'POST' });
    await call(service, '/oauth/token', {
      body: JSON.stringify({ code, token }),
      headers: { 'content-type': 'application/json' },
    });
    await call(service, `/oauth/token?refresh_token=${token}&code=${code}`, { method: 'GET' });
    await call(service, '/oauth/token', {
      body: 'x',
      headers: { authorization: `Basic ${token}`, 'content-type': 'text/html' },
    });
    await call(service, `/nowhere/${code}?code=${code}&state=${STATE}`);
    await sendBytes(
      service,
      `GET /${code} HTTP/9.9\r\nhost: ${token}\r\nauthorization: Bearer ${access}\r\n\r\n`,
    );
    await refresh(service, clientId, token);
    await postForm(service, '/oauth/revoke', { token, client_id: clientId });
    assert.equal(
      (
        await withHiddenTable('oauth_grant', () =>
          postForm(service, '/oauth/revoke', { token, client_id: clientId }),
        )
      ).status,
      500,
    );
    await withHiddenTable('oauth_request', () => browser.get(path));
    await withHiddenTable('oauth_request', () => browser.get(`/oauth/complete/${requestId}`));
    await withHiddenTable('account_session', () => browser.get('/account/session'));
    await withHiddenTable('patient', () =>
      browser.post('/account/sign-in', { email: patient.email, password: patient.password }),
    );
    await browser.post('/account/sign-in', { email: patient.email, password: `${patient.password}!` });
    assert.equal(
      (
        await withHiddenTable('oauth_client', () =>
          call(service, '/oauth/register', {
            json: { client_name: 'Agent Ragnarok', redirect_uris: ['https://agent.example/callback'] },
          }),
        )
      ).status,
      500,
    );

    assert.equal((await withQuotingTrigger('oauth_request', () => browser.get(path))).status, 500);
    const registration = { client_name: 'Agent Ragnarok', redirect_uris: ['https://agent.example/callback'] };
    const unregistered = await withQuotingTrigger('oauth_client', () =>
      call(service, '/oauth/register', { json: registration }),
    );
    assert.equal(unregistered.status, 500);
    const signIn = { email: patient.email, password: patient.password };
    assert.equal(
      (await withQuotingTrigger('account_session', () => browser.post('/account/sign-in', signIn))).status,
      500,
    );

    keep('state', STATE);
    keep('wrong verifier', VERIFIER_SENT_WRONG);
    keep('csrf token', await browser.csrfToken());
    keep('password', patient.password);
    keep('e-mail', patient.email);
    keep('patient token', patient.token);
    keep('patient id', patient.id);
    keep('request id', requestId);
    keep('client name', 'Ragnarok');
    for (const [name, value] of browser.cookies) keep(`cookie ${name}`, value);
    const person = await one(
      service.store.db,
      sql<{
        first_name: string;
        last_name: string;
      }>`select first_name, last_name from patient where patient_id = ${patient.id}`,
    );
    keep('first name', person.first_name);
    keep('last name', person.last_name);
    const { secret } = await one(
      service.store.db,
      sql<{ secret: Buffer }>`select secret from refresh_token_key limit 1`,
    );
    keep('key of refresh tokens', secret.toString('base64'));
    keep('key of refresh tokens in hex', secret.toString('hex'));

    await stop();
    assert.ok(browser.cookies.size >= 2 && Object.keys(secrets).length > 15);
    assert.ok(logged.includes('request failed'), 'what broke was logged');
    const text = logged.toLowerCase();
    const found = Object.entries(secrets).filter(([, value]) =>
      [value, encodeURIComponent(value), Buffer.from(value).toString('base64')].some((form) =>
        text.includes(form.toLowerCase()),
      ),
    );
    assert.deepEqual(
      found.map(([name]) => name),
      [],
    );
    // Nor a part of a token: its payload names the patient.
    for (const name of ['access token', 'refresh token', 'second refresh token']) {
      for (const piece of (secrets[name] as string).split('.').filter((part) => part.length > 20))
        assert.ok(!logged.includes(piece), name);
    }
  });
});
