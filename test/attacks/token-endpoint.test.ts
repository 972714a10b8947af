import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  obtainCode,
  exchangeCode,
  postForm,
  newFlow,
  encodeQuery,
  REDIRECT_URI,
  refresh,
  type Flow,
} from '../harness/authorization.ts';
import { call, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { sendRaw, getStatusAndError, UNLIMITED } from './attack.ts';

const FORM = 'application/x-www-form-urlencoded';

let service: TestService;
let flow: Flow;
let code: string;
before(async () => {
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
});
beforeEach(async () => {
  code = await obtainCode(flow);
});
after(() => service.stop());

const buildGoodForm = (): Record<string, string> => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: REDIRECT_URI,
  client_id: flow.client.client_id as string,
  code_verifier: flow.pkce.verifier,
});

/** RFC 6749 §5.1 */
function assertNotKept({ headers }: HttpResponse): void {
  assert.deepEqual([headers.get('cache-control'), headers.get('pragma')], ['no-store', 'no-cache']);
}

/** RFC 6749 §5.2: JSON that nobody keeps, and in this case nothing was used up. */
async function assertRefused(answer: HttpResponse, [status, error]: [number, string]): Promise<void> {
  assert.deepEqual(getStatusAndError(answer), [status, error], JSON.stringify(answer.body));
  assert.equal(typeof answer.body.error_description, 'string');
  assert.deepEqual(Object.keys(answer.body as object).sort(), ['error', 'error_description']);
  assertNotKept(answer);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.equal((await exchangeCode(service, flow, code)).status, 200, 'the code is as good as before');
}

const post = (
  body: string,
  type: string | undefined,
  headers: Record<string, string> = {},
): Promise<HttpResponse> =>
  call(service, '/oauth/token', {
    method: 'POST',
    body,
    headers: { ...(type !== undefined && { 'content-type': type }), ...headers },
  });

describe('the token endpoint', () => {
  it('case 529: says to caches of HTTP/1.0 too that nobody keeps tokens, nor what it refuses', async () => {
    const tokens = await exchangeCode(service, flow, code);
    assert.equal(tokens.status, 200);
    assertNotKept(tokens);
    const { client_id: clientId } = buildGoodForm();
    assertNotKept(
      await refresh(service, clientId as string, (tokens.body as { refresh_token: string }).refresh_token),
    );
    for (const path of ['/oauth/token', '/oauth/revoke'])
      for (const form of [{}, { client_id: 'unknown', token: 'x', grant_type: 'refresh_token' }])
        assertNotKept(await postForm(service, path, form));
  });

  it('says which parameter is at fault, in the words of the protocol', async () => {
    const form = new URLSearchParams(buildGoodForm()).toString();
    for (const [path, type, body, description] of [
      ['/oauth/token', FORM, '', 'grant_type is missing; client_id is missing.'],
      ['/oauth/token', FORM, 'grant_type=refresh_token&client_id=', 'client_id is missing.'],
      ['/oauth/token', FORM, `${form}&code=other`, 'code is given more than once.'],
      ['/oauth/revoke', FORM, 'client_id=c', 'token is missing.'],
      ['/oauth/register', 'application/json', '{}', 'redirect_uris is missing.'],
      ['/oauth/register', 'application/json', '[]', 'the body must be an object.'],
      ['/oauth/register', 'application/json', '{"redirect_uris":"a"}', 'redirect_uris must be an array.'],
    ] as const) {
      const answer = await call(service, path, { method: 'POST', body, headers: { 'content-type': type } });
      assert.deepEqual([answer.status, answer.body.error_description], [400, description], path);
    }
  });

  for (const [what, type] of [
    ['JSON', 'application/json'],
    ['JSON of a kind', 'application/vnd.api+json'],
    ['JSON that says it is a form', FORM],
    ['JSON as text', 'text/plain'],
  ] as const) {
    it(`case 64: takes no ${what}`, async () => {
      await assertRefused(await post(JSON.stringify(buildGoodForm()), type), [400, 'invalid_request']);
    });
  }

  for (const type of [
    'text/plain',
    'application/octet-stream',
    'application/xml',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencodedx',
    'x',
    '',
  ]) {
    it(`case 64: takes no form as ${JSON.stringify(type)}`, async () => {
      await assertRefused(await post(encodeQuery(buildGoodForm()), type), [400, 'invalid_request']);
    });
  }

  it('case 64: takes a form with a charset, in capitals too', async () => {
    assert.equal(
      (await post(encodeQuery(buildGoodForm()), 'Application/X-WWW-Form-Urlencoded; charset=UTF-8')).status,
      200,
    );
  });

  it('case 64: takes no multipart form', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(buildGoodForm())) form.append(name, value);
    await assertRefused(await call(service, '/oauth/token', { body: form }), [400, 'invalid_request']);
  });

  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'HEAD']) {
    it(`case 64: does not take ${method}`, async () => {
      for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/register']) {
        const answer = await call(service, `${path}?${encodeQuery(buildGoodForm())}`, {
          method,
          ...(!['GET', 'HEAD'].includes(method) && {
            body: encodeQuery(buildGoodForm()),
            headers: { 'content-type': FORM },
          }),
        });
        assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST'], path);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
        assert.match(answer.headers.get('content-type') ?? '', /json/);
        assert.ok(!JSON.stringify(answer.body).includes(code));
      }
      assert.equal((await exchangeCode(service, flow, code)).status, 200);
    });
  }

  it('case 64: does not look at its query', async () => {
    await assertRefused(
      await call(service, `/oauth/token?${encodeQuery(buildGoodForm())}`, {
        body: '',
        method: 'POST',
        headers: { 'content-type': FORM },
      }),
      [400, 'invalid_request'],
    );
    code = await obtainCode(flow);
    await assertRefused(
      await call(service, `/oauth/token?${encodeQuery(buildGoodForm())}`, { method: 'POST' }),
      [400, 'invalid_request'],
    );
    code = await obtainCode(flow);
    for (const name of Object.keys(buildGoodForm())) {
      const { [name]: value, ...rest } = buildGoodForm();
      const answer = await call(service, `/oauth/token?${encodeQuery({ [name]: value })}`, {
        body: encodeQuery(rest),
        headers: { 'content-type': FORM },
      });
      assert.deepEqual(getStatusAndError(answer), [400, 'invalid_request'], name);
    }
    const other = await call(service, `/oauth/token?client_id=evil&grant_type=evil`, {
      body: encodeQuery(buildGoodForm()),
      headers: { 'content-type': FORM },
    });
    assert.equal(other.status, 200);
  });

  for (const [what, authorization] of [
    [
      'with the client’s id and no secret',
      () => `Basic ${Buffer.from(`${flow.client.client_id}:`).toString('base64')}`,
    ],
    ['with a secret', () => `Basic ${Buffer.from(`${flow.client.client_id}:secret`).toString('base64')}`],
    ['of another client', () => `Basic ${Buffer.from('other:secret').toString('base64')}`],
    ['in small letters', () => 'basic eDp5'],
    ['with garbage', () => 'Basic %%%'],
  ] as const) {
    it(`case 64: refuses Basic authentication ${what}, in its own scheme`, async () => {
      for (const path of ['/oauth/token', '/oauth/revoke']) {
        const answer = await call(service, path, {
          body: encodeQuery({ ...buildGoodForm(), token: 'x' }),
          headers: { 'content-type': FORM, authorization: authorization() },
        });
        assert.deepEqual(getStatusAndError(answer), [401, 'invalid_client']);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Basic realm=/);
      }
      const { client_id: _left, ...rest } = buildGoodForm();
      await assertRefused(await post(encodeQuery(rest), FORM, { authorization: authorization() }), [
        401,
        'invalid_client',
      ]);
    });
  }

  for (const clientId of [
    '00000000-0000-4000-8000-000000000000',
    'unknown',
    '*',
    "' or 1=1",
    '__proto__',
    'http://agent.example/c.json',
  ]) {
    it(`case 64: does not know the client ${clientId}`, async () => {
      const answer = await postForm(service, '/oauth/token', { ...buildGoodForm(), client_id: clientId });
      assert.equal(answer.headers.get('www-authenticate'), null);
      await assertRefused(answer, [401, 'invalid_client']);
      assert.deepEqual(getStatusAndError(await refresh(service, clientId, 'x')), [401, 'invalid_client']);
    });
  }

  for (const grantType of [
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'AUTHORIZATION_CODE',
    'authorization_code ',
    ' refresh_token',
    'authorization_code refresh_token',
    'constructor',
    '__proto__',
    'toString',
    'null',
  ]) {
    it(`case 64: does not support the grant ${JSON.stringify(grantType)}, alone or with what another needs`, async () => {
      const alone = await postForm(service, '/oauth/token', { grant_type: grantType });
      assert.deepEqual(getStatusAndError(alone), [400, 'unsupported_grant_type']);
      const answer = await postForm(service, '/oauth/token', {
        ...buildGoodForm(),
        grant_type: grantType,
        username: 'a',
        password: 'b',
      });
      await assertRefused(answer, [400, 'unsupported_grant_type']);
    });
  }

  for (const name of [
    'grant_type',
    'code',
    'redirect_uri',
    'client_id',
    'code_verifier',
    'resource',
    'scope',
    'refresh_token',
  ]) {
    it(`case 64: refuses ${name} twice, same or not`, async () => {
      const all: Record<string, string> = {
        ...buildGoodForm(),
        resource: `${service.baseUrl}/mcp`,
        scope: 'patient/*.read',
        refresh_token: 'x',
      };
      for (const second of [all[name] as string, 'other', '']) {
        const body = `${encodeQuery(all)}&${encodeQuery({ [name]: second })}`;
        const answer = await post(body, FORM);
        assert.deepEqual(getStatusAndError(answer), [400, 'invalid_request'], second);
      }
      await assertRefused(await post(`${encodeQuery({ [name]: 'first' })}&${encodeQuery(all)}`, FORM), [
        400,
        'invalid_request',
      ]);
    });
  }

  for (const name of ['grant_type', 'code', 'redirect_uri', 'client_id', 'code_verifier']) {
    it(`case 64: misses ${name}, absent or empty`, async () => {
      assert.deepEqual(
        getStatusAndError(await postForm(service, '/oauth/token', { ...buildGoodForm(), [name]: undefined })),
        [400, 'invalid_request'],
      );
      await assertRefused(await postForm(service, '/oauth/token', { ...buildGoodForm(), [name]: '' }), [
        400,
        'invalid_request',
      ]);
    });
  }

  it('case 64: takes an empty resource and scope for absent ones (RFC 6749 §3.2)', async () => {
    const first = await postForm(service, '/oauth/token', { ...buildGoodForm(), resource: '', scope: '' });
    assert.equal(first.status, 200, JSON.stringify(first.body));
    const next = await refresh(service, flow.client.client_id as string, first.body.refresh_token as string, {
      resource: '',
      scope: '',
    });
    assert.deepEqual([next.status, next.body.scope], [200, first.body.scope]);
  });

  for (const [what, body] of [
    ['nothing', ''],
    ['a sign', '&'],
    ['signs', '=&=&='],
    ['names without values', 'grant_type&code&client_id'],
    ['brackets', 'grant_type[]=authorization_code&code[$ne]=x&client_id[$gt]='],
    ['dots', 'grant_type.x=authorization_code'],
    ['a prototype', '__proto__[grant_type]=authorization_code&constructor.prototype.code=x'],
    ['broken escapes', 'code=%zz&client_id=%c0%ae&%=%'],
    ['10,000 parameters', Array.from({ length: 10_000 }, (_, turn) => `a${turn}=b`).join('&')],
    ['bytes', '\u0000\u0001\u0002'],
  ] as const) {
    it(`case 64: refuses a body of ${what}`, async () => {
      await assertRefused(await post(body, FORM), [400, 'invalid_request']);
    });
  }

  it('case 64: refuses a body of 2 MB, and a request without one', async () => {
    const large = await post(`code=${'x'.repeat(2 * 1024 * 1024)}`, FORM);
    assert.deepEqual(getStatusAndError(large), [413, 'invalid_request']);
    for (const headers of [{}, { 'content-type': FORM }, { 'content-length': '0' }] as Record<
      string,
      string
    >[]) {
      const {
        status,
        text,
        headers: answered,
      } = await sendRaw(service, '/oauth/token', { method: 'POST', headers });
      assert.deepEqual([status, (JSON.parse(text) as { error: string }).error], [400, 'invalid_request']);
      assert.equal(answered['cache-control'], 'no-store');
    }
  });

  it('case 64: ignores parameters that nobody knows', async () => {
    const more = {
      client_secret: 'x',
      client_assertion: 'x',
      client_assertion_type: 'x',
      username: 'x',
      audience: 'https://evil.example',
      sub: 'x',
      state: 'x',
    };
    const { status, body } = await postForm(service, '/oauth/token', { ...buildGoodForm(), ...more });
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body as object).sort(), [
      'access_token',
      'expires_in',
      'refresh_token',
      'scope',
      'token_type',
    ]);
  });
});
