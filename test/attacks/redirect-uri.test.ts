import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  buildAuthorizePath,
  toCodeChallenge,
  registerClient,
  type QueryParameters,
} from '../harness/authorization.ts';
import { call, startTestService, type TestService } from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';
import {
  assertRedirectedToClient,
  assertNotRedirected,
  assertRedirectedToConsent,
} from './assert-redirects.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
});
after(() => service.stop());

const challenge = toCodeChallenge('x'.repeat(43));

const registerClientWith = async (...uris: string[]): Promise<string> =>
  (await registerClient(service, { redirect_uris: uris })).client_id as string;

/** Good but for what `more` says. */
const buildPath = (clientId: string, more: QueryParameters): string =>
  buildAuthorizePath({ clientId, challenge }, more);

/** Defines tests of one client: each other URI is refused, whatever else is right or wrong about the request. */
function defineRefusals(number: number, registered: string, others: readonly string[]): void {
  let clientId: string;
  before(async () => {
    clientId = await registerClientWith(registered);
  });
  it(`case ${number}: ${registered} itself leads to the consent page`, async () => {
    assertRedirectedToConsent(
      service,
      await call(service, buildPath(clientId, { redirect_uri: registered })),
    );
  });
  for (const redirect_uri of others) {
    it(`case ${number}: ${JSON.stringify(redirect_uri)} leads nowhere`, async () => {
      assert.equal(
        await assertNotRedirected(service, buildPath(clientId, { redirect_uri })),
        'invalid_request',
      );
      const wrong = buildPath(clientId, { redirect_uri, response_type: 'token', scope: undefined });
      assert.equal(await assertNotRedirected(service, wrong), 'invalid_request');
    });
  }
}

describe('a redirect URI that is not the registered one, character by character', () => {
  defineRefusals(1, 'https://app.example/callback?tenant=1', [
    'https://evil.example/callback?tenant=1',
    'https://app.example/',
    'https://app.example',
    'https://app.example/evil?tenant=1',
    'https://app.example/callback/?tenant=1',
    'https://app.example/callback/evil?tenant=1',
    'https://app.example/callback/../callback?tenant=1',
    'https://app.example/./callback?tenant=1',
    'https://app.example//callback?tenant=1',
    'https://app.example/Callback?tenant=1',
    'https://APP.example/callback?tenant=1',
    'HTTPS://app.example/callback?tenant=1',
    'https://app.example/%63allback?tenant=1',
    'https://app.example/callback',
    'https://app.example/callback?',
    'https://app.example/callback?tenant=2',
    'https://app.example/callback?tenant=1&extra=1',
    'https://app.example/callback?extra=1&tenant=1',
    'https://app.example/callback?tenant=1&',
    'https://app.example/callback;evil?tenant=1',
    'https://app.example/callback?tenant=1 ',
    ' https://app.example/callback?tenant=1',
    'https://app.example/callback?tenant=1\n',
    'https://app.example/callback?tenant=1 https://evil.example/',
    'https://app.example/callback?tenant=1,https://evil.example/',
    'app.example/callback?tenant=1',
    '//app.example/callback?tenant=1',
    '/callback?tenant=1',
    'null',
    'urn:ietf:wg:oauth:2.0:oob',
    'javascript:alert(1)//https://app.example/callback?tenant=1',
    'data:text/html,evil',
  ]);
});

describe('a trailing slash that was or was not registered', () => {
  for (const [registered, given] of [
    ['https://app.example', 'https://app.example/'],
    ['https://app.example/', 'https://app.example'],
    ['https://app.example/callback', 'https://app.example/callback/'],
    ['https://app.example/callback/', 'https://app.example/callback'],
    ['com.example.app:/callback', 'com.example.app://callback'],
    ['cursor://x/callback', 'cursor://x/callback/'],
  ] as const) {
    it(`case 1: ${given} for ${registered} leads nowhere`, async () => {
      await assertNotRedirected(
        service,
        buildPath(await registerClientWith(registered), { redirect_uri: given }),
      );
    });
  }
});

describe('a redirect URI that reads differently to different parsers', () => {
  defineRefusals(2, 'http://127.0.0.1:1/cb', [
    'http://127.0.0.1:1@evil.example/cb',
    'http://127.0.0.1:1%40evil.example/cb',
    'http://127.0.0.1@evil.example/cb',
    'http://127.0.0.1:1/cb@evil.example',
    'http://user@127.0.0.1:1/cb',
    'http://user:pass@127.0.0.1:1/cb',
    'http://@127.0.0.1:1/cb',
    'http://evil.example@127.0.0.1:1/cb',
    'http://127.0.0.1:1\\@evil.example/cb',
    'http://evil.example\\@127.0.0.1:1/cb',
    'http://127.0.0.1:1\\cb',
    'http:\\\\127.0.0.1:1/cb',
    'http://127.0.0.1:1/\\evil.example/cb',
    'http://127.0.0.1:1/cb\u0000',
    'http://127.0.0.1:1/cb\u0000.evil.example',
    'http://127.0.0.1:1\u0000.evil.example/cb',
    'http://127.0.0.1:1/cb%00',
    'http://127.0.0.1:1%00.evil.example/cb',
    'http://127.0.0.1:1/cb%0d%0aSet-Cookie:%20evil=1',
    'http://127.0.0.1:1/cb\r\nSet-Cookie: evil=1',
    'http://127.0.0.1:1/cb\t',
    'http://127.0.0.1:1/cb#',
    'http://127.0.0.1:1/cb#frag',
    'http://127.0.0.1:1/cb#@evil.example/',
    'http://evil.example#http://127.0.0.1:1/cb',
    'http://evil.example?http://127.0.0.1:1/cb',
    'http://evil.example/http://127.0.0.1:1/cb',
    'http:127.0.0.1:1/cb',
    'http:///127.0.0.1:1/cb',
    'http:/127.0.0.1:1/cb',
    'http://127。0。0。1:1/cb',
    'http://①②⑦.0.0.1:1/cb',
    'http://127.0.0.1\u200b:1/cb',
    'http://[::ffff:127.0.0.1]:1/cb',
    'http://[127.0.0.1]:1/cb',
  ]);
});

describe('another host or port that resembles the registered one', () => {
  defineRefusals(3, 'https://app.example/cb', [
    'https://app.example.evil.example/cb',
    'https://app.example-evil.example/cb',
    'https://evilapp.example/cb',
    'https://evil.app.example/cb',
    'https://www.app.example/cb',
    'https://app.example./cb',
    'https://app.example:444/cb',
    'https://app.example:8443/cb',
    'https://app.example:443/cb',
    'https://app.example:80/cb',
    'https://app.example:/cb',
    'https://app.example:99999/cb',
    'https://app.example:443@evil.example/cb',
    'http://app.example/cb',
    'http://app.example:443/cb',
    'https://аpp.example/cb',
    'https://xn--pp-7kc.example/cb',
    'https://app.exampl℮/cb',
    'https://app。example/cb',
    'https://*.example/cb',
  ]);
});

describe('a program on this device', () => {
  /** Whatever its port, and nothing else. */
  for (const host of ['127.0.0.1', '[::1]', 'localhost'] as const) {
    describe(host, () => {
      for (const port of [':1', ':80', ':33418', ':51234', ':65535', '']) {
        it(`case 4: is answered at ${host}${port}, having registered port 7000`, async () => {
          const clientId = await registerClientWith(`http://${host}:7000/cb?x=1`);
          const redirect_uri = `http://${host}${port}/cb?x=1`;
          assertRedirectedToConsent(service, await call(service, buildPath(clientId, { redirect_uri })));
          const { error } = assertRedirectedToClient(
            await call(service, buildPath(clientId, { redirect_uri, state: undefined })),
            redirect_uri,
          );
          assert.equal(error, 'invalid_request');
        });
      }
      it('case 4: is answered at any port, having registered none', async () => {
        const clientId = await registerClientWith(`http://${host}/cb`);
        const redirect_uri = `http://${host}:51234/cb`;
        assertRedirectedToConsent(service, await call(service, buildPath(clientId, { redirect_uri })));
      });
    });
  }

  const swaps: [registered: string, given: readonly string[]][] = [
    [
      'http://127.0.0.1:7000/cb',
      [
        'http://localhost:7000/cb',
        'http://[::1]:7000/cb',
        'http://127.1:7000/cb',
        'http://127.0.1:7000/cb',
        'http://0x7f000001:7000/cb',
        'http://0x7f.0.0.1:7000/cb',
        'http://2130706433:7000/cb',
        'http://0177.0.0.1:7000/cb',
        'http://127.000.000.001:7000/cb',
        'http://127.0.0.2:7000/cb',
        'http://0.0.0.0:7000/cb',
        'http://0:7000/cb',
        'http://[::ffff:127.0.0.1]:7000/cb',
        'http://127.0.0.1.:7000/cb',
        'http://127.0.0.1:0/cb',
        'http://127.0.0.1:65536/cb',
        'http://127.0.0.1:99999/cb',
        'http://127.0.0.1:070/cb',
        'http://127.0.0.1:-1/cb',
        'http://127.0.0.1:7e3/cb',
        'http://127.0.0.1:7000:7000/cb',
        'http://127.0.0.1:/cb',
        'http://127.0.0.1: 7000/cb',
        'http://127.0.0.1:７０００/cb',
        'http://127.0.0.1:7001/CB',
        'http://127.0.0.1:7001/cb/',
        'http://127.0.0.1:7001/',
        'http://127.0.0.1:7001/cb?x=1',
        'http://127.0.0.1:7001/cb#x',
        'https://127.0.0.1:7001/cb',
        'https://127.0.0.1:7000/cb',
        'http://127.0.0.1.evil.example:7000/cb',
        'http://127.0.0.1:7000.evil.example/cb',
      ],
    ],
    [
      'http://localhost:7000/cb',
      [
        'http://127.0.0.1:7000/cb',
        'http://[::1]:7000/cb',
        'http://LOCALHOST:7000/cb',
        'http://localhost.:7000/cb',
        'http://localhost.evil.example:7000/cb',
        'http://evil.localhost:7000/cb',
        'http://localhost:99999/cb',
        'http://localhost.localdomain:7000/cb',
      ],
    ],
    [
      'http://[::1]:7000/cb',
      [
        'http://127.0.0.1:7000/cb',
        'http://localhost:7000/cb',
        'http://[0:0:0:0:0:0:0:1]:7000/cb',
        'http://[::]:7000/cb',
        'http://[::1%25lo]:7000/cb',
        'http://[::1]:99999/cb',
        'http://::1:7000/cb',
      ],
    ],
    [
      'https://127.0.0.1:7000/cb',
      ['https://127.0.0.1:7001/cb', 'https://127.0.0.1/cb', 'http://127.0.0.1:7000/cb'],
    ],
    ['https://localhost:7000/cb', ['https://localhost:7001/cb', 'http://localhost:7000/cb']],
    ['https://app.example/cb', ['http://127.0.0.1:7000/cb', 'http://localhost/cb', 'http://[::1]:1/cb']],
    ['cursor://localhost:7000/cb', ['cursor://localhost:7001/cb', 'http://localhost:7000/cb']],
  ];
  for (const [registered, given] of swaps)
    describe(`having registered ${registered}`, () => defineRefusals(4, registered, given));
});

describe('no redirect URI, though the client has exactly one', () => {
  for (const redirect_uri of [undefined, '', ' ']) {
    it(`case 6: ${JSON.stringify(redirect_uri)} leads nowhere`, async () => {
      const clientId = await registerClientWith('https://app.example/cb');
      assert.equal(
        await assertNotRedirected(service, buildPath(clientId, { redirect_uri })),
        'invalid_request',
      );
    });
  }
});

describe('a client that is not known', () => {
  let known: string;
  before(async () => {
    known = await registerClientWith('https://app.example/cb');
  });
  const ids: [what: string, of: (known: string) => string][] = [
    ['a UUID that nobody has', () => randomUUID()],
    ['the nil UUID', () => '00000000-0000-0000-0000-000000000000'],
    ['a known one in upper case', (id) => id.toUpperCase()],
    ['a known one without hyphens', (id) => id.replaceAll('-', '')],
    ['a known one in braces', (id) => `{${id}}`],
    ['a known one as a URN', (id) => `urn:uuid:${id}`],
    ['a known one with a space', (id) => `${id} `],
    ['a known one with another behind it', (id) => `${id},${randomUUID()}`],
    ['SQL', () => `' or client_id is not null --`],
    ['a name of Object', () => '__proto__'],
    ['HTML', () => '<script>alert("evil")</script>'],
    ['8,000 characters', () => 'a'.repeat(8000)],
    ['an http URL', () => 'http://evil.example/client.json'],
    ['an https URL of a host that is not there', () => 'https://evil.invalid/client.json'],
    ['an https URL of this machine', () => 'https://127.0.0.1/client.json'],
    ['a javascript: URL', () => 'javascript:evil'],
  ];
  for (const [what, of] of ids) {
    it(`case 7: ${what} leads nowhere, although the redirect URI looks fine`, async () => {
      for (const redirect_uri of ['https://app.example/cb', 'https://evil.example/cb']) {
        const error = await assertNotRedirected(service, buildPath(of(known), { redirect_uri }));
        assert.equal(error, 'invalid_client');
      }
    });
  }
  for (const client_id of [undefined, '', '\u0000']) {
    it(`case 7: none at all (${JSON.stringify(client_id)}) leads nowhere`, async () => {
      const path = buildPath(known, { client_id, redirect_uri: 'https://app.example/cb' });
      assert.equal(await assertNotRedirected(service, path), 'invalid_request');
    });
  }
  it('case 7: of which another one has the redirect URI leads nowhere', async () => {
    const other = await registerClientWith('https://other.example/cb');
    const path = buildPath(other, { redirect_uri: 'https://app.example/cb' });
    assert.equal(await assertNotRedirected(service, path), 'invalid_request');
  });
});

describe('a server that is to lead to somebody else’s address', () => {
  const EVIL = 'https://evil.example/';
  const FAULTS: QueryParameters[] = [
    { response_type: 'token' },
    { scope: 'nothing' },
    { state: undefined },
    { code_challenge_method: 'plain' },
    { resource: EVIL },
    { request_uri: EVIL },
    { response_mode: 'fragment' },
    { prompt: 'none' },
  ];
  for (const fault of FAULTS) {
    it(`case 8: ${JSON.stringify(fault)} with an unregistered redirect URI leads nowhere`, async () => {
      const clientId = await registerClientWith('https://app.example/cb');
      await assertNotRedirected(service, buildPath(clientId, { redirect_uri: EVIL, ...fault }));
    });
  }
  const LEADS = [
    'post_logout_redirect_uri',
    'post_logout',
    'logout_uri',
    'returnTo',
    'return_to',
    'return_url',
    'next',
    'continue',
    'url',
    'target_link_uri',
    'redirect',
    'redirect_url',
    'RelayState',
    'login_hint',
    'iss',
    'request_object',
    'consent_app_url',
    'error_uri',
  ];
  for (const name of LEADS) {
    it(`case 8: ${name} is nothing that anybody is led by`, async () => {
      const redirect_uri = 'https://app.example/cb';
      const clientId = await registerClientWith(redirect_uri);
      const good = await call(service, buildPath(clientId, { redirect_uri, [name]: EVIL }));
      assertRedirectedToConsent(service, good);
      const { location } = Object.fromEntries(good.headers) as Record<string, string>;
      const [, state = ''] = /oauth_state=([\w-]+)/.exec(location ?? '') ?? [];
      assert.doesNotMatch(Buffer.from(state, 'base64url').toString(), /evil/);
      const bad = await call(service, buildPath(clientId, { redirect_uri, state: undefined, [name]: EVIL }));
      assertRedirectedToClient(bad, redirect_uri);
      assert.doesNotMatch(bad.headers.get('location') ?? '', /evil/);
    });
  }
  for (const path of [
    '/oauth/complete/https:%2f%2fevil.example',
    `/oauth/complete/${'A'.repeat(32)}?redirect_uri=${EVIL}`,
    '/oauth/complete/..%2f..%2fevil.example',
  ]) {
    it(`case 8: ${path} leads nowhere`, () => assertNotRedirected(service, path).then(() => {}));
  }
  for (const path of [
    '//evil.example/',
    '/\\evil.example/',
    '/consent//evil.example/',
    '/consent?next=//evil.example',
  ]) {
    it(`case 8: ${path} leads to no other site`, async () => {
      const { headers } = await call(service, path);
      const location = new URL(headers.get('location') ?? '/', service.baseUrl);
      assert.equal(location.origin, service.baseUrl);
      assert.doesNotMatch(headers.get('location') ?? '', /^[/\\]{2}/);
    });
  }
  it('case 8: never led anybody by an address in the Host header or a forwarded one', async () => {
    const clientId = await registerClientWith('https://app.example/cb');
    const headers = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example',
    };
    const path = buildPath(clientId, { redirect_uri: 'https://app.example/cb' });
    assertRedirectedToConsent(service, await call(service, path, { headers }));
  });
});
