import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import * as oauth from '../../../../contract/oauth/oauth.ts';
import { createTestClock } from '../../../../test/harness/clock.ts';
import { openTestStore, type TestStore } from '../../../../test/harness/store.ts';
import type { App } from '../../../platform/http/app.ts';
import { createServer } from '../../../platform/http/server.ts';
import { tooManyRequests } from '../../../platform/kernel/refusal.ts';
import { sql } from '../../../platform/db/sql.ts';
import { registerOAuthErrors } from '../oauth-dialect.ts';
import { registerClientRoute } from './register.route.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const URI = 'https://agent.example/cb';
const READ = 'patient/*.read';
const BOTH = `${READ} offline_access`;

describe('registering a client', () => {
  let store: TestStore;
  let app: App;
  const clock = createTestClock();
  let attempts: string[] = [];
  let exhausted = false;

  before(async () => {
    store = await openTestStore();
    app = createServer({
      logLevel: 'silent',
      allowedHosts: ['localhost:80'],
      trustedProxies: [],
      endpoints: [oauth.registerClient],
    });
    await app.register(async (scope) => {
      registerOAuthErrors(scope);
      const nobody = (): never => {
        throw new Error('not asked');
      };
      registerClientRoute(
        {
          app: scope,
          resolveBaseUrl: () => 'http://127.0.0.1',
          authenticate: nobody,
          resolveSession: nobody,
          browserCookies: {
            getContext: nobody,
            requireCsrfToken: nobody,
            hasSession: nobody,
            requireOwnOrigin: nobody,
          },
          requireCapacity: () => {},
          usage: { count: () => {} },
          runAs: (_owner, work) => work(),
        },
        {
          db: store.db,
          clock,
          limit: async (address) => {
            if (exhausted) throw tooManyRequests('too_many_requests', 1000);
            attempts.push(address);
          },
        },
      );
    });
    await app.ready();
  });
  beforeEach(() => {
    attempts = [];
    exhausted = false;
  });
  after(async () => {
    await app.close();
    await store.remove();
  });

  const send = async (payload: string, type = 'application/json') => {
    const answer = await app.inject({
      method: 'POST',
      url: '/oauth/register',
      headers: { 'content-type': type, host: 'localhost:80' },
      payload,
    });
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
  };
  const register = (metadata: unknown) => send(JSON.stringify(metadata));
  const rows = () =>
    store.db.query(sql<Record<string, unknown>>`select * from oauth_client order by issued_at`);

  it('returns a new id and what was registered', async () => {
    const answer = await register({ client_name: 'Claude', redirect_uris: [URI, 'http://127.0.0.1/cb'] });
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['cache-control'], 'no-store');
    const { client_id: id, client_id_issued_at: at, ...rest } = answer.body;
    assert.match(id, UUID_V4);
    assert.ok(Math.abs(at - clock.now().getTime() / 1000) < 5);
    assert.deepEqual(rest, {
      client_secret_expires_at: 0,
      client_name: 'Claude',
      redirect_uris: [URI, 'http://127.0.0.1/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      scope: 'patient/*.read offline_access',
    });
    assert.deepEqual(attempts, ['127.0.0.1'], 'and counts against the address');
    const row = (await rows()).find((row) => row['client_id'] === id);
    assert.equal(row?.['grant_types'], null, 'that it did not say is kept');
    assert.equal(row?.['last_used_at'], null);
  });

  it('says of grant types and scope what the client can use, where they contradict each other or one is left out', async () => {
    for (const [metadata, grantTypes, scope] of [
      [{ grant_types: ['authorization_code'], scope: BOTH }, ['authorization_code'], READ],
      [{ grant_types: ['authorization_code'], scope: 'offline_access' }, ['authorization_code'], READ],
      [{ grant_types: ['authorization_code'] }, ['authorization_code'], READ],
      [{ scope: READ }, ['authorization_code'], READ],
      [{ scope: BOTH }, ['authorization_code', 'refresh_token'], BOTH],
    ] as const) {
      const { body } = await register({ redirect_uris: [URI], ...metadata });
      assert.deepEqual([body.grant_types, body.scope], [grantTypes, scope], JSON.stringify(metadata));
    }
  });

  it('accepts what real clients send, and ignores unknown fields', async () => {
    const answer = await register({
      client_name: 'MCP client',
      redirect_uris: ['http://127.0.0.1:33418/', 'cursor://anysphere.cursor-mcp/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
      scope: 'patient/*.read offline_access',
      client_uri: 'https://agent.example',
      logo_uri: 'http://169.254.169.254/',
      jwks: { keys: [] },
      contacts: ['a@agent.example'],
      software_id: 1,
      __proto__: { polluted: true },
    });
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body.grant_types, ['authorization_code', 'refresh_token']);
    assert.equal(answer.body.client_uri, 'https://agent.example/');
    assert.deepEqual(answer.body.contacts, ['a@agent.example']);
    assert.ok(!('logo_uri' in answer.body) && !('application_type' in answer.body));
  });

  it('chooses the id itself and issues no secret', async () => {
    const chosen = '11111111-1111-4111-8111-111111111111';
    const asked = { redirect_uris: [URI], client_id: chosen, client_secret: 'mine', client_id_issued_at: 1 };
    const [one, other] = [await register(asked), await register(asked)];
    assert.equal(one.status, 201);
    assert.notEqual(one.body.client_id, chosen);
    assert.notEqual(one.body.client_id, other.body.client_id);
    assert.ok(!('client_secret' in one.body));
    assert.notEqual(one.body.client_id_issued_at, 1);
  });

  it('refuses as RFC 7591 §3.2.2 says, without quoting, and writes nothing', async () => {
    const count = (await rows()).length;
    for (const [metadata, code] of [
      [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
      [{ redirect_uris: [] }, 'invalid_redirect_uri'],
      [{ redirect_uris: Array.from({ length: 2000 }, () => URI) }, 'invalid_redirect_uri'],
      [{ redirect_uris: URI }, 'invalid_redirect_uri'],
      [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
      [{}, 'invalid_redirect_uri'],
      [{ redirect_uris: [URI], grant_types: ['password', 'implicit'] }, 'invalid_client_metadata'],
      [{ redirect_uris: [URI], token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
      [{ redirect_uris: [URI], client_name: 'x'.repeat(40_000) }, 'invalid_client_metadata'],
      [{ redirect_uris: [URI], client_name: { toString: 1 } }, 'invalid_client_metadata'],
      [[], 'invalid_client_metadata'],
      ['text', 'invalid_client_metadata'],
      [null, 'invalid_client_metadata'],
    ] as const) {
      const { status, body } = await register(metadata);
      assert.equal(status, 400);
      assert.equal(body.error, code, JSON.stringify(metadata).slice(0, 80));
      assert.deepEqual(Object.keys(body), ['error', 'error_description']);
      assert.ok(!/alert|agent\.example|xxx/.test(body.error_description));
    }
    assert.equal((await rows()).length, count);
  });

  it('refuses bodies that are large, deep, or not JSON', async () => {
    const tooLarge = await register({ redirect_uris: [URI], x: 'y'.repeat(64 * 1024) });
    assert.equal(tooLarge.status, 413);
    for (const deep of [
      `{"redirect_uris":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      `{"redirect_uris":["${URI}"],"client_name":${'{"a":'.repeat(9000)}1${'}'.repeat(9000)}}`,
      `{"redirect_uris":["${URI}"],"x":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      '['.repeat(60_000),
      '{',
      '',
    ]) {
      assert.equal((await send(deep)).status, 400);
    }
    const ignored = `{"redirect_uris":["${URI}"],"x":${'['.repeat(90)}${']'.repeat(90)}}`;
    assert.equal((await send(ignored)).status, 201);
    assert.equal((await send('redirect_uris=x', 'application/x-www-form-urlencoded')).status, 400);
  });

  it('stops an address that registers too often, before it writes', async () => {
    const count = (await rows()).length;
    exhausted = true;
    const answer = await register({ redirect_uris: [URI] });
    assert.equal(answer.status, 429);
    assert.equal(answer.headers['retry-after'], '1');
    assert.equal((await rows()).length, count);
  });
});
