import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  getRedirectParameters,
  buildAuthorizePath,
  obtainCode,
  decideRequest,
  postForm,
  newFlow,
  REDIRECT_URI,
  getRequestId,
  type Flow,
} from '../harness/authorization.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { sendRaw, UNLIMITED } from './attack.ts';

const STATES: Record<string, string> = {
  'URL characters': 'a&b=c#d?e/f%20g+h;i',
  'an answer of its own': 'x&code=stolen&iss=https://evil.example&error=none',
  'a line end and a header': 'x\r\nSet-Cookie: evil=1\r\nLocation: https://evil.example/',
  'a bare line feed': 'x\nset-cookie: evil=1',
  'an encoded line end': 'x%0d%0aset-cookie:%20evil=1',
  'a doubly encoded line end': 'x%250d%250aset-cookie:%20evil=1',
  'a Unicode line separator': 'x\u2028\u2029\u0085y',
  'letters beyond Latin': 'Ünïcødé ☃ 🏥 日本語',
  'letters that become CR and LF when cut to bytes': '嘊嘍set-cookie: evil=1',
  'control characters': '\u0001\u0008\u000b\u001f\u007f',
  HTML: '"><script>alert(1)</script><a href="javascript:alert(1)">',
  JSON: '{"a":["b",null]}',
  'spaces only': '   ',
  base64: 'eyJhIjoxfQ==+/',
  '4096 characters': 'x'.repeat(4096),
  '4096 characters that are encoded': '&'.repeat(4096),
  '1300 letters of three bytes': '☃'.repeat(1300),
};

for (const engine of JOURNEY_ENGINES) {
  describe(`a state of any characters: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    const begin = (more: Record<string, string>): Promise<HttpResponse> =>
      flow.browser.get(
        buildAuthorizePath(
          { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge },
          more,
        ),
      );

    function isOneCleanAnswer({ status, headers }: HttpResponse, state: string): void {
      assert.equal(status, 303);
      const location = headers.get('location') ?? '';
      assert.match(location, /^[\x21-\x7e]+$/);
      const url = new URL(location);
      assert.equal(url.origin + url.pathname, REDIRECT_URI);
      assert.equal(url.hash, '');
      assert.deepEqual(url.searchParams.getAll('state'), [state]);
      assert.deepEqual(url.searchParams.getAll('iss'), [service.baseUrl]);
      const allowed = new Set(['code', 'error', 'error_description', 'state', 'iss']);
      assert.deepEqual(
        [...url.searchParams.keys()].filter((name) => !allowed.has(name)),
        [],
      );
      assert.ok(headers.getSetCookie().every((line) => !line.includes('evil')));
    }

    for (const [what, state] of Object.entries(STATES)) {
      it(`case 37: ${what} comes back as it was, with a code`, async () => {
        const requestId = getRequestId(await begin({ state }));
        await decideRequest(flow.browser, requestId, 'grant');
        const answer = await flow.browser.get(`/oauth/complete/${requestId}`);
        isOneCleanAnswer(answer, state);
        assert.ok(getRedirectParameters(answer)['code']);
      });

      it(`case 37: ${what} comes back as it was, with access_denied and with an early error`, async () => {
        const requestId = getRequestId(await begin({ state }));
        await decideRequest(flow.browser, requestId, 'deny');
        isOneCleanAnswer(await flow.browser.get(`/oauth/complete/${requestId}`), state);
        isOneCleanAnswer(await begin({ state, code_challenge_method: 'plain' }), state);
      });
    }

    for (const [what, long] of [
      ['case 37: longer than 4096 characters', 'x'.repeat(4097)],
      ['case 381: of fewer that are more than 12,288 as encoded', 'é'.repeat(2100)],
    ] as const)
      it(`${what} is invalid_request, and not led back`, async () => {
        const answer = await begin({ state: long });
        const { error, state, iss } = getRedirectParameters(answer);
        assert.deepEqual(
          [answer.status, error, state, iss],
          [303, 'invalid_request', undefined, service.baseUrl],
        );
      });

    it('case 37: with the one character that no database text has leads nowhere, and is no fault of ours', async () => {
      for (const state of ['\u0000', 'a\u0000b']) {
        const { status, headers, body } = await begin({ state });
        assert.deepEqual([status, headers.get('location'), body.error], [400, null, 'invalid_request']);
      }
    });

    it('case 37: that is no UTF-8 is not a fault of ours', async () => {
      const path = buildAuthorizePath(
        { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge },
        {
          state: 'MARK',
        },
      );
      for (const bytes of ['%ff', '%ed%a0%80', '%c0%8d%c0%8a', '%', '%zz', '%u000d']) {
        const { status, headers } = await sendRaw(service, path.replace('MARK', bytes));
        assert.ok(status === 303 || status === 400, `${bytes}: ${status}`);
        assert.match(headers.location ?? 'none', /^[\x21-\x7e]+$/);
      }
    });

    it('case 37: and a NUL anywhere else is refused like any other wrong value', async () => {
      const clientId = flow.client.client_id as string;
      const nul = 'a\u0000b';
      for (const name of [
        'response_type',
        'client_id',
        'redirect_uri',
        'scope',
        'code_challenge',
        'resource',
        'x',
      ]) {
        const { status } = await begin({ [name]: nul });
        assert.ok(status === 303 || status === 400, `${name}: ${status}`);
      }
      for (const name of [
        'grant_type',
        'client_id',
        'code',
        'redirect_uri',
        'code_verifier',
        'refresh_token',
        'scope',
        'resource',
      ]) {
        for (const grant_type of ['authorization_code', 'refresh_token']) {
          const form = {
            grant_type,
            client_id: clientId,
            code: 'x',
            redirect_uri: REDIRECT_URI,
            code_verifier: 'x',
            refresh_token: 'x',
            [name]: nul,
          };
          const { status } = await postForm(service, '/oauth/token', form);
          assert.ok(status === 400 || status === 401, `${name}: ${status}`);
        }
      }
      for (const form of [
        { token: nul, client_id: clientId },
        { token: 'x', client_id: nul },
        { token: 'x', client_id: clientId, token_type_hint: nul },
      ]) {
        assert.ok((await postForm(service, '/oauth/revoke', form)).status < 500);
      }
      for (const path of [
        '/oauth/complete/%00',
        '/oauth/interaction/%00',
        `/oauth/interaction/${'%00'.repeat(32)}`,
      ]) {
        assert.ok((await flow.browser.get(path)).status < 500, path);
      }
      for (const name of ['client_name', 'scope']) {
        const { status } = await call(service, '/oauth/register', {
          json: { redirect_uris: [REDIRECT_URI], [name]: nul },
        });
        assert.ok(status === 400 || status === 201, `${name}: ${status}`);
      }
      assert.ok(await obtainCode(flow), 'and the next one finds everything in order');
    });
  });
}

const PAYLOADS = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><h1>Your session expired</h1>',
  'x\r\nSet-Cookie: evil=1',
  '\\u003cscript\\u003e',
  '{{7*7}}${7*7}',
  'Call 555-0199 to restore your account',
];

describe('what is wrong in a request', () => {
  let service: TestService;
  let flow: Flow;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
    flow = await newFlow(service);
  });
  after(() => service.stop());

  /** The words and marks of a payload, none of which may come back. */
  function notRepeated(answer: { status: number; headers: unknown; body: unknown }, payload: string): void {
    const shown = JSON.stringify([answer.headers, answer.body]);
    assert.ok(answer.status >= 300 && answer.status < 500, `${answer.status}`);
    for (const piece of [payload, encodeURIComponent(payload), JSON.stringify(payload).slice(1, -1)]) {
      assert.ok(!shown.includes(piece), shown);
    }
    assert.ok(!/alert\(1\)|555-0199|set-cookie: evil|session expired/i.test(shown), shown);
  }

  const seen = ({
    status,
    headers,
    body,
  }: HttpResponse): { status: number; headers: unknown; body: unknown } => ({
    status,
    headers: [...headers],
    body,
  });

  for (const payload of PAYLOADS) {
    it(`case 38: is not repeated by the authorization endpoint: ${JSON.stringify(payload)}`, async () => {
      const clientId = flow.client.client_id as string;
      for (const name of [
        'response_type',
        'client_id',
        'redirect_uri',
        'scope',
        'code_challenge',
        'code_challenge_method',
        'resource',
        'response_mode',
        'request',
        'request_uri',
        'error',
        'error_description',
        'error_uri',
      ]) {
        for (const accept of ['text/html', 'application/json', '*/*']) {
          const path = buildAuthorizePath({ clientId, challenge: flow.pkce.challenge }, { [name]: payload });
          const answer = await flow.browser.get(path, { accept });
          if (['error', 'error_description', 'error_uri'].includes(name)) {
            assert.ok(getRequestId(answer), 'unknown parameters are ignored');
          }
          notRepeated(seen(answer), payload);
          if (answer.status !== 400) continue;
          assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
          const html = accept === 'text/html';
          assert.match(
            answer.headers.get('content-type') ?? '',
            html ? /^text\/html; charset=utf-8$/ : /^application\/json/,
          );
          if (html) assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'none'/);
        }
      }
    });

    it(`case 38: is not repeated by token, revocation and registration endpoint: ${JSON.stringify(payload)}`, async () => {
      const plain = {
        grant_type: 'authorization_code',
        client_id: flow.client.client_id as string,
        code: 'x',
        redirect_uri: REDIRECT_URI,
        code_verifier: 'x',
        refresh_token: 'x',
      };
      for (const grant_type of ['authorization_code', 'refresh_token']) {
        for (const name of [...Object.keys(plain), 'scope', 'resource', 'error_description']) {
          notRepeated(
            seen(await postForm(service, '/oauth/token', { ...plain, grant_type, [name]: payload })),
            payload,
          );
        }
      }
      for (const name of ['client_id', 'token_type_hint', payload]) {
        const form = { token: 'x', client_id: 'x', [name]: payload };
        notRepeated(seen(await postForm(service, '/oauth/revoke', form)), payload);
      }
      for (const json of [
        { redirect_uris: [payload] },
        { redirect_uris: payload },
        { [payload]: [payload] },
        { redirect_uris: [REDIRECT_URI], client_name: { [payload]: payload } },
        { redirect_uris: [REDIRECT_URI], grant_types: [payload] },
        { redirect_uris: [REDIRECT_URI], response_types: [payload] },
        { redirect_uris: [REDIRECT_URI], token_endpoint_auth_method: payload },
      ]) {
        notRepeated(seen(await call(service, '/oauth/register', { json })), payload);
      }
      const wrongType = await call(service, '/oauth/token', {
        body: payload,
        headers: { 'content-type': 'text/html' },
      });
      notRepeated(seen(wrongType), payload);
      notRepeated(
        seen(
          await call(service, '/oauth/register', {
            body: payload,
            headers: { 'content-type': 'application/json' },
          }),
        ),
        payload,
      );
    });

    it(`case 38: is not repeated of a path or of a header: ${JSON.stringify(payload)}`, async () => {
      const piece = encodeURIComponent(payload);
      for (const path of [
        `/oauth/complete/${piece}`,
        `/oauth/interaction/${piece}`,
        `/oauth/${piece}`,
        `/.well-known/oauth-protected-resource/projects/${piece}/mcp`,
      ]) {
        for (const accept of ['text/html', 'application/json']) {
          notRepeated(seen(await flow.browser.get(path, { accept })), payload);
        }
      }
      const headers = {
        'accept-language': payload.replace(/[\r\n]/g, ''),
        'user-agent': payload.replace(/[\r\n]/g, ''),
        accept: 'text/html',
      };
      notRepeated(seen(await flow.browser.get('/oauth/authorize', headers)), payload);
    });
  }
});
