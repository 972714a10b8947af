import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import argon2 from 'argon2';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { sql } from '../../server/platform/db/sql.ts';
import { useRealPasswordCost } from '../harness/password-cost.ts';
import {
  call,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

useRealPasswordCost();

let service: TestService;
let patient: TestPatient;
before(async () => {
  service = await startTestService();
  patient = await newTestPatient(service);
});
after(() => service.stop());

const login = (json: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> =>
  call(service, '/v1/auth/token', { json, headers });

/** Claims of a token whose signature and issuer hold against the published keys. */
async function verifyClaims(token: string): Promise<Record<string, unknown>> {
  const keys = createRemoteJWKSet(new URL(`${service.baseUrl}/.well-known/jwks.json`));
  const { payload } = await jwtVerify(token, keys, {
    issuer: service.baseUrl,
    audience: service.baseUrl,
    algorithms: ['ES256'],
  });
  return payload;
}

describe('POST /v1/auth/token with an API key', () => {
  for (const role of ['admin', 'researcher'] as const) {
    it(`answers 200 with a token of one hour for the ${role} role, and no user`, async () => {
      const { status, headers, body } = await login(service.organization[role]);
      assert.equal(status, 200);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.deepEqual(Object.keys(body), ['token', 'expiration']);
      const claims = await verifyClaims(body.token);
      assert.equal(claims['role'], role);
      assert.equal(claims['organizationId'], service.organization.organizationId);
      assert.equal(claims['exp'], body.expiration);
      assert.equal(Number(claims['exp']) - Number(claims['iat']), 3600);
    });
  }

  it('answers a wrong secret, an unknown key and a revoked key alike', async () => {
    const { apiKey, apiSecret } = service.organization.researcher;
    const wrong = await login({ apiKey, apiSecret: 'wrong' });
    const unknown = await login({ apiKey: 'cgk_nobody', apiSecret });
    await service.store.db.query(sql`update api_key set revoked_at = now() where api_key = ${apiKey}`);
    const revoked = await login({ apiKey, apiSecret });
    await service.store.db.query(sql`update api_key set revoked_at = null where api_key = ${apiKey}`);
    assert.equal(wrong.status, 401);
    assert.match(wrong.headers.get('content-type') ?? '', /^application\/problem\+json\b/);
    assert.deepEqual(wrong.body, {
      type: 'urn:chartgate:problem:invalid_credentials',
      title: 'Unauthorized',
      status: 401,
      detail: 'The credentials are wrong.',
      code: 'invalid_credentials',
    });
    for (const other of [unknown, revoked])
      assert.deepEqual([other.status, other.body], [wrong.status, wrong.body]);
  });
});

describe('POST /v1/auth/token with an e-mail and a password', () => {
  it('answers 200 with a token for the project, and the patient as user', async () => {
    const { email, password, projectId } = patient;
    const { status, body } = await login({ email, password, projectId });
    assert.equal(status, 200);
    const { firstName, lastName } = body.user;
    assert.deepEqual(body.user, {
      type: 'PATIENT',
      id: patient.id,
      firstName,
      lastName,
      isTestPatient: true,
    });
    const claims = await verifyClaims(body.token);
    assert.deepEqual(
      { ...claims, iat: null, credentialId: null },
      {
        role: 'patient',
        sub: patient.id,
        organizationId: service.organization.organizationId,
        projectId,
        firstName,
        lastName,
        isTestPatient: true,
        credentialId: null,
        iss: service.baseUrl,
        aud: service.baseUrl,
        iat: null,
        exp: body.expiration,
      },
    );
  });

  it('takes the e-mail in any case', async () => {
    const { status } = await login({
      email: patient.email.toUpperCase(),
      password: patient.password,
      projectId: patient.projectId,
    });
    assert.equal(status, 200);
  });

  it('answers a wrong password and an unknown e-mail alike', async () => {
    const wrong = await login({ email: patient.email, password: 'wrong', projectId: patient.projectId });
    const unknown = await login({
      email: 'nobody@example.org',
      password: 'wrong',
      projectId: patient.projectId,
    });
    assert.equal(wrong.status, 401);
    assert.deepEqual([unknown.status, unknown.body], [wrong.status, wrong.body]);
  });

  it('hashes as often and at the same cost for an unknown e-mail as for a known one', async (t) => {
    const verify = t.mock.method(argon2, 'verify');
    await login({ email: patient.email, password: 'wrong', projectId: patient.projectId });
    await login({ email: 'nobody@example.org', password: 'wrong', projectId: patient.projectId });
    // `$argon2id$v=19$m=19456,t=2,p=1`: the parameters, without salt and hash.
    const costs = verify.mock.calls.map((each) => each.arguments[0].split('$').slice(0, 4).join('$'));
    assert.equal(costs.length, 2);
    assert.equal(costs[0], costs[1]);
  });

  it('answers 403 for a project the patient is not enrolled in, once the password is right', async () => {
    const projectId = '00000000-0000-4000-8000-000000000000';
    assert.equal((await login({ email: patient.email, password: patient.password, projectId })).status, 403);
    assert.equal((await login({ email: patient.email, password: 'wrong', projectId })).status, 401);
  });

  it('lets many right logins through at once', async () => {
    const { email, password, projectId } = patient;
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => login({ email, password, projectId })),
    );
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });
});

describe('POST /v1/auth/token with a body of neither shape', () => {
  for (const [name, json, path] of [
    ['an API key without its secret', { apiKey: 'a' }, 'apiSecret'],
    ['an e-mail without a project', { email: 'a@example.org', password: 'b' }, 'projectId'],
    ['a project that is no UUID', { email: 'a@example.org', password: 'b', projectId: 'c' }, 'projectId'],
    ['a secret that is a number', { apiKey: 'a', apiSecret: 1 }, 'apiSecret'],
    ['null', null, ''],
  ] as const) {
    it(`answers 400 and names what is wrong: ${name}`, async () => {
      const { status, body } = await login(json);
      assert.equal(status, 400);
      assert.deepEqual(
        body.errors.map((error: { path: string }) => error.path),
        [path],
      );
    });
  }

  it('answers 400 to both shapes at once, of which it would take one without a word', async () => {
    const { apiKey, apiSecret } = service.organization.admin;
    const { email, password, projectId } = patient;
    const { status, body } = await login({ apiKey, apiSecret, email, password, projectId });
    assert.deepEqual(
      [status, body.errors.map((error: { path: string }) => error.path)],
      [400, ['email', 'password']],
    );
    assert.equal((await login({ apiKey, apiSecret, projectId, name: 'CI' })).status, 200);
  });

  it('answers 400 to no body, to text that is no JSON, and 415 to a form', async () => {
    const send = (body: string | Buffer<ArrayBuffer>, type: string): Promise<HttpResponse> =>
      call(service, '/v1/auth/token', { body, headers: { 'content-type': type } });
    assert.equal((await call(service, '/v1/auth/token', { method: 'POST' })).body.code, 'body_required');
    assert.equal((await send('{', 'application/json')).body.code, 'malformed_json');
    assert.equal((await send('apiKey=a', 'application/x-www-form-urlencoded')).status, 415);
    const latin1 = Buffer.from('{"apiKey": "é"}', 'latin1');
    assert.equal((await send(latin1, 'application/json')).body.detail, 'The body is not UTF-8.');
    assert.equal((await send(latin1, 'application/json; charset=iso-8859-1')).status, 415);
    assert.equal((await send('{}', 'application/json; charset="UTF-8"')).body.code, 'invalid_input');
  });
});
