import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  getRedirectParameters,
  buildAuthorizePath,
  obtainCode,
  decideRequest,
  sendRequestScreens,
  newFlow,
  createPkce,
  registerClient,
  getRequestId,
  createSignedInBrowser,
  type Flow,
} from '../harness/authorization.ts';
import { call, startTestService, type TestService } from '../harness/service.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { getStatusAndError, UNLIMITED } from './attack.ts';

let service: TestService;
let flow: Flow;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
});
after(() => service.stop());

const startAuthorization = (
  client: { client_id: unknown },
  more: Record<string, string> = {},
  browser = flow.browser,
) =>
  browser.get(
    buildAuthorizePath({ clientId: client.client_id as string, challenge: flow.pkce.challenge }, more),
  );

describe('the address of the consent page', () => {
  it('case 41: shows what is asked, and changes nothing of it when somebody rewrites it', async () => {
    const client = await registerClient(service, { client_name: 'Evil agent' });
    const begun = await startAuthorization(client);
    const shown = JSON.parse(
      Buffer.from(
        /oauth_state=([\w-]+)$/.exec(begun.headers.get('location') ?? '')?.[1] ?? '',
        'base64url',
      ).toString(),
    ) as Record<string, unknown>;
    assert.deepEqual(Object.keys(shown).sort(), [
      'client_name',
      'id',
      'onThisDevice',
      'redirectHost',
      'scope',
    ]);
    // Whatever the page was given, it asks by the id alone; more parameters change nothing.
    const id = shown['id'] as string;
    const forged = new URLSearchParams({ client_name: 'Claude', redirectHost: 'claude.ai', scope: 'none' });
    const asked = await flow.browser.get(`/oauth/interaction/${id}?${forged.toString()}`);
    assert.partialDeepStrictEqual(asked.body.client, {
      name: 'Evil agent',
      verifiedHost: null,
      redirectHost: 'agent.example',
      onThisDevice: false,
    });
    const decided = await flow.browser.post(`/oauth/interaction/${id}?${forged.toString()}`, {
      decision: 'grant',
      screens: await sendRequestScreens(flow.browser, id),
      client_name: 'Claude',
      client_id: 'another',
      scope: 'patient/*.read',
      redirect_uri: 'https://evil.example/',
      patient_id: flow.patient.id,
    });
    assert.equal(decided.status, 200);
    const back = await flow.browser.get(
      `/oauth/complete/${id}?redirect_uri=https://evil.example/&state=evil`,
    );
    assert.ok(back.headers.get('location')?.startsWith('https://agent.example/callback?code='));
    assert.equal(getRedirectParameters(back)['state'], 'the state');
  });

  it('case 41: with an id that is nobody’s leads nowhere', async () => {
    const id = getRequestId(await startAuthorization(flow.client));
    const others = [
      'A'.repeat(32),
      id.slice(0, -1),
      `${id}A`,
      id.split('').reverse().join(''),
      id.toUpperCase() === id ? id.toLowerCase() : id.toUpperCase(),
      `${id.slice(0, -1)}%20`,
      `${id}%00`,
      `..%2f${id}`,
      "'%20or%20'1'='1",
      '%7B%22id%22%3A1%7D',
      'constructor',
      '__proto__',
    ];
    for (const other of others) {
      const asked = await flow.browser.get(`/oauth/interaction/${other}`);
      assert.ok(asked.status === 404 || asked.status === 400, `${other}: ${asked.status}`);
      assert.ok((await decideRequest(flow.browser, other, 'grant')).status >= 400, other);
      const completed = await flow.browser.get(`/oauth/complete/${other}`);
      assert.deepEqual([completed.status, completed.headers.get('location')], [400, null], other);
    }
    assert.equal((await flow.browser.get(`/oauth/interaction/${id}`)).body.status, 'pending');
  });

  it('case 41: of somebody else’s request shows another browser nothing', async () => {
    const id = getRequestId(await startAuthorization(flow.client));
    const other = await createSignedInBrowser(service, flow.patient);
    const { status, body } = await other.get(`/oauth/interaction/${id}`);
    assert.deepEqual([status, body.code], [403, 'other_browser']);
    assert.ok(!JSON.stringify(body).includes('Test agent'));
    assert.equal((await decideRequest(other, id, 'grant')).status, 403);
    assert.equal((await decideRequest(other, id, 'deny')).status, 403);
    assert.equal((await other.get(`/oauth/complete/${id}`)).status, 400);
  });
});

describe('the name of a client', () => {
  for (const [what, client_name] of Object.entries({
    'text turned right to left': 'Claude\u202eedualC',
    'an isolate': 'Claude\u2066x\u2069',
    'a left-to-right mark': 'Cla\u200eude',
    'an Arabic letter mark': 'Cla\u061cude',
    'a zero-width space': 'Cla\u200bude',
    'a zero-width joiner': 'Cla\u200dude',
    'a byte order mark': '\ufeffx\ufeffClaude',
    'a word joiner': 'Cla\u2060ude',
    'a soft hyphen': 'Cla\u00adude',
    'a tag character': 'Claude\u{E0041}',
    'a Hangul filler': 'Claude\u3164x',
    'a Braille blank': 'Claude\u2800x',
    'a variation selector': 'Claude\ufe0f x',
    'a line end': 'Claude\nverified by your clinic',
    'a carriage return': 'Claude\rEvil',
    'a tab': 'Claude\tEvil',
    'a line separator': 'Claude\u2028verified',
    'a NUL': 'Claude\u0000',
    'an escape': 'Claude\u001b[2J',
    'a private-use character': 'Claude\ue000',
    'an unassigned character': 'Claude\u0378',
    'a lone surrogate': 'Claude\ud800',
    'marks that cover other lines': `C${'\u0300'.repeat(8)}laude`,
    '201 characters': 'x'.repeat(201),
    '40 kB': 'x'.repeat(40_000),
  })) {
    it(`case 42: with ${what} is not registered`, async () => {
      const answer = await call(service, '/oauth/register', {
        json: { client_name, redirect_uris: ['https://agent.example/callback'] },
      });
      assert.deepEqual(getStatusAndError(answer), [400, 'invalid_client_metadata']);
    });
  }

  for (const [client_name, looksLike] of [
    ['<script>alert(1)</script>', null],
    ['<b>Claude</b> & "friends" \'n co', 'Claude'],
    ['Сlaude', 'Claude'],
    ['Claude (verified)', 'Claude'],
    ['https://claude.ai', 'Claude'],
    ['Claude — agent.example, 日本語, ñ, café', 'Claude'],
    ['x'.repeat(200), null],
  ] as const) {
    it(`case 42: ${client_name.slice(0, 40)} is data in JSON, beside the host that the answer goes to and the name it may be taken for`, async () => {
      const client = await registerClient(service, {
        client_name,
        redirect_uris: ['https://evil.example/callback'],
      });
      assert.equal(client.client_name, client_name);
      const begun = await startAuthorization(client, { redirect_uri: 'https://evil.example/callback' });
      const location = begun.headers.get('location') ?? '';
      assert.match(location, /^[\x21-\x7e]+$/);
      assert.ok(!location.includes('<'));
      const asked = await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`);
      assert.match(asked.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(asked.headers.get('x-content-type-options'), 'nosniff');
      assert.partialDeepStrictEqual(asked.body.client, {
        name: client_name,
        verifiedHost: null,
        redirectHost: 'evil.example',
        onThisDevice: false,
        looksLike,
        about: null,
      });
    });
  }
});

describe('where the answer goes', () => {
  const loopback = { redirectHost: '127.0.0.1', onThisDevice: true };
  it('case 378: warns of a scheme with a name that people trust, and no scheme is a host in forward order', async () => {
    for (const uri of ['claude.ai:/cb', 'my.claude.ai:/cb']) {
      const refused = await call(service, '/oauth/register', { json: { redirect_uris: [uri] } });
      assert.deepEqual(getStatusAndError(refused), [400, 'invalid_redirect_uri']);
    }
    const uri = 'com.claude-health.app:/cb';
    const client = await registerClient(service, { redirect_uris: [uri] });
    const begun = await startAuthorization(client, { redirect_uri: uri });
    const { body } = await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`);
    assert.deepEqual([body.client.name, body.client.looksLike], ['Test agent', 'Claude']);
  });

  for (const [uri, used, shown] of [
    ['http://127.0.0.1/cb', 'http://127.0.0.1:49152/cb', loopback],
    ['http://localhost:3000/cb', 'http://localhost:1/cb', { redirectHost: 'localhost', onThisDevice: true }],
    ['http://[::1]/cb', 'http://[::1]:2/cb', { redirectHost: '[::1]', onThisDevice: true }],
    ['https://127.0.0.1/cb', 'https://127.0.0.1/cb', loopback],
    ['cursor://anysphere/cb', 'cursor://anysphere/cb', { redirectHost: 'cursor:', onThisDevice: true }],
    ['com.example.app:/cb', 'com.example.app:/cb', { redirectHost: 'com.example.app:', onThisDevice: true }],
    [
      'https://agent.example/cb',
      'https://agent.example/cb',
      { redirectHost: 'agent.example', onThisDevice: false },
    ],
    [
      'https://agent.example:8443/cb',
      'https://agent.example:8443/cb',
      { redirectHost: 'agent.example:8443', onThisDevice: false },
    ],
    [
      'https://localhost.evil.example/cb',
      'https://localhost.evil.example/cb',
      { redirectHost: 'localhost.evil.example', onThisDevice: false },
    ],
    [
      'https://xn--laude-5of.example/cb',
      'https://xn--laude-5of.example/cb',
      { redirectHost: 'xn--laude-5of.example', onThisDevice: false },
    ],
  ] as const) {
    it(`case 43: is shown as ${shown.onThisDevice ? 'a program on this device' : 'elsewhere'} for ${uri}`, async () => {
      const client = await registerClient(service, { redirect_uris: [uri] });
      const begun = await startAuthorization(client, { redirect_uri: used });
      const { body } = await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`);
      assert.partialDeepStrictEqual(body.client, { name: 'Test agent', verifiedHost: null, ...shown });
    });
  }
});

describe('an attacker who registered a client and sends a patient its link', () => {
  it('case 67: finds the patient asked, with the client named, though the patient consented to it before', async () => {
    const { browser } = flow;
    const evil = await registerClient(service, {
      client_name: 'Nice agent',
      redirect_uris: ['https://evil.example/cb'],
    });
    const own = { ...flow, client: evil };
    for (const round of [1, 2, 3]) {
      for (const more of [{}, { prompt: 'none' }, { max_age: '99999' }, { id_token_hint: 'x' }]) {
        const begun = await startAuthorization(evil, { redirect_uri: 'https://evil.example/cb', ...more });
        assert.ok(
          begun.headers.get('location')?.startsWith(`${service.baseUrl}/consent/#/`),
          `round ${round}`,
        );
        const id = getRequestId(begun);
        const { body } = await browser.get(`/oauth/interaction/${id}`);
        assert.deepEqual(
          [body.status, body.client.name, body.client.redirectHost],
          ['pending', 'Nice agent', 'evil.example'],
        );
        assert.equal((await browser.get(`/oauth/complete/${id}`)).status, 400, 'no code without the patient');
      }
      // What the patient granted once is no answer the next time.
      assert.ok(await obtainCode(own, { redirect_uri: 'https://evil.example/cb' }));
    }
  });

  it('case 67: finds a browser that never was here asked to sign in', async () => {
    const stranger = createTestBrowser(service);
    const begun = await startAuthorization(flow.client, {}, stranger);
    const id = getRequestId(begun);
    assert.equal((await stranger.get(`/oauth/interaction/${id}`)).body.person, null);
    assert.deepEqual((await decideRequest(stranger, id, 'grant')).status, 401);
  });

  it('case 67: gets no code by beginning in their own browser and having the patient go on', async () => {
    const attacker = createTestBrowser(service);
    const id = getRequestId(await startAuthorization(flow.client, {}, attacker));
    assert.equal((await flow.browser.get(`/oauth/interaction/${id}`)).status, 403);
    assert.equal((await decideRequest(flow.browser, id, 'grant')).status, 403);
    assert.equal((await flow.browser.get(`/oauth/complete/${id}`)).status, 400);
    assert.equal((await attacker.get(`/oauth/complete/${id}`)).status, 400);
  });

  it('case 67: gets no code of the patient’s by planting their own challenge with another client’s id', async () => {
    const { challenge } = createPkce();
    const id = getRequestId(
      await flow.browser
        .get(
          buildAuthorizePath(
            { clientId: flow.client.client_id as string, challenge },
            { redirect_uri: 'https://evil.example/cb' },
          ),
        )
        .then((answer) => {
          assert.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
          return startAuthorization(flow.client);
        }),
    );
    assert.equal(
      (await flow.browser.get(`/oauth/interaction/${id}`)).body.client.redirectHost,
      'agent.example',
    );
  });
});

describe('the preview of the review', () => {
  const readHeaders = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).headers;
  const readPolicy = async (path: string) =>
    new Map(
      ((await readHeaders(path)).get('content-security-policy') ?? '').split('; ').map((directive) => {
        const [name = '', ...values] = directive.split(' ');
        return [name, values.join(' ')];
      }),
    );

  it('case 315: alone may be framed, by our own origin; the console alone may frame', async () => {
    for (const path of ['/consent/', '/console/projects', '/docs/home/en.html']) {
      assert.equal((await readPolicy(path)).get('frame-ancestors'), "'none'", path);
      assert.equal((await readHeaders(path)).get('x-frame-options'), 'DENY', path);
    }
    assert.equal((await readPolicy('/consent-preview/')).get('frame-ancestors'), "'self'");
    assert.equal((await readHeaders('/consent-preview/')).get('x-frame-options'), 'SAMEORIGIN');
    assert.equal((await readPolicy('/console/projects')).get('frame-src'), "'self'");
    for (const path of ['/consent/', '/consent-preview/', '/docs/home/en.html']) {
      const policy = await readPolicy(path);
      assert.deepEqual([policy.get('default-src'), policy.has('frame-src')], ["'none'", false], path);
    }
  });

  it('case 317: reaches nothing: no call, no form, no window, no other page', async () => {
    const policy = await readPolicy('/consent-preview/');
    assert.equal(policy.get('connect-src'), "'none'");
    assert.equal(policy.get('form-action'), "'none'");
    // Its origin is none of ours: it has no session, and reads nothing of the console around it.
    assert.equal(policy.get('sandbox'), 'allow-scripts');
  });
});
