import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import {
  buildAuthorizePath,
  newFlow,
  REDIRECT_URI,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { sendRaw, UNLIMITED, type RawResponse } from './attack.ts';

const FOREIGN = [
  'https://evil.example',
  'http://evil.example:8080',
  'null',
  'https://127.0.0.1.evil.example',
  'https://localhost.evil.example',
  'chrome-extension://abc',
  'file://',
  'https://evil.example\u0020x',
  'http://127.0.0.1@evil.example',
];
const OWN = ['http://localhost:5173', 'http://127.0.0.1:1', 'https://localhost'];

const OPEN: [method: 'GET' | 'POST', path: string][] = [
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['GET', '/.well-known/oauth-protected-resource/mcp'],
  ['GET', '/.well-known/oauth-protected-resource/projects/00000000-0000-4000-8000-000000000000/mcp'],
  ['GET', '/.well-known/jwks.json'],
  ['GET', '/openapi.json'],
  ['GET', '/FHIR/R4/metadata'],
  ['GET', '/v1/webhook-event-types'],
  ['GET', '/v1/sources/00000000-0000-4000-8000-000000000000/jwks.json'],
  ['POST', '/oauth/register'],
  ['POST', '/oauth/token'],
  ['POST', '/oauth/revoke'],
];

const ID = 'A'.repeat(32);
const CLOSED: [method: 'GET' | 'POST', path: string][] = [
  ['GET', '/oauth/authorize?client_id=x'],
  ['GET', `/oauth/complete/${ID}`],
  ['GET', `/oauth/interaction/${ID}`],
  ['POST', `/oauth/interaction/${ID}`],
  ['GET', '/account/session'],
  ['POST', '/account/sign-in'],
  ['POST', '/account/sign-out'],
  ['POST', '/account/sign-up'],
  ['POST', '/account/forgotten-password'],
  ['POST', '/account/link'],
  ['POST', '/account/password'],
  ['POST', '/v1/auth/token'],
  ['GET', '/metrics'],
  ['GET', '/consent/'],
  ['GET', '/no/such/path'],
  // Near the open ones.
  ['GET', '/.well-known/oauth-authorization-server/evil'],
  ['GET', '/.well-known/oauth-protected-resource/projects/a/b/mcp'],
  ['GET', '/Xwell-known/jwksXjson'],
  ['POST', '/oauth/tokens'],
  ['POST', '/oauth/token/x'],
  ['POST', '/oauth/token;a=b'],
  ['GET', '/oauth/authorize?x=/oauth/token'],
];

let service: TestService;
let flow: Flow;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
});
after(() => service.stop());

const send = (method: string, path: string, headers: Record<string, string>): Promise<RawResponse> =>
  sendRaw(service, path, { method, headers });

const preflight = (
  method: string,
  path: string,
  origin: string,
  more: Record<string, string> = {},
): Promise<RawResponse> =>
  send('OPTIONS', path, {
    origin,
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization,content-type',
    ...more,
  });

function assertNoCorsHeaders({ headers }: RawResponse): void {
  const corsHeaders = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
  assert.deepEqual(
    corsHeaders.filter(
      (name) => name === 'access-control-allow-origin' || name === 'access-control-allow-credentials',
    ),
    [],
  );
}

describe('pages of any origin', () => {
  for (const [method, path] of OPEN) {
    it(`case 66: may call ${method} ${path}, without credentials`, async () => {
      for (const origin of [...FOREIGN, ...OWN]) {
        for (const more of [{}, { cookie: 'chartgate-browser=x' }] as Record<string, string>[]) {
          const answer = await send(method, path, { origin, ...more });
          assert.notEqual(answer.status, 403, origin);
          assert.equal(answer.headers['access-control-allow-origin'], '*');
          assert.equal(answer.headers['access-control-allow-credentials'], undefined);
          assert.equal(answer.headers['set-cookie'], undefined);
        }
        const asked = await preflight(method, path, origin);
        assert.equal(asked.status, 204);
        assert.equal(asked.headers['access-control-allow-origin'], '*');
        assert.equal(asked.headers['access-control-allow-credentials'], undefined);
        assert.match(asked.headers['access-control-allow-methods'] ?? '', new RegExp(`\\b${method}\\b`));
        assert.match(asked.headers['access-control-allow-headers'] ?? '', /content-type/i);
        assert.doesNotMatch(asked.headers['access-control-allow-headers'] ?? '', /\*|cookie|x-csrf-token/i);
      }
      const queried = await send(method, `${path}?a=b`, { origin: 'https://evil.example' });
      assert.equal(queried.headers['access-control-allow-origin'], '*');
    });
  }

  it('case 66: read errors of the open endpoints too', async () => {
    for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register']) {
      for (const headers of [{}, { authorization: 'Basic eDp5' }, { 'content-type': 'text/html' }] as Record<
        string,
        string
      >[]) {
        const answer = await send('POST', path, { origin: 'https://evil.example', ...headers });
        assert.ok(answer.status >= 400 && answer.status < 500);
        assert.equal(answer.headers['access-control-allow-origin'], '*', `${path} ${answer.status}`);
      }
    }
  });

  it('case 66: get 404 for a FHIR path that does not exist, as other clients do', async () => {
    for (const path of ['/FHIR/R4/no/such/path', '/FHIR/R4/Person/x/$nothing', '/FHIR/R5/metadata']) {
      const answer = await send('GET', path, { origin: 'https://app.example' });
      assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [404, '*'], path);
      assert.equal((await preflight('GET', path, 'https://app.example')).status, 204, path);
    }
  });

  it('case 66: and these are all that the contract opens', () => {
    const open = ENDPOINTS.filter(({ cors }) => cors).map(({ method, path }) => `${method} ${path}`);
    const listed = OPEN.map(([method, path]) => {
      const name = path.startsWith('/v1/sources/') ? '{sourceId}' : '{projectId}';
      return `${method} ${path.replace('00000000-0000-4000-8000-000000000000', name)}`;
    });
    assert.deepEqual(open.sort(), listed.sort());
    const both = ENDPOINTS.filter(
      (endpoint) => endpoint.cors && (endpoint.page || !endpoint.audience.includes('anyone')),
    );
    assert.deepEqual(both, []);
  });
});

describe('pages of other origins', () => {
  for (const [method, path] of CLOSED) {
    it(`case 66: read nothing of ${method} ${path}`, async () => {
      for (const origin of [...FOREIGN, ...OWN]) {
        assertNoCorsHeaders(await send(method, path, { origin }));
        const asked = await preflight(method, path, origin);
        assertNoCorsHeaders(asked);
        assertNoCorsHeaders(
          await preflight(method, path, origin, { 'access-control-request-private-network': 'true' }),
        );
        assert.equal(asked.headers['access-control-allow-private-network'], undefined);
      }
      for (const origin of FOREIGN) assert.equal((await send(method, path, { origin })).status, 403, origin);
    });
  }

  it('case 66: read nothing of a request that is in order either', async () => {
    const cookie = Array.from(flow.browser.cookies, ([name, value]) => `${name}=${value}`).join('; ');
    const path = buildAuthorizePath({
      clientId: flow.client.client_id as string,
      challenge: flow.pkce.challenge,
    });
    for (const origin of OWN) {
      for (const url of [path, '/account/session']) {
        const answer = await send('GET', url, { origin, cookie });
        assert.ok(answer.status < 400);
        assertNoCorsHeaders(answer);
      }
    }
    const led = await send('GET', path, { cookie });
    assert.equal(led.status, 303);
    assertNoCorsHeaders(led);
    assert.ok(REDIRECT_URI);
  });

  it('case 66: may call endpoints that take bearer tokens, without credentials', async () => {
    const { access_token: token } = await obtainTokens(service, flow);
    const authorization = `Bearer ${token}`;
    const { organizationId } = service.organization;
    for (const [method, path, status] of [
      ['POST', '/mcp', 400],
      ['POST', `/projects/${service.organization.projectId}/mcp`, 401],
      ['GET', '/v1/patients/consents', 401],
      ['PATCH', `/v1/organizations/${organizationId}/webhooks/${flow.patient.id}`, 401],
      ['GET', `/FHIR/R4/Person/${flow.patient.id}/$everything`, 401],
    ] as const) {
      for (const origin of [...FOREIGN, ...OWN]) {
        const asked = await preflight(method, path, origin);
        assert.deepEqual([asked.status, asked.headers['access-control-allow-origin']], [204, '*']);
        assert.match(asked.headers['access-control-allow-methods'] ?? '', new RegExp(`\\b${method}\\b`));
        assert.match(asked.headers['access-control-allow-headers'] ?? '', /\bauthorization\b/i);
        const answer = await send(method, path, { origin, authorization, cookie: 'chartgate-browser=x' });
        assert.deepEqual([answer.status, answer.headers['access-control-allow-origin']], [status, '*'], path);
        assert.match(answer.headers['access-control-expose-headers'] ?? '', /www-authenticate/i);
        for (const { headers } of [asked, answer]) {
          assert.equal(headers['access-control-allow-credentials'], undefined);
          assert.equal(headers['set-cookie'], undefined);
        }
      }
    }
  });
});
