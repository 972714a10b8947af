import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { purgeOAuth } from '../../server/surfaces/oauth/purge-oauth.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  newFlow,
  REDIRECT_URI,
  registerClient,
  obtainTokens,
} from '../harness/authorization.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { sendRaw, getToolStatus, getStatusAndError, UNLIMITED } from './attack.ts';

const countClients = async ({ store }: TestService): Promise<number> =>
  (await one(store.db, sql<{ count: number }>`select count(*)::integer as count from oauth_client`)).count;

const register = (service: TestService, json: unknown): Promise<HttpResponse> =>
  call(service, '/oauth/register', { json });

const GOOD = { redirect_uris: [REDIRECT_URI] };

for (const engine of JOURNEY_ENGINES) {
  describe(`a flood of registrations: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine });
    });
    after(() => service.stop());

    it('case 44: of one address ends at a quarter of the limit, and leaves as many rows', async () => {
      const before = await countClients(service);
      const answers = await Promise.all(Array.from({ length: 200 }, () => register(service, GOOD)));
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(answers.filter(({ status }) => status === 201).length, 30);
      assert.equal(refused.length, 170);
      for (const answer of refused) {
        assert.deepEqual(getStatusAndError(answer), [429, 'temporarily_unavailable']);
        assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      }
      assert.equal((await countClients(service)) - before, 30);
      const spoofed = await sendRaw(service, '/oauth/register', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': '203.0.114.9',
          'x-real-ip': '203.0.114.9',
        },
        body: JSON.stringify(GOOD),
      });
      assert.equal(spoofed.status, 429, 'an address that the sender claims is nobody’s');
    });
  });

  describe(`registered clients: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
    });
    after(() => service.stop());

    it('case 44: that never asked are forgotten after 30 days, the others stay with what was granted', async () => {
      const flow = await newFlow(service);
      const { access_token: token } = await obtainTokens(service, flow);
      await Promise.all(Array.from({ length: 50 }, () => register(service, GOOD)));
      service.clock.advance(29 * 24 * 3600 * 1000);
      await purgeOAuth({ db: service.store.db, clock: service.clock });
      assert.equal(await countClients(service), 51);
      service.clock.advance(2 * 24 * 3600 * 1000);
      await purgeOAuth({ db: service.store.db, clock: service.clock });
      assert.equal(await countClients(service), 1);
      const clientId = flow.client.client_id as string;
      const asked = await flow.browser.get(buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }));
      assert.equal(asked.status, 303);
      assert.equal(await getToolStatus(service, token), 401, 'only the token’s hour is over');
    });
  });
}

describe('what a registration may hold', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
  });
  after(() => service.stop());

  const uris = (count: number): string[] =>
    Array.from({ length: count }, (_, position) => `https://agent.example/${position}`);

  const refused: [string, unknown, string][] = [
    ['no redirect URI', { redirect_uris: [] }, 'invalid_redirect_uri'],
    ['no redirect_uris', {}, 'invalid_redirect_uri'],
    ['21 redirect URIs', { redirect_uris: uris(21) }, 'invalid_redirect_uri'],
    ['1000 redirect URIs', { redirect_uris: uris(1000) }, 'invalid_redirect_uri'],
    [
      'a redirect URI of 2001 characters',
      { redirect_uris: [`https://agent.example/${'x'.repeat(1979)}`] },
      'invalid_redirect_uri',
    ],
    [
      'redirect URIs that are objects',
      { redirect_uris: [{ toString: REDIRECT_URI }] },
      'invalid_redirect_uri',
    ],
    ['a redirect URI as text', { redirect_uris: REDIRECT_URI }, 'invalid_redirect_uri'],
    ['an array', [GOOD], 'invalid_client_metadata'],
    ['null', null, 'invalid_client_metadata'],
    ['a number', 1, 'invalid_client_metadata'],
    ['text', 'redirect_uris', 'invalid_client_metadata'],
    ['true', true, 'invalid_client_metadata'],
    ['a name that is an object', { ...GOOD, client_name: { a: 1 } }, 'invalid_client_metadata'],
  ];
  for (const [what, json, error] of refused) {
    it(`case 44: is not ${what}`, async () => {
      const before = await countClients(service);
      assert.deepEqual(getStatusAndError(await register(service, json)), [400, error]);
      assert.equal(await countClients(service), before);
    });
  }

  for (const [what, body, status] of [
    ['2000 redirect URIs of 30 kB', JSON.stringify({ redirect_uris: uris(2000) }), 400],
    ['1 MB', JSON.stringify({ ...GOOD, padding: 'x'.repeat(1024 * 1024) }), 413],
    ['65 kB', JSON.stringify({ ...GOOD, padding: 'x'.repeat(65 * 1024) }), 413],
    ['32,000 open brackets', '['.repeat(32_000), 400],
    ['nesting of 30,000', `${'['.repeat(30_000)}${']'.repeat(30_000)}`, 400],
    ['objects nested 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
    ['redirect URIs nested 9,000 deep', `{"redirect_uris":${'['.repeat(9000)}${']'.repeat(9000)}}`, 400],
    ['no JSON', '{', 400],
    ['nothing', '', 400],
    ['a form', 'redirect_uris=x', 400],
  ] as const) {
    it(`case 44: is not a body of ${what}`, async () => {
      const before = await countClients(service);
      const form = what === 'a form';
      const answer = await call(service, '/oauth/register', {
        method: 'POST',
        body,
        headers: { 'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json' },
      });
      assert.equal(answer.status, status);
      assert.match(String(answer.body.error), /^invalid_(redirect_uri|client_metadata|request)$/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(await countClients(service), before);
    });
  }

  it('case 44: keeps twenty addresses and ignores prototypes', async () => {
    const answer = await call(service, '/oauth/register', {
      body: `{"redirect_uris":${JSON.stringify(uris(20))},"__proto__":{"token_endpoint_auth_method":"client_secret_basic","polluted":1},"constructor":{"prototype":{"polluted":1}}}`,
      headers: { 'content-type': 'application/json' },
    });
    assert.equal(answer.status, 201);
    assert.equal(answer.body.redirect_uris.length, 20);
    assert.equal(answer.body.token_endpoint_auth_method, 'none');
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  for (const [name, value] of [
    ['token_endpoint_auth_method', 'client_secret_jwt'],
    ['token_endpoint_auth_method', 'private_key_jwt'],
    ['token_endpoint_auth_method', 'tls_client_auth'],
    ['token_endpoint_auth_method', 'NONE'],
    ['token_endpoint_auth_method', ''],
    ['grant_types', ['password', 'implicit']],
    ['grant_types', ['client_credentials']],
    ['grant_types', ['refresh_token']],
    ['grant_types', ['constructor']],
    ['grant_types', []],
    ['response_types', ['token']],
    ['response_types', ['code id_token']],
    ['response_types', ['none']],
    ['response_types', []],
  ] as const) {
    it(`case 45: does not have ${name} ${JSON.stringify(value)}`, async () => {
      const answer = await register(service, { ...GOOD, [name]: value });
      assert.deepEqual(getStatusAndError(answer), [400, 'invalid_client_metadata']);
    });
  }

  for (const more of [
    { grant_types: ['authorization_code', 'implicit'] },
    { grant_types: ['password', 'authorization_code', 'client_credentials'] },
    { grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'] },
    { response_types: ['code', 'token', 'code id_token'] },
  ]) {
    it(`case 45: is granted of ${JSON.stringify(more)} what a public client may have`, async () => {
      const answer = await register(service, { ...GOOD, ...more });
      assert.equal(answer.status, 201);
      const { grant_types: grants, response_types: responses } = answer.body;
      assert.ok(grants.includes('authorization_code'));
      assert.deepEqual(
        new Set([...grants, 'refresh_token']),
        new Set(['authorization_code', 'refresh_token']),
      );
      assert.deepEqual(responses, ['code']);
    });
  }

  for (const method of ['client_secret_basic', 'client_secret_post']) {
    it(`case 45: is registered as public when it asks for ${method}`, async () => {
      const answer = await register(service, { ...GOOD, token_endpoint_auth_method: method });
      assert.equal(answer.status, 201);
      assert.equal(answer.body.token_endpoint_auth_method, 'none');
      assert.equal('client_secret' in answer.body, false);
    });
  }

  it('case 45: is under an id of ours, without a secret, whatever the client brings along', async () => {
    const known = await registerClient(service);
    const answer = await register(service, {
      ...GOOD,
      client_id: known.client_id,
      client_secret: 'a secret of theirs',
      client_secret_expires_at: 2_000_000_000,
      client_id_issued_at: 1,
      registration_access_token: 'theirs',
      registration_client_uri: 'https://evil.example/',
      application_type: 'web',
      jwks_uri: 'https://127.0.0.1/jwks',
      logo_uri: 'http://169.254.169.254/latest',
      software_statement: 'e30.e30.',
      verifiedHost: 'claude.ai',
      host: 'claude.ai',
    });
    assert.equal(answer.status, 201);
    const { client_id: clientId, client_id_issued_at: issuedAt, ...rest } = answer.body;
    assert.match(clientId as string, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.notEqual(clientId, known.client_id);
    const secondsAgo = Math.floor(service.clock.now().getTime() / 1000) - (issuedAt as number);
    assert.ok(secondsAgo >= 0 && secondsAgo < 600, `issued ${secondsAgo} s ago`);
    assert.deepEqual(rest, {
      client_secret_expires_at: 0,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'patient/*.read offline_access',
    });
  });

  it('case 46: can be read, changed or removed by nobody', async () => {
    const { client_id: clientId } = await registerClient(service);
    for (const path of [
      `/oauth/register/${clientId}`,
      `/oauth/clients/${clientId}`,
      `/oauth/client/${clientId}`,
      `/register/${clientId}`,
      `/oauth/register?client_id=${clientId}`,
    ]) {
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST']) {
        if (path.includes('?') && method === 'POST') continue;
        const answer = await call(service, path, {
          method,
          token: 'x',
          ...(method !== 'GET' && { json: { client_id: clientId, ...GOOD } }),
        });
        assert.equal(answer.status, path.includes('?') ? 405 : 404, `${method} ${path}`);
        assert.ok(!JSON.stringify(answer.body).includes('Test agent'));
      }
    }
    assert.equal((await countClients(service)) > 0, true);
  });

  it('case 46: is not found by other spellings of its id', async () => {
    const { client_id: clientId } = (await registerClient(service)) as { client_id: string };
    const { browser, pkce } = await newFlow(service);
    for (const other of [
      clientId.toUpperCase(),
      `{${clientId}}`,
      `urn:uuid:${clientId}`,
      clientId.replaceAll('-', ''),
      ` ${clientId}`,
      `${clientId}\n`,
      '00000000-0000-4000-8000-000000000000',
    ]) {
      const answer = await browser.get(buildAuthorizePath({ clientId: other, challenge: pkce.challenge }));
      assert.deepEqual([answer.status, answer.headers.get('location')], [400, null], other);
    }
  });
});
