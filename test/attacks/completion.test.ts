import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { createService } from '../../server/app.ts';
import {
  buildAuthorizePath,
  obtainCode,
  decideRequest,
  exchangeCode,
  newFlow,
  REDIRECT_URI,
  registerClient,
  getRequestId,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { createTestBrowser, type TestBrowser } from '../harness/test-browser.ts';
import { UNLIMITED } from './attack.ts';
import {
  assertRedirectedToClient,
  assertRedirectedToConsent,
  NAVIGATION_HEADERS,
} from './assert-redirects.ts';

const HOUR_MS = 3600 * 1000;

/** Asserts that a browser that keeps its cookies is refused, in one and the same way whatever the reason. */
async function assertNotCompleted(browser: TestBrowser, requestId: string): Promise<void> {
  const answer = await browser.get(`/oauth/complete/${requestId}`);
  assert.deepEqual([answer.status, answer.headers.get('location')], [400, null]);
  assert.deepEqual(answer.body, {
    error: 'invalid_request',
    error_description:
      'This request is not ready, was completed before or has expired, or another browser began it.',
  });
  const page = await browser.get(`/oauth/complete/${requestId}`, NAVIGATION_HEADERS);
  assert.deepEqual([page.status, page.headers.get('location')], [400, null]);
  assert.match(page.body as string, /^<!doctype html>/);
  assert.doesNotMatch(page.body as string, /cgc_|href|http-equiv|<script/);
}

const begin = async ({ browser, client, pkce }: Flow): Promise<string> => {
  const attempt = { clientId: client.client_id as string, challenge: pkce.challenge };
  return getRequestId(await browser.get(buildAuthorizePath(attempt)));
};

const complete = (browser: TestBrowser, requestId: string): Promise<HttpResponse> =>
  browser.get(`/oauth/complete/${requestId}`);

const getCode = (answer: HttpResponse): string => {
  const { code, ...rest } = assertRedirectedToClient(answer, REDIRECT_URI);
  assert.deepEqual(Object.keys(rest), ['state', 'iss']);
  assert.match(code ?? '', /^cgc_[\w-]{43}$/);
  return code as string;
};

const createReadyRequest = async (flow: Flow): Promise<string> => {
  const requestId = await begin(flow);
  assert.equal((await decideRequest(flow.browser, requestId, 'grant')).body.status, 'ready');
  return requestId;
};

for (const engine of JOURNEY_ENGINES) {
  describe(`the way back to the client: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    it('case 24: is closed before the patient decided, and opens when they did', async () => {
      const requestId = await begin(flow);
      await assertNotCompleted(flow.browser, requestId);
      await flow.browser.get(`/oauth/interaction/${requestId}`);
      await assertNotCompleted(flow.browser, requestId);
      await decideRequest(flow.browser, requestId, 'grant');
      const code = getCode(await complete(flow.browser, requestId));
      assert.equal((await exchangeCode(service, flow, code)).status, 200);
    });

    it('case 24: is closed while records are processed, and opens when they are', async () => {
      let release = (): void => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      const node = await startNode(service, () => held);
      try {
        const own = await newFlow(node);
        const requestId = await begin(own);
        assert.equal((await decideRequest(own.browser, requestId, 'grant')).body.status, 'processing');
        for (let round = 0; round < 3; round++) {
          await assertNotCompleted(own.browser, requestId);
          await new Promise((resolve) => setTimeout(resolve, 50));
        }
        assert.equal((await own.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'processing');
        release();
        await waitUntilReady(own.browser, requestId);
        const code = getCode(await complete(own.browser, requestId));
        assert.equal((await exchangeCode(node, own, code)).status, 200);
      } finally {
        release();
        await node.stop();
      }
    });

    it('case 24: is gone once, with a code and with access_denied', async () => {
      const granted = await createReadyRequest(flow);
      const code = getCode(await complete(flow.browser, granted));
      await assertNotCompleted(flow.browser, granted);
      assert.equal((await exchangeCode(service, flow, code)).status, 200);
      await assertNotCompleted(flow.browser, granted);

      const denied = await begin(flow);
      await decideRequest(flow.browser, denied, 'deny');
      assert.equal(
        assertRedirectedToClient(await complete(flow.browser, denied), REDIRECT_URI)['error'],
        'access_denied',
      );
      await assertNotCompleted(flow.browser, denied);
    });

    it('case 24: gone ten times at once gives one code', async () => {
      for (let round = 0; round < 5; round++) {
        const requestId = await createReadyRequest(flow);
        const answers = await Promise.all(
          Array.from({ length: 10 }, () => complete(flow.browser, requestId)),
        );
        const led = answers.filter(({ status }) => status === 303);
        assert.deepEqual([led.length, answers.filter(({ status }) => status === 400).length], [1, 9]);
        assert.equal((await exchangeCode(service, flow, getCode(led[0] as HttpResponse))).status, 200);
      }
    });

    it('case 24: gone ten times at once after a denial gives one access_denied', async () => {
      const requestId = await begin(flow);
      await decideRequest(flow.browser, requestId, 'deny');
      const answers = await Promise.all(Array.from({ length: 10 }, () => complete(flow.browser, requestId)));
      assert.equal(answers.filter(({ status }) => status === 303).length, 1);
    });

    it('case 24: is closed once the request has expired, decided or not', async () => {
      const own = await newFlow(service);
      const [pending, granted, denied] = [await begin(own), await createReadyRequest(own), await begin(own)];
      await decideRequest(own.browser, denied, 'deny');
      service.clock.advance(HOUR_MS + 1000);
      for (const requestId of [pending, granted, denied]) await assertNotCompleted(own.browser, requestId);
    });

    it('case 24: of a request that does not exist is closed', async () => {
      for (const requestId of [
        'A'.repeat(32),
        'A'.repeat(31),
        'A'.repeat(33),
        'A'.repeat(90),
        "'%20or%20true%20--",
        '%00',
        '__proto__',
      ]) {
        const { status, headers } = await complete(flow.browser, requestId);
        assert.deepEqual([status, headers.get('location')], [400, null], requestId);
      }
    });

    it('case 24: is gone by GET alone; nobody sets it off by looking, or by another method', async () => {
      const own = await newFlow(service);
      const requestId = await createReadyRequest(own);
      const cookie = [...own.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await call(service, `/oauth/complete/${requestId}`, {
          method,
          headers: { cookie },
        });
        assert.ok(status === 405 || (method === 'OPTIONS' && status === 404), `${method}: ${status}`);
        assert.equal(headers.get('location'), null);
      }
      getCode(await complete(own.browser, requestId));
    });

    it('case 25: is closed to other browsers, signed in or not, and open to the one that began', async () => {
      const own = await newFlow(service);
      const stranger = await newFlow(service);
      const [requestId, denied] = [await createReadyRequest(own), await begin(own)];
      await decideRequest(own.browser, denied, 'deny');
      for (const id of [requestId, denied]) {
        await assertNotCompleted(createTestBrowser(service), id);
        await assertNotCompleted(stranger.browser, id);
        const { browser, session } = getCookies(own.browser);
        const theirs = getCookies(stranger.browser);
        const headers: [what: string, cookie: string][] = [
          ['the session without the browser', `chartgate-session=${session}`],
          [
            'the session with another browser',
            `chartgate-browser=${theirs.browser}; chartgate-session=${session}`,
          ],
          ['another name', `browser=${browser}`],
          ['another prefix', `__Host-chartgate-browser=${browser}`],
          ['another case', `Chartgate-Browser=${browser}`],
          ['a shorter value', `chartgate-browser=${browser.slice(1)}`],
          ['a longer value', `chartgate-browser=${browser}A`],
          ['a changed value', `chartgate-browser=${tamper(browser)}`],
          ['an empty value', 'chartgate-browser='],
          ['the request’s own id', `chartgate-browser=${id}`],
          ['another before it', `chartgate-browser=${theirs.browser}; chartgate-browser=${browser}`],
          ['SQL', `chartgate-browser=' or true --`],
        ];
        for (const [what, cookie] of headers) {
          const { status, headers: sent } = await call(service, `/oauth/complete/${id}`, {
            headers: { cookie },
          });
          assert.deepEqual([status, sent.get('location')], [400, null], what);
        }
      }
      const code = getCode(await complete(own.browser, requestId));
      assert.equal((await exchangeCode(service, own, code)).status, 200);
      assert.equal(
        assertRedirectedToClient(await complete(own.browser, denied), REDIRECT_URI)['error'],
        'access_denied',
      );
    });

    it('case 25: an attacker’s request, sent to a patient as a link, is not theirs to see, decide or complete', async () => {
      const [attacker, victim] = [await newFlow(service), await newFlow(service)];
      const requestId = await begin(attacker);
      for (const answer of [
        await victim.browser.get(`/oauth/interaction/${requestId}`),
        await decideRequest(victim.browser, requestId, 'grant'),
        await decideRequest(victim.browser, requestId, 'deny'),
      ])
        assert.deepEqual([answer.status, answer.body.code], [403, 'other_browser']);
      await assertNotCompleted(victim.browser, requestId);
      // Nor once the attacker has decided it: their record would be linked to the victim's account at the client.
      await decideRequest(attacker.browser, requestId, 'grant');
      await assertNotCompleted(victim.browser, requestId);
      assert.equal((await victim.browser.get(`/oauth/interaction/${requestId}`)).status, 403);
    });

    it('case 25: a patient cannot be signed in as somebody else from another site', async () => {
      const attacker = await newFlow(service);
      const victim = createTestBrowser(service);
      const { email, password } = attacker.patient;
      for (const headers of [
        { 'x-csrf-token': undefined },
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site' },
      ])
        assert.equal((await victim.post('/account/sign-in', { email, password }, headers)).status, 403);
      assert.equal((await victim.get('/account/session')).body.person, null);
    });

    it('case 25: signing in as somebody else afterwards does not make the code theirs', async () => {
      const [first, second] = [await newFlow(service), await newFlow(service)];
      const requestId = await createReadyRequest(first);
      const { email, password } = second.patient;
      assert.equal((await first.browser.post('/account/sign-in', { email, password })).status, 200);
      const { body } = await exchangeCode(service, first, getCode(await complete(first.browser, requestId)));
      assert.equal(decodeJwt(body.access_token as string).sub, first.patient.id);
    });

    it('case 31: the same client, patient and browser are asked again, each time', async () => {
      const own = await newFlow(service);
      assert.equal((await exchangeCode(service, own, await obtainCode(own))).status, 200);
      for (let round = 0; round < 3; round++) {
        const attempt = { clientId: own.client.client_id as string, challenge: own.pkce.challenge };
        const begun = await own.browser.get(buildAuthorizePath(attempt));
        assertRedirectedToConsent(service, begun);
        const requestId = getRequestId(begun);
        assert.equal((await own.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
        await assertNotCompleted(own.browser, requestId);
      }
    });

    it('case 31: a client of the same name and redirect URI leans on no consent of another', async () => {
      const own = await newFlow(service);
      await obtainCode(own);
      const twin = { ...own, client: await registerClient(service) };
      const requestId = await begin(twin);
      assert.equal((await own.browser.get(`/oauth/interaction/${requestId}`)).body.status, 'pending');
      await assertNotCompleted(own.browser, requestId);
    });

    it('case 31: one request’s decision does not carry over to another begun beside it', async () => {
      const own = await newFlow(service);
      const [one, other] = [await begin(own), await begin(own)];
      await decideRequest(own.browser, one, 'grant');
      await assertNotCompleted(own.browser, other);
      getCode(await complete(own.browser, one));
      await assertNotCompleted(own.browser, other);
    });
  });
}

describe('what a browser keeps and passes on', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
  });
  after(() => service.stop());

  const assertUnspoken = ({ headers }: HttpResponse): void => {
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
  };

  it('case 30: every step that leads on is a 303 that is not kept and leaves no referrer', async () => {
    const flow = await newFlow(service);
    const { browser } = flow;
    const attempt = { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge };
    const begun = await browser.get(buildAuthorizePath(attempt));
    const failed = await browser.get(buildAuthorizePath(attempt, { scope: 'x' }));
    const requestId = getRequestId(begun);
    const shown = await browser.get(`/oauth/interaction/${requestId}`);
    const decided = await decideRequest(browser, requestId, 'grant');
    const granted = await complete(browser, requestId);
    const denied = await begin(flow);
    await decideRequest(browser, denied, 'deny');
    const refused = await complete(browser, denied);
    for (const answer of [begun, failed, granted, refused]) {
      assert.equal(answer.status, 303);
      assert.equal(answer.body, '');
      assertUnspoken(answer);
    }
    for (const answer of [shown, decided]) assertUnspoken(answer);
    // The code is in the address of the client alone: neither in a cookie nor in anything that our page receives.
    const code = getCode(granted);
    assert.deepEqual(granted.headers.getSetCookie(), []);
    assert.equal([...granted.headers].filter(([, value]) => value.includes(code)).length, 1);
    const closed = await browser.get(`/oauth/interaction/${requestId}`);
    for (const { body } of [shown, decided, closed]) assert.ok(!JSON.stringify(body).includes('cgc_'));
    assertUnspoken(await exchangeCode(service, flow, code));
  });

  it('case 30: the pages, and those that say no, leave no referrer either', async () => {
    const paths = [
      '/oauth/authorize',
      `/oauth/complete/${'A'.repeat(32)}`,
      `/oauth/interaction/${'A'.repeat(32)}`,
    ];
    for (const path of paths)
      for (const headers of [{}, NAVIGATION_HEADERS]) assertUnspoken(await call(service, path, { headers }));
    for (const path of ['/consent/', '/consent', '/consent/nothing', '/nothing']) {
      const { headers } = await call(service, path);
      assert.equal(headers.get('referrer-policy'), 'no-referrer', path);
    }
  });

  it('case 30: no cookie is readable by a script, or sent along from another site’s form', async () => {
    const begun = await call(service, buildAuthorizePath({ clientId: 'x', challenge: 'x' }));
    assert.match(
      begun.headers.getSetCookie()[0] ?? '',
      /^chartgate-browser=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/,
    );
  });

  it('case 25: under https no neighbour plants a cookie, for it bears the __Host- prefix', async () => {
    const port = await findFreePort();
    const secure = await startTestService({
      environment: {
        ...UNLIMITED,
        PORT: String(port),
        CHARTGATE_BASE_URL: 'https://chartgate.example',
        CHARTGATE_ALLOWED_HOSTS: '127.0.0.1',
      },
    });
    try {
      const at = { baseUrl: `http://127.0.0.1:${port}` };
      const { client_id: clientId } = await registerClient(at);
      const browser = createTestBrowser(at, { origin: 'https://chartgate.example' });
      const begun = await browser.get(
        buildAuthorizePath({ clientId: clientId as string, challenge: 'x'.repeat(43) }),
      );
      const [line = ''] = begun.headers.getSetCookie();
      assert.match(line, /^__Host-chartgate-browser=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const requestId = getRequestId(begun);
      assert.equal((await decideRequest(browser, requestId, 'deny')).status, 200);
      const value = browser.cookies.get('__Host-chartgate-browser') ?? '';
      const planted = await call(at, `/oauth/complete/${requestId}`, {
        headers: { cookie: `chartgate-browser=${value}` },
      });
      assert.equal(planted.status, 400);
      assert.equal((await complete(browser, requestId)).status, 303);
    } finally {
      await secure.stop();
    }
  });

  const FRAMED: [what: string, path: () => string | Promise<string>, headers: Record<string, string>][] = [
    ['the consent page', () => '/consent/', NAVIGATION_HEADERS],
    ['the consent page by its file', () => '/consent/index.html', NAVIGATION_HEADERS],
    ['the page that says no to a request', () => '/oauth/authorize', NAVIGATION_HEADERS],
    ['the same in JSON', () => '/oauth/authorize', {}],
    ['the page of a request that is over', () => `/oauth/complete/${'A'.repeat(32)}`, NAVIGATION_HEADERS],
    ['the same in JSON', () => `/oauth/complete/${'A'.repeat(32)}`, {}],
    ['authorize, which leads to the consent page', () => buildAuthorize({}), NAVIGATION_HEADERS],
    ['authorize, which leads back with an error', () => buildAuthorize({ scope: 'x' }), NAVIGATION_HEADERS],
    [
      'authorize with prompt=none',
      () => buildAuthorize({ prompt: 'none' }),
      { ...NAVIGATION_HEADERS, 'sec-fetch-dest': 'iframe' },
    ],
  ];
  const buildAuthorize = async (more: Record<string, string>): Promise<string> => {
    const { client_id: clientId } = await registerClient(service);
    return buildAuthorizePath({ clientId: clientId as string, challenge: 'x'.repeat(43) }, more);
  };
  const assertUnframed = ({ headers }: HttpResponse): void => {
    assert.match(headers.get('content-security-policy') ?? '', /(^|; )frame-ancestors 'none'(;|$)/);
    assert.equal(headers.get('x-frame-options'), 'DENY');
  };
  for (const [what, path, headers] of FRAMED) {
    it(`case 29: nobody frames ${what}${headers === NAVIGATION_HEADERS ? '' : ` (${Object.keys(headers).join()})`}`, async () => {
      assertUnframed(await call(service, await path(), { headers }));
    });
  }
  it('case 29: nobody frames the last step', async () => {
    const flow = await newFlow(service);
    assertUnframed(await complete(flow.browser, await createReadyRequest(flow)));
  });
  it('case 29: pages run no script of anybody else, and none at all when they say no', async () => {
    const { headers } = await call(service, '/consent/', { headers: NAVIGATION_HEADERS });
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /script-src 'self'(;|$)/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    const refused = await call(service, '/oauth/authorize', { headers: NAVIGATION_HEADERS });
    assert.match(refused.headers.get('content-security-policy') ?? '', /default-src 'none'/);
    assert.doesNotMatch(refused.headers.get('content-security-policy') ?? '', /script-src|unsafe/);
  });
});

const getCookies = ({ cookies }: TestBrowser): { browser: string; session: string } => ({
  browser: cookies.get('chartgate-browser') ?? '',
  session: cookies.get('chartgate-session') ?? '',
});

const tamper = (value: string): string => (value.startsWith('A') ? 'B' : 'A') + value.slice(1);

/** Another node on the same store, under an address of its own, that fetches every record from a source. */
async function startNode(service: TestService, fetch: () => Promise<void>): Promise<TestService> {
  const port = await findFreePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const http = { ...service.config.http, port, baseUrl, consentAppUrl: `${baseUrl}/consent` };
  const config = { ...service.config, http };
  await service.worker.stop();
  const { db } = service.store;
  const node = createService({
    config,
    db,
    clock: service.clock,
    connectedSources: async () => [{ name: 'clinic', fetch }],
  });
  await node.app.listen({ port, host: '127.0.0.1' });
  await node.worker.start();
  return {
    ...service,
    ...node,
    config,
    baseUrl,
    async stop() {
      await node.app.close();
      await node.worker.stop();
      await service.worker.start();
    },
  };
}
