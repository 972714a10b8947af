import assert from 'node:assert/strict';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createService } from '../../server/app.ts';
import type { OutboundClient } from '../../server/platform/outbound/outbound-client.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  buildAuthorizePath,
  toCodeChallenge,
  obtainCode,
  decideRequest,
  exchangeCode,
  newFlow,
  encodeQuery,
  REDIRECT_URI,
  registerClient,
  getRequestId,
  type Flow,
  type QueryParameters,
} from '../harness/authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';
import {
  assertRedirectedToClient,
  assertNotRedirected,
  assertRedirectedToConsent,
} from './assert-redirects.ts';

let service: TestService;
let clientId: string;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  clientId = (await registerClient(service)).client_id as string;
});
after(() => service.stop());

const challenge = toCodeChallenge('x'.repeat(43));
const buildPath = (more: QueryParameters = {}): string => buildAuthorizePath({ clientId, challenge }, more);
const requestAuthorization = (more: QueryParameters = {}): Promise<HttpResponse> =>
  call(service, buildPath(more));
const countRequests = async (): Promise<number> =>
  Number((await one(service.store.db, sql<{ n: string }>`select count(*) as n from oauth_request`)).n);

/** Led back with that error, issuer and state; and nothing was begun. */
async function assertRefusedToClient(more: QueryParameters, error: string): Promise<void> {
  const before = await countRequests();
  const answer = assertRedirectedToClient(await requestAuthorization(more), REDIRECT_URI);
  const { error_description: description, ...rest } = answer;
  const state = 'state' in more ? more['state'] : 'the state';
  assert.deepEqual(rest, { error, iss: service.baseUrl, ...(state && { state }) });
  assert.match(description ?? '', /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/, 'RFC 6749 §4.1.2.1');
  assert.equal(await countRequests(), before);
}

describe('a parameter that comes twice', () => {
  const once: QueryParameters = {
    response_type: 'code',
    redirect_uri: REDIRECT_URI,
    scope: 'patient/*.read',
    state: 'another',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    response_mode: 'query',
    request: 'x',
    request_uri: 'https://evil.example/',
  };
  const twice = (name: string, values: readonly string[]): string =>
    `${buildPath({ [name]: undefined })}&${values.map((value) => `${name}=${encodeURIComponent(value)}`).join('&')}`;

  for (const [name, value = ''] of Object.entries(once)) {
    it(`case 9: ${name} is refused at authorize, and nobody is led anywhere`, async () => {
      const before = await countRequests();
      for (const values of [
        [value, value],
        [value, 'evil'],
        ['evil', value],
        [value, ''],
        ['', value],
        [value, value, value],
      ])
        assert.equal(
          await assertNotRedirected(service, twice(name, values)),
          'invalid_request',
          values.join(),
        );
      assert.equal(await countRequests(), before);
    });
  }
  it('case 9: client_id is refused at authorize, and nobody is led anywhere', async () => {
    const other = (await registerClient(service)).client_id as string;
    for (const values of [
      [clientId, clientId],
      [clientId, other],
      [clientId, ''],
    ])
      assert.equal(await assertNotRedirected(service, twice('client_id', values)), 'invalid_request');
  });
  it('case 9: redirect_uri is refused even where both are registered', async () => {
    const uris = ['https://one.example/cb', 'https://two.example/cb'];
    const { client_id: id } = await registerClient(service, { redirect_uris: uris });
    const path = `${buildAuthorizePath({ clientId: id as string, challenge }, { redirect_uri: uris[0] })}&redirect_uri=${uris[1]}`;
    assert.equal(await assertNotRedirected(service, path), 'invalid_request');
  });
  it('case 9: resource is invalid_target, since RFC 8707 would allow it elsewhere', async () => {
    const resource = encodeURIComponent(`${service.baseUrl}/mcp`);
    for (const [one, other] of [
      [resource, resource],
      [resource, 'https%3A%2F%2Fevil.example'],
      [resource, ''],
    ]) {
      const path = `${buildPath()}&resource=${one}&resource=${other}`;
      const {
        error,
        state,
        iss,
        error_description: reason,
      } = assertRedirectedToClient(await call(service, path), REDIRECT_URI);
      assert.deepEqual([error, state, iss], ['invalid_target', 'the state', service.baseUrl]);
      assert.equal(reason, 'resource must be given once.');
    }
  });
  it('case 9: under a name that only resembles ours is another parameter, and not read', async () => {
    for (const more of [
      '&state[]=evil',
      '&STATE=evil',
      '&state%5B0%5D=evil',
      '&state.x=evil',
      '&Redirect_URI=https://evil.example/',
    ])
      assertRedirectedToConsent(service, await call(service, buildPath() + more));
  });
  it('case 9: in a body or with another method is no authorization request', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const { status, headers } = await call(service, buildPath(), { method });
      assert.deepEqual([status, headers.get('location')], [405, null]);
    }
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const posted = await call(service, '/oauth/authorize', {
      body: buildPath().split('?')[1] ?? '',
      headers: form,
    });
    assert.ok([405, 415].includes(posted.status));
    assert.equal(posted.headers.get('location'), null);
  });

  describe('at the token endpoint', () => {
    let flow: Flow;
    before(async () => {
      flow = await newFlow(service);
    });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    for (const name of [
      'grant_type',
      'client_id',
      'code',
      'redirect_uri',
      'code_verifier',
      'resource',
      'scope',
    ] as const) {
      it(`case 9: ${name} is invalid_request, and the code is not used up`, async () => {
        const code = await obtainCode(flow);
        const good: Record<string, string> = {
          grant_type: 'authorization_code',
          code,
          redirect_uri: REDIRECT_URI,
          client_id: flow.client.client_id as string,
          code_verifier: flow.pkce.verifier,
          resource: `${service.baseUrl}/mcp`,
          scope: 'patient/*.read',
        };
        for (const again of [good[name] ?? '', 'evil', '']) {
          for (const body of [
            `${encodeQuery(good)}&${encodeQuery({ [name]: again })}`,
            `${encodeQuery({ [name]: again })}&${encodeQuery(good)}`,
          ]) {
            const refused = await call(service, '/oauth/token', { body, headers: form });
            assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request'], body);
            assert.equal(refused.headers.get('cache-control'), 'no-store');
          }
        }
        assert.equal((await exchangeCode(service, flow, code)).status, 200);
      });
    }
    it('case 9: refresh_token is invalid_request, and the token is not replaced', async () => {
      const { body: tokens } = await exchangeCode(service, flow, await obtainCode(flow));
      const good = encodeQuery({
        grant_type: 'refresh_token',
        client_id: flow.client.client_id as string,
        refresh_token: tokens.refresh_token as string,
      });
      for (const again of [tokens.refresh_token as string, 'evil', '']) {
        const body = `${good}&refresh_token=${again}`;
        const refused = await call(service, '/oauth/token', { body, headers: form });
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      }
      assert.equal((await call(service, '/oauth/token', { body: good, headers: form })).status, 200);
    });
    for (const name of ['token', 'client_id', 'token_type_hint']) {
      it(`case 9: ${name} is invalid_request at revocation`, async () => {
        const { body: tokens } = await exchangeCode(service, flow, await obtainCode(flow));
        const good = encodeQuery({
          token: tokens.refresh_token as string,
          client_id: flow.client.client_id as string,
          token_type_hint: 'refresh_token',
        });
        const refused = await call(service, '/oauth/revoke', { body: `${good}&${name}=evil`, headers: form });
        assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_request']);
      });
    }
  });
});

describe('a parameter that is missing', () => {
  for (const name of [
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
  ] as const) {
    for (const value of [undefined, ''])
      it(`case 10: ${name}: ${value === '' ? 'empty' : 'absent'}`, () =>
        assertRefusedToClient({ [name]: value }, 'invalid_request'));
    if (name !== 'state')
      it(`case 10: ${name} and state`, () =>
        assertRefusedToClient({ [name]: undefined, state: undefined }, 'invalid_request'));
  }
  it('case 10: all but client and redirect URI', async () => {
    const path = `/oauth/authorize?${encodeQuery({ client_id: clientId, redirect_uri: REDIRECT_URI })}`;
    const { error, iss, ...rest } = assertRedirectedToClient(await call(service, path), REDIRECT_URI);
    assert.deepEqual(
      [error, iss, Object.keys(rest)],
      ['invalid_request', service.baseUrl, ['error_description']],
    );
  });
  it('case 10: the whole query', async () => {
    for (const path of ['/oauth/authorize', '/oauth/authorize?', '/oauth/authorize?&&=&'])
      assert.equal(await assertNotRedirected(service, path), 'invalid_request');
  });
});

describe('a response type that is not code', () => {
  for (const response_type of [
    'token',
    'code token',
    'token code',
    'id_token',
    'code id_token',
    'id_token token',
    'code id_token token',
    'none',
    'CODE',
    'Code',
    ' code',
    'code ',
    'code code',
    'code,token',
    'code\n',
    'device_code',
    'password',
    'constructor',
    '*',
  ]) {
    it(`case 11: ${JSON.stringify(response_type)}`, async () => {
      await assertRefusedToClient({ response_type }, 'unsupported_response_type');
      await assertRefusedToClient({ response_type, response_mode: 'fragment' }, 'unsupported_response_type');
      await assertRefusedToClient(
        { response_type, nonce: 'n', code_challenge: undefined },
        'unsupported_response_type',
      );
    });
  }
});

describe('what OpenID Connect and other extensions ask for', () => {
  const IGNORED: [name: string, values: readonly string[]][] = [
    [
      'prompt',
      [
        'none',
        'consent',
        'login',
        'select_account',
        'create',
        'login consent',
        'none consent',
        'evil',
        'NONE',
      ],
    ],
    ['nonce', ['n-0S6_WzA2Mj', '<script>']],
    ['max_age', ['0', '-1', '99999999999999999999', 'x']],
    ['display', ['popup', 'touch']],
    ['ui_locales', ['es', '../../etc/passwd']],
    ['claims_locales', ['es']],
    ['login_hint', ['admin@clinic.example']],
    ['id_token_hint', ['eyJhbGciOiJub25lIn0.e30.']],
    ['acr_values', ['0']],
    ['claims', ['{"userinfo":{"email":null}}', '{']],
    ['registration', ['{"redirect_uris":["https://evil.example/"]}']],
    ['authorization_details', ['[{"type":"all"}]']],
    ['dpop_jkt', ['x']],
    ['audience', ['https://evil.example/']],
    ['access_type', ['offline']],
    ['approval_prompt', ['auto']],
    ['include_granted_scopes', ['true']],
    ['client_secret', ['secret']],
    ['patient_id', ['00000000-0000-0000-0000-000000000000']],
    ['project_id', ['00000000-0000-0000-0000-000000000000']],
    ['launch', ['x']],
    ['aud', ['https://evil.example/fhir']],
    ['code', ['cgc_x']],
    ['status', ['ready']],
    ['id', ['A'.repeat(32)]],
    ['oauth_state', ['eyJpZCI6ImV2aWwifQ']],
    ['decision', ['grant']],
    ['_method', ['POST']],
    ['__proto__', ['x']],
    ['constructor', ['x']],
    ['toString', ['x']],
    ['x'.repeat(1000), ['y'.repeat(4000)]],
  ];
  let flow: Flow;
  before(async () => {
    flow = await newFlow(service);
    // Consent was given to this client in this browser before: nothing may lean on it.
    assert.equal((await exchangeCode(service, flow, await obtainCode(flow))).status, 200);
  });
  for (const [name, values] of IGNORED) {
    for (const value of values) {
      const shown = `${name.slice(0, 30)}=${value.slice(0, 60)}`;
      it(`case 32: ${shown} changes nothing: the patient is asked, as always`, async () => {
        const { browser, client, pkce } = flow;
        const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
        const begun = await browser.get(buildAuthorizePath(attempt, { [name]: value }));
        assertRedirectedToConsent(service, begun);
        const requestId = getRequestId(begun);
        const { body } = await browser.get(`/oauth/interaction/${requestId}`);
        assert.deepEqual(
          [body.status, body.scopes, body.project.id, body.client.redirectHost],
          ['pending', ['patient/*.read', 'offline_access'], service.organization.projectId, 'agent.example'],
        );
        await assertNotRedirected(service, `/oauth/complete/${requestId}`);
        assert.equal((await browser.get(`/oauth/complete/${requestId}`)).status, 400);
      });
    }
  }
  it('case 32: and an answer holds what it always holds', async () => {
    const { browser, client, pkce } = flow;
    const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
    const all = Object.fromEntries(IGNORED.map(([name, [value]]) => [name, value]));
    const requestId = getRequestId(await browser.get(buildAuthorizePath(attempt, all)));
    await decideRequest(browser, requestId, 'grant');
    const answer = assertRedirectedToClient(await browser.get(`/oauth/complete/${requestId}`), REDIRECT_URI);
    assert.deepEqual(Object.keys(answer), ['code', 'state', 'iss']);
    const { status, body } = await exchangeCode(service, flow, answer['code'] ?? '', {
      nonce: 'n',
      id_token: '1',
    });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body as object), [
      'access_token',
      'token_type',
      'expires_in',
      'refresh_token',
      'scope',
    ]);
  });
});

describe('request objects', () => {
  let asked = 0;
  const bait = http.createServer((_request, response) => {
    asked++;
    response.end('eyJhbGciOiJub25lIn0.e30.');
  });
  const fetched: string[] = [];
  const watching: OutboundClient = {
    request: async ({ url }) => {
      fetched.push(url);
      throw new Error('fetched');
    },
  };
  let node: { baseUrl: string };
  let stop: () => Promise<void>;
  before(async () => {
    bait.listen(0, '127.0.0.1');
    const { config, store, clock } = service;
    const { app } = createService({ config, db: store.db, clock, outbound: watching });
    const port = await findFreePort();
    await app.listen({ port, host: '127.0.0.1' });
    node = { baseUrl: `http://127.0.0.1:${port}` };
    stop = () => app.close();
  });
  after(async () => {
    await stop();
    bait.close();
  });
  const attempts: [what: string, more: () => QueryParameters][] = [
    ['request', () => ({ request: 'eyJhbGciOiJub25lIn0.eyJzY29wZSI6IioifQ.' })],
    ['request that is no JWT', () => ({ request: 'x' })],
    [
      'request_uri at this machine',
      () => ({ request_uri: `http://127.0.0.1:${(bait.address() as AddressInfo).port}/` }),
    ],
    [
      'request_uri at a metadata service',
      () => ({ request_uri: 'http://169.254.169.254/latest/meta-data/' }),
    ],
    ['request_uri elsewhere', () => ({ request_uri: 'https://evil.example/request.jwt' })],
    ['request_uri as a file', () => ({ request_uri: 'file:///etc/passwd' })],
    ['request_uri of a pushed request', () => ({ request_uri: 'urn:ietf:params:oauth:request_uri:x' })],
    ['both', () => ({ request: 'x', request_uri: 'https://evil.example/' })],
    [
      'request without all else',
      () => ({ request: 'x', response_type: undefined, state: undefined, scope: undefined }),
    ],
  ];
  for (const [what, more] of attempts) {
    it(`case 33: ${what} is refused, and nothing is fetched`, async () => {
      const { error, iss } = assertRedirectedToClient(await call(node, buildPath(more())), REDIRECT_URI);
      assert.deepEqual([error, iss], ['request_not_supported', service.baseUrl]);
      assert.deepEqual([asked, fetched], [0, []]);
    });
  }
  it('case 33: request_uris and the other addresses of a registration are not fetched', async () => {
    const uri = `http://127.0.0.1:${(bait.address() as AddressInfo).port}/`;
    await registerClient(node, {
      request_uris: [uri],
      jwks_uri: uri,
      logo_uri: uri,
      client_uri: uri,
      policy_uri: uri,
      tos_uri: uri,
      sector_identifier_uri: uri,
      initiate_login_uri: uri,
    });
    assert.deepEqual([asked, fetched], [0, []]);
  });
  it('case 33: a client that is a document is fetched, which shows that this would have been seen', async () => {
    const id = 'https://agent.invalid/client.json';
    await call(node, buildAuthorizePath({ clientId: id, challenge }));
    assert.deepEqual(fetched.splice(0), [id]);
  });
});

describe('another response mode', () => {
  for (const response_mode of [
    'fragment',
    'form_post',
    'web_message',
    'jwt',
    'query.jwt',
    'fragment.jwt',
    'form_post.jwt',
    'Query',
    'query fragment',
    ' ',
    'direct_post',
    'okta_post_message',
    'constructor',
  ]) {
    it(`case 34: ${response_mode} is refused in the query`, async () => {
      await assertRefusedToClient({ response_mode }, 'invalid_request');
      await assertRefusedToClient({ response_mode, state: undefined, scope: undefined }, 'invalid_request');
    });
  }
  for (const response_mode of ['query', '']) {
    it(`case 34: ${JSON.stringify(response_mode)} is what there is`, async () => {
      const flow = await newFlow(service);
      const code = await obtainCode(flow, { response_mode });
      assert.equal((await exchangeCode(service, flow, code)).status, 200);
    });
  }
  it('case 34: is never a fragment, in whatever way the request is at fault', async () => {
    for (const fault of [
      { response_type: 'token' },
      { scope: 'x' },
      { resource: 'https://evil.example/' },
      { code_challenge: 'x' },
      { request: 'x' },
      { state: 's'.repeat(4097) },
    ]) {
      const answer = await requestAuthorization({ response_mode: 'fragment', ...fault });
      assertRedirectedToClient(answer, REDIRECT_URI);
      assert.equal(answer.body, '');
    }
  });
});

describe('an answer that is to be taken for another server’s', () => {
  const getIssuer = async (target: { baseUrl: string }): Promise<string> =>
    (await call(target, '/.well-known/oauth-authorization-server')).body.issuer as string;
  /** As it stands in the URL, percent-encoded once. */
  const rawIss = ({ headers }: HttpResponse): string =>
    /[?&]iss=([^&]*)/.exec(headers.get('location') ?? '')?.[1] ?? '';

  it('case 35: code, denial and errors all name the issuer, byte for byte as the metadata does', async () => {
    const issuer = await getIssuer(service);
    const { browser, client, pkce } = await newFlow(service);
    const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
    const answers = [
      await requestAuthorization({ state: undefined }),
      await requestAuthorization({ response_type: 'token' }),
      await requestAuthorization({ scope: 'x' }),
    ];
    for (const decision of ['grant', 'deny'] as const) {
      const requestId = getRequestId(await browser.get(buildAuthorizePath(attempt)));
      await decideRequest(browser, requestId, decision);
      answers.push(await browser.get(`/oauth/complete/${requestId}`));
    }
    for (const answer of answers) {
      assert.equal(assertRedirectedToClient(answer, REDIRECT_URI)['iss'], issuer);
      assert.equal(rawIss(answer), encodeURIComponent(issuer));
    }
    const { body } = await call(service, '/.well-known/oauth-authorization-server');
    assert.equal(body.authorization_response_iss_parameter_supported, true);
  });

  it('case 35: a client’s own iss, state, code or error in its redirect URI does not stand in for ours', async () => {
    for (const name of ['iss', 'state', 'code', 'error']) {
      const registered = await call(service, '/oauth/register', {
        json: { redirect_uris: [`https://agent.example/cb?${name}=evil`] },
      });
      if (registered.status !== 201) continue;
      const redirect_uri = registered.body.redirect_uris[0] as string;
      const path = buildAuthorizePath(
        { clientId: registered.body.client_id as string, challenge },
        { redirect_uri, scope: 'x' },
      );
      const { headers } = await call(service, path);
      const parameters = new URL(headers.get('location') ?? '').searchParams;
      assert.equal(parameters.getAll('iss').at(-1), service.baseUrl);
    }
  });

  it('case 35: is the configured address, however it was written, in the loopback name that was asked', async () => {
    const port = await findFreePort();
    const environment = { ...UNLIMITED, PORT: String(port), CHARTGATE_BASE_URL: `http://localhost:${port}/` };
    const other = await startTestService({ environment });
    try {
      for (const baseUrl of [`http://127.0.0.1:${port}`, `http://localhost:${port}`]) {
        const at = { baseUrl };
        assert.equal(await getIssuer(at), baseUrl);
        const { client_id: id } = await registerClient(at);
        const path = buildAuthorizePath({ clientId: id as string, challenge }, { scope: 'x' });
        const answer = await call(at, path);
        assert.equal(assertRedirectedToClient(answer, REDIRECT_URI)['iss'], baseUrl);
      }
    } finally {
      await other.stop();
    }
  });
});
