import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, sign, type JsonWebKey } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import {
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWTPayload,
} from 'jose';
import type { EndpointDefinition } from '../../contract/endpoint.ts';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { rotateSigningKeys, createSigningKeys } from '../../server/platform/keys/signing-keys.ts';
import {
  callMcp,
  obtainCode,
  exchangeCode,
  newFlow,
  refresh,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  newProject,
  newTestPatient,
  getOrganizationToken,
  startTestService,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';
import { startMuteServer, type Listener } from '../harness/tls/server.ts';
import { sendRaw, getToolStatus, UNLIMITED } from './attack.ts';

const HOUR = 3600 * 1000;

let service: TestService;
let flow: Flow;
let target: Listener;
/** A good token of the OAuth flow, and what is needed to make others like it. */
let good: string;
let payload: JWTPayload;
let kid: string;
let key: CryptoKey;
let published: JsonWebKey;

before(async () => {
  target = await startMuteServer();
  service = await startTestService({ environment: UNLIMITED });
  flow = await newFlow(service);
  good = (await obtainTokens(service, flow)).access_token as string;
  payload = decodeJwt(good);
  ({ kid, key } = await createSigningKeys({ db: service.store.db, clock: service.clock }).getCurrentKey());
  const { keys } = (await call(service, '/.well-known/jwks.json')).body as {
    keys: (JsonWebKey & { kid: string })[];
  };
  published = keys.find((jwk) => jwk.kid === kid) as JsonWebKey;
});
after(async () => {
  await service.stop();
  await target.stop();
});

const encodePart = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signed with our own key: what is wrong with it is not the signature. */
const signClaims = (claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> =>
  new SignJWT({ ...payload, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid, typ: 'at+jwt', ...header })
    .sign(key);

/** Three parts, whatever is in them, and a signature of ours. */
const signText = async (header: unknown, body: string): Promise<string> => {
  const text = `${encodePart(header)}.${body}`;
  const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(text));
  return `${text}.${Buffer.from(bytes).toString('base64url')}`;
};

async function assertRefused(token: string): Promise<void> {
  for (const method of ['tools/list', 'tools/call']) {
    const { status, body, headers } = await callMcp(service, token, method);
    assert.deepEqual([status, body], [401, { error: 'unauthorized' }]);
    assert.match(headers.get('www-authenticate') ?? '', /^Bearer resource_metadata=/);
  }
  const projects = `/projects/${service.organization.projectId}/mcp`;
  assert.equal((await callMcp(service, token, 'tools/list', projects)).status, 401);
  const direct = await call(service, `/v1/patients/${flow.patient.id}/upload-documents`, { token });
  assert.equal(direct.status, 401);
}

it('our own signature makes the tokens of this file good where nothing is wrong with them', async () => {
  assert.equal(await getToolStatus(service, await signClaims({})), 200);
  assert.equal(
    await getToolStatus(service, await signText({ alg: 'ES256', kid, typ: 'at+jwt' }, encodePart(payload))),
    200,
  );
});

describe('a token for one address', () => {
  const atEach = (run: (endpoint: EndpointDefinition, path: string) => Promise<void>) => async () => {
    for (const endpoint of ENDPOINTS.filter(({ audience }) => !audience.includes('anyone'))) {
      const path = endpoint.path
        .replace('{orgId}', service.organization.organizationId)
        .replace('{projectId}', service.organization.projectId)
        .replace('{patientId}', flow.patient.id)
        .replace(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
      await run(endpoint, path);
    }
  };
  const status = async (endpoint: EndpointDefinition, path: string, token: string): Promise<number> =>
    (
      await call(service, path, {
        method: endpoint.method,
        token,
        ...(endpoint.method !== 'GET' && { json: { jsonrpc: '2.0', id: 1, method: 'tools/list' } }),
      })
    ).status;

  /** Endpoints of our pages take sessions, no tokens; those that change something ask for the proof of the page first. */
  const refusal = ({ page, method }: EndpointDefinition): number => (page && method !== 'GET' ? 403 : 401);

  it(
    'case 57: of the default project is refused everywhere but at /mcp',
    atEach(async (endpoint, path) => {
      assert.equal(
        await status(endpoint, path, good),
        path === '/mcp' ? 200 : refusal(endpoint),
        `${endpoint.method} ${path}`,
      );
    }),
  );

  it('case 57: of a project is refused everywhere but there', async () => {
    const projectId = await newProject(service);
    const resource = `${service.baseUrl}/projects/${projectId}/mcp`;
    const { access_token: token } = await obtainTokens(service, flow, { resource });
    assert.equal(decodeJwt(token as string).aud, resource);
    assert.equal(
      (await callMcp(service, token as string, 'tools/call', `/projects/${projectId}/mcp`)).status,
      200,
    );
    assert.equal(await getToolStatus(service, token), 401);
    const others = [
      await newProject(service, 'Third study'),
      service.organization.projectId,
      '00000000-0000-4000-8000-000000000000',
    ];
    for (const other of others) {
      assert.equal(
        (await callMcp(service, token as string, 'tools/call', `/projects/${other}/mcp`)).status,
        401,
        other,
      );
    }
    await atEach(async (endpoint, path) =>
      assert.equal(await status(endpoint, path, token as string), refusal(endpoint), path),
    )();
    for (const path of [
      `//projects/${projectId}/mcp`,
      `/projects/${projectId}/mcp/../../../mcp`,
      `/projects/x/../${projectId}/mcp`,
      '/mcp?resource=x',
      '/mcp/',
      '/MCP',
      '/%6dcp',
      '/mcp;a=b',
    ]) {
      const { status: answered } = await sendRaw(service, path, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
      });
      assert.ok(answered === 401 || answered === 404, `${path}: ${answered}`);
    }
  });

  it('case 57: named by the default project’s own address is good there alone', async () => {
    const { projectId } = service.organization;
    const { access_token: token } = await obtainTokens(service, flow, {
      resource: `${service.baseUrl}/projects/${projectId}/mcp`,
    });
    assert.equal(
      (await callMcp(service, token as string, 'tools/call', `/projects/${projectId}/mcp`)).status,
      200,
    );
    assert.equal(await getToolStatus(service, token), 401);
  });

  describe('of POST /v1/auth/token', () => {
    let patient: TestPatient;
    let elsewhere: TestPatient;
    before(async () => {
      patient = await newTestPatient(service);
      elsewhere = await newTestPatient(service, { projectId: await newProject(service, 'Fourth study') });
    });

    it('case 57: of a patient is good at the own project’s addresses and refused at others', async () => {
      const at = async (token: string, path: string): Promise<number> =>
        (await callMcp(service, token, 'tools/call', path)).status;
      assert.equal(await at(patient.token, '/mcp'), 200);
      assert.equal(await at(patient.token, `/projects/${patient.projectId}/mcp`), 200);
      assert.equal(await at(patient.token, `/projects/${elsewhere.projectId}/mcp`), 403);
      assert.equal(await at(elsewhere.token, `/projects/${elsewhere.projectId}/mcp`), 200);
      assert.equal(await at(elsewhere.token, `/projects/${patient.projectId}/mcp`), 403);
      for (const url of [
        `/v1/organizations/${service.organization.organizationId}/test-patients`,
        `/v1/patients/${elsewhere.id}/upload-documents`,
      ]) {
        assert.equal((await call(service, url, { token: patient.token })).status, 403, url);
      }
    });

    it('case 57: of admin and researcher is refused at every address for patients', async () => {
      for (const role of ['admin', 'researcher'] as const) {
        const token = await getOrganizationToken(service, role);
        for (const path of ['/mcp', `/projects/${patient.projectId}/mcp`]) {
          const { status: answered, body } = await callMcp(service, token, 'tools/call', path);
          assert.equal(answered, 403, 'known, and not permitted');
          assert.deepEqual(Object.keys(body as object), ['error']);
        }
        assert.equal(
          (await call(service, `/v1/patients/${patient.id}/upload-documents`, { token })).status,
          403,
        );
      }
    });

    it('case 57: does not pass for one of OAuth, nor one of OAuth for it, by a change of type or audience', async () => {
      const direct = decodeJwt(patient.token);
      for (const [claims, typ] of [
        [{ ...direct, aud: `${service.baseUrl}/mcp` }, 'JWT'],
        [{ ...direct, aud: `${service.baseUrl}/mcp` }, 'at+jwt'],
        [direct, 'at+jwt'],
        [{ ...payload, aud: service.baseUrl }, 'JWT'],
        [{ ...payload, aud: service.baseUrl }, 'at+jwt'],
        [payload, 'JWT'],
        [{ ...payload, role: 'admin' }, 'at+jwt'],
      ] as const) {
        const token = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ }).sign(key);
        const admin = await call(
          service,
          `/v1/organizations/${service.organization.organizationId}/test-patients`,
          { token },
        );
        assert.equal(admin.status, 401, JSON.stringify([typ, claims]));
        if (!('role' in claims && 'gid' in claims))
          assert.equal(await getToolStatus(service, token), 401, JSON.stringify([typ, claims]));
      }
    });
  });
});

describe('a token that we did not sign', () => {
  for (const alg of ['none', 'None', 'NONE', 'nOnE', '', null, undefined]) {
    it(`case 58: under alg ${JSON.stringify(alg)} is nobody’s`, async () => {
      const signature = good.split('.')[2];
      for (const header of [
        { alg, kid, typ: 'at+jwt' },
        { alg, typ: 'at+jwt' },
      ]) {
        for (const end of ['', signature, 'AA'])
          await assertRefused(`${encodePart(header)}.${encodePart(payload)}.${end}`);
        const answer = await callMcp(service, `${encodePart(header)}.${encodePart(payload)}`);
        assert.equal(answer.status, 401);
      }
    });
  }

  it('case 58: under HS256 with our public key for the secret is nobody’s', async () => {
    const publicKey = createPublicKey({ key: published, format: 'jwk' });
    const secrets = {
      pem: publicKey.export({ type: 'spki', format: 'pem' }),
      'pem without its last line end': String(publicKey.export({ type: 'spki', format: 'pem' })).trim(),
      der: publicKey.export({ type: 'spki', format: 'der' }),
      jwk: JSON.stringify(published),
      x: Buffer.from(published.x as string, 'base64url'),
      'x as text': published.x as string,
      kid,
      nothing: '',
    };
    for (const [alg, hash] of [
      ['HS256', 'sha256'],
      ['HS384', 'sha384'],
      ['HS512', 'sha512'],
    ] as const) {
      for (const secret of Object.values(secrets)) {
        const text = `${encodePart({ alg, kid, typ: 'at+jwt' })}.${encodePart(payload)}`;
        await assertRefused(`${text}.${createHmac(hash, secret).update(text).digest('base64url')}`);
      }
    }
  });

  for (const alg of ['RS256', 'PS256', 'ES384', 'ES512', 'EdDSA', 'RS512'] as const) {
    it(`case 58: under ${alg} with a key of its own is nobody’s`, async () => {
      const { privateKey } = await generateKeyPair(alg);
      for (const id of [kid, undefined]) {
        const header = { alg, typ: 'at+jwt', ...(id !== undefined && { kid: id }) };
        await assertRefused(await new SignJWT(payload).setProtectedHeader(header).sign(privateKey));
      }
      // The right signature under the wrong name.
      const text = `${encodePart({ alg, kid, typ: 'at+jwt' })}.${encodePart(payload)}`;
      const bytes = await crypto.subtle.sign({ name: 'ECDSA', hash: 'SHA-256' }, key, Buffer.from(text));
      await assertRefused(`${text}.${Buffer.from(bytes).toString('base64url')}`);
    });
  }

  it('case 58: with a signature of zeros, of another form, or of another token is nobody’s', async () => {
    const [head = '', body = '', signature = ''] = good.split('.');
    const raw = Buffer.from(signature, 'base64url');
    const n = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
    const bytes32 = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
    const der = sign(
      'sha256',
      Buffer.from(`${head}.${body}`),
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    );
    for (const bytes of [
      Buffer.alloc(64),
      Buffer.concat([bytes32(n), bytes32(n)]),
      Buffer.concat([bytes32(0n), raw.subarray(32)]),
      Buffer.concat([raw.subarray(0, 32), bytes32(0n)]),
      Buffer.alloc(0),
      raw.subarray(0, 63),
      Buffer.concat([raw, Buffer.alloc(1)]),
      der,
    ]) {
      await assertRefused(`${head}.${body}.${bytes.toString('base64url')}`);
    }
    const second = (await obtainTokens(service, flow)).access_token as string;
    const [otherHead, otherBody, otherSignature] = second.split('.');
    await assertRefused(`${head}.${body}.${otherSignature}`);
    await assertRefused(`${otherHead}.${otherBody}.${signature}`);
    for (const claims of [
      { sub: '00000000-0000-4000-8000-000000000000' },
      { exp: 9_999_999_999 },
      { scope: '*' },
    ]) {
      await assertRefused(`${head}.${encodePart({ ...payload, ...claims })}.${signature}`);
    }
    for (const text of [
      '',
      '.',
      '..',
      '...',
      'a.b.c',
      `${good}.x`,
      `${head}.${body}`,
      `${good}${'A'.repeat(60_000)}`.slice(0, 12_000),
      good.slice(0, -1),
      good.toUpperCase(),
    ]) {
      assert.equal((await callMcp(service, text)).status, 401, text.slice(0, 40));
    }
  });

  const HEADERS: Record<string, (own: { jwk: JsonWebKey; url: string }) => object> = {
    'its key embedded': ({ jwk }) => ({ jwk }),
    'its key embedded, and our key id': ({ jwk }) => ({ jwk, kid }),
    'its key embedded under our key id': ({ jwk }) => ({ jwk: { ...jwk, kid }, kid }),
    'the address of its keys': ({ url }) => ({ jku: `${url}/jwks.json`, kid: 'theirs' }),
    'the address of its keys, and our key id': ({ url }) => ({ jku: `${url}/jwks.json`, kid }),
    'the address of its keys at our host': ({ url }) => ({
      jku: `${service.baseUrl}@${url.slice(8)}/jwks.json`,
      kid,
    }),
    'the address of a certificate': ({ url }) => ({ x5u: `${url}/cert.pem`, kid }),
    'a certificate': () => ({ x5c: ['MIIB'], kid }),
    'the thumbprint of a certificate': () => ({ x5t: 'AAAA', 'x5t#S256': 'AAAA', kid }),
    'a path for a key id': () => ({ kid: '../../../../dev/null' }),
    'a URL for a key id': ({ url }) => ({ kid: `${url}/key` }),
    'SQL for a key id': () => ({ kid: "x' or '1'='1" }),
    'SQL that lists keys for a key id': () => ({ kid: "x' union select private_jwk from signing_key --" }),
    'a command for a key id': () => ({ kid: '| sleep 5' }),
    'a prototype for a key id': () => ({ kid: '__proto__' }),
    'a method for a key id': () => ({ kid: 'constructor' }),
    'an object for a key id': () => ({ kid: { toString: kid } }),
    'a list for a key id': () => ({ kid: [kid] }),
    'a number for a key id': () => ({ kid: 0 }),
    'null for a key id': () => ({ kid: null }),
    'an empty key id': () => ({ kid: '' }),
    'a NUL in its key id': () => ({ kid: `${kid}\u0000` }),
    '100 kB of key id': () => ({ kid: 'x'.repeat(8000) }),
    'a critical extension': () => ({ crit: ['exp'], exp: 1, kid }),
    'an unknown critical extension': () => ({ crit: ['evil'], evil: true, kid }),
    'an empty list of critical extensions': () => ({ crit: [], kid }),
    'a payload that is not encoded': () => ({ b64: false, crit: ['b64'], kid }),
    'an encrypted form': () => ({ enc: 'A256GCM', zip: 'DEF', kid }),
  };
  for (const [what, headerOf] of Object.entries(HEADERS)) {
    it(`case 59: with ${what} is nobody’s, and nothing is fetched`, async () => {
      const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
      const own = {
        jwk: (await exportJWK(publicKey)) as JsonWebKey,
        url: `https://127.0.0.1:${target.port}`,
      };
      const text = `${encodePart({ alg: 'ES256', typ: 'at+jwt', ...headerOf(own) })}.${encodePart(payload)}`;
      const bytes = await crypto.subtle.sign(
        { name: 'ECDSA', hash: 'SHA-256' },
        privateKey,
        Buffer.from(text),
      );
      await assertRefused(`${text}.${Buffer.from(bytes).toString('base64url')}`);
      assert.equal(target.connections(), 0);
    });
  }

  it('case 59: a critical extension is refused even where the signature is ours', async () => {
    for (const more of [
      { crit: ['evil'], evil: 1 },
      { crit: [] },
      { crit: ['exp'] },
      { b64: false, crit: ['b64'] },
      { kid: undefined },
    ]) {
      await assertRefused(await signText({ alg: 'ES256', kid, typ: 'at+jwt', ...more }, encodePart(payload)));
    }
  });
});

describe('a token under our signature', () => {
  const now = (): number => Math.floor(service.clock.now().getTime() / 1000);

  for (const typ of [
    'JWT',
    'jwt',
    'id_token',
    'id+jwt',
    'AT+JWT',
    'application/at+jwt',
    'dpop+jwt',
    'logout+jwt',
    'secevent+jwt',
    'at+JWT',
    '',
    undefined,
  ]) {
    it(`case 60: of type ${String(typ)} is none of access`, async () => {
      await assertRefused(await signClaims({}, { typ }));
    });
  }

  it('case 60: of another type is no token of POST /v1/auth/token either', async () => {
    const { token: direct } = await newTestPatient(service);
    const claims = decodeJwt(direct);
    const url = `/v1/patients/${claims.sub}/upload-documents`;
    for (const typ of ['id_token', 'jwt', 'application/jwt', 'dpop+jwt', 'at+jwt', '', undefined]) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid, ...(typ !== undefined && { typ }) })
        .sign(key);
      assert.equal((await call(service, url, { token })).status, 401, String(typ));
      assert.equal(await getToolStatus(service, token), 401, String(typ));
    }
    const same = await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid, typ: 'JWT' }).sign(key);
    assert.equal((await call(service, url, { token: same })).status, 200);
  });

  const WRONG: Record<string, () => Record<string, unknown>> = {
    'no audience': () => ({ aud: undefined }),
    'no end': () => ({ exp: undefined }),
    'no issuer': () => ({ iss: undefined }),
    'no subject': () => ({ sub: undefined }),
    'no time of issue': () => ({ iat: undefined }),
    'no grant': () => ({ gid: undefined }),
    'no client': () => ({ client_id: undefined }),
    'no id': () => ({ jti: undefined }),
    'no project': () => ({ projectId: undefined }),
    'two audiences, ours first': () => ({ aud: [`${service.baseUrl}/mcp`, 'https://evil.example'] }),
    'two audiences, ours last': () => ({ aud: ['https://evil.example', `${service.baseUrl}/mcp`] }),
    'one audience in a list': () => ({ aud: [`${service.baseUrl}/mcp`] }),
    'an empty audience': () => ({ aud: '' }),
    'the audience of a neighbour': () => ({ aud: `${service.baseUrl}/mcp/` }),
    'an audience that begins like ours': () => ({ aud: `${service.baseUrl}/mcp.evil.example` }),
    'an audience in capitals': () => ({ aud: `${service.baseUrl}/MCP` }),
    'another issuer': () => ({ iss: 'https://evil.example' }),
    'our issuer with a slash': () => ({ iss: `${service.baseUrl}/` }),
    'an issuer in a list': () => ({ iss: [service.baseUrl] }),
    'an end in milliseconds': () => ({ exp: (now() + 3600) * 1000 }),
    'a lifetime of two hours': () => ({ exp: now() + 7200 }),
    'an end that is text': () => ({ exp: String(now() + 3600) }),
    'an end that is null': () => ({ exp: null }),
    'an end of just now': () => ({ exp: now(), iat: now() - 3600 }),
    'an end long ago': () => ({ iat: 1, exp: 3601 }),
    'a beginning in the future': () => ({ nbf: now() + 60 }),
    'a beginning that is text': () => ({ nbf: 'soon' }),
    'a time of issue that is text': () => ({ iat: 'now' }),
    'a subject that is no patient': () => ({ sub: 'admin' }),
    'a subject that is a list': () => ({ sub: [flow.patient.id] }),
    'a grant that is not there': () => ({ gid: '00000000-0000-4000-8000-000000000000' }),
    'a grant of nobody’s shape': () => ({ gid: "x' or 1=1" }),
    'a patient other than the grant’s': () => ({ sub: '00000000-0000-4000-8000-000000000000' }),
  };
  for (const [what, claims] of Object.entries(WRONG)) {
    it(`case 60: with ${what} is not good`, async () => assertRefused(await signClaims(claims())));
  }

  it('case 60: whose payload is no object of claims is not good', async () => {
    for (const body of [
      encodePart(null),
      encodePart([payload]),
      encodePart('text'),
      encodePart(1),
      '',
      Buffer.from('{').toString('base64url'),
      Buffer.from([0xff]).toString('base64url'),
    ]) {
      await assertRefused(await signText({ alg: 'ES256', kid, typ: 'at+jwt' }, body));
    }
  });
});

describe('a token in another place than the Authorization header', () => {
  const json = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_health_summary', arguments: {} },
  };

  it('case 62: in the query, in a form, in the body or in another header is not looked at', async () => {
    for (const name of ['access_token', 'token', 'bearer', 'authorization']) {
      assert.equal((await call(service, `/mcp?${name}=${good}`, { json })).status, 401, name);
      const form = await call(service, '/mcp', {
        body: new URLSearchParams({ [name]: good }).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      assert.equal(form.status, 401, name);
      assert.equal((await call(service, '/mcp', { json: { ...json, [name]: good } })).status, 401, name);
    }
    for (const headers of [
      { cookie: `access_token=${good}` },
      { 'x-access-token': good },
      { 'proxy-authorization': `Bearer ${good}` },
      { 'x-authorization': `Bearer ${good}` },
      { authorization: good },
      { authorization: `Basic ${Buffer.from(`x:${good}`).toString('base64')}` },
      { authorization: `DPoP ${good}` },
      { authorization: `Bearer: ${good}` },
      { authorization: `Bearer\t${good}` },
      { authorization: `Bearer ${good}, Bearer x` },
      { authorization: `Bearer x ${good}` },
      { authorization: `Bearer "${good}"` },
      { authorization: `x, Bearer ${good}` },
      { authorization: 'Bearer ' },
    ] as Record<string, string>[]) {
      const answer = await call(service, '/mcp', { json, headers });
      assert.equal(answer.status, 401, JSON.stringify(headers).slice(0, 60));
    }
    assert.equal(
      (await call(service, '/mcp', { json, headers: { authorization: `bearer ${good}` } })).status,
      200,
      'the name of the scheme has no case',
    );
    assert.equal((await call(service, `/mcp?access_token=garbage`, { json, token: good })).status, 200);
  });
});

describe('keys and the tokens they signed', () => {
  let own: TestService;
  let client: Flow;
  before(async () => {
    own = await startTestService({ environment: UNLIMITED });
    client = await newFlow(own);
  });
  after(() => own.stop());

  const rotate = (): Promise<string> => rotateSigningKeys({ db: own.store.db, clock: own.clock });
  const kids = async (): Promise<string[]> =>
    ((await call(own, '/.well-known/jwks.json')).body as { keys: { kid: string }[] }).keys.map(
      (jwk) => jwk.kid,
    );

  it('case 61: a token lives an hour to the second, on every node, used before or not', async () => {
    const [used, unused] = [await obtainTokens(own, client), await obtainTokens(own, client)];
    assert.equal(await getToolStatus(own, used.access_token), 200);
    own.clock.advance(HOUR - 5_000);
    assert.equal(await getToolStatus(own, used.access_token), 200);
    own.clock.advance(5_000);
    assert.equal(await getToolStatus(own, used.access_token), 401);
    assert.equal(await getToolStatus(own, unused.access_token), 401);
  });

  it('case 61: a rotation leaves live tokens good for their hour, and new ones carry a key known before', async () => {
    client = await newFlow(own);
    const old = await obtainTokens(own, client);
    const oldKid = decodeProtectedHeader(old.access_token as string).kid as string;
    const announced = await kids();
    const current = await rotate();
    assert.ok(announced.includes(current), 'the next key was published before it signs');
    assert.ok((await kids()).includes(oldKid));
    own.clock.advance(61_000);
    const renewed = await refresh(own, client.client.client_id as string, old.refresh_token as string);
    assert.equal(decodeProtectedHeader(renewed.body.access_token as string).kid, current);
    assert.ok((await kids()).includes(oldKid));
    assert.equal(await getToolStatus(own, old.access_token), 200);
    assert.equal(await getToolStatus(own, renewed.body.access_token), 200);
    own.clock.advance(HOUR - 61_000);
    assert.equal(await getToolStatus(own, old.access_token), 401, 'its hour is over');
    assert.equal(await getToolStatus(own, renewed.body.access_token), 200);
  });

  it('case 61: a retired key’s tokens end with it, used before or not', async () => {
    client = await newFlow(own);
    const [used, unused] = [await obtainTokens(own, client), await obtainTokens(own, client)];
    const oldKid = decodeProtectedHeader(used.access_token as string).kid as string;
    assert.equal(await getToolStatus(own, used.access_token), 200);
    await rotate();
    await rotate();
    own.clock.advance(61_000);
    assert.ok(!(await kids()).includes(oldKid));
    assert.equal(await getToolStatus(own, used.access_token), 401);
    assert.equal(await getToolStatus(own, unused.access_token), 401);
    const next = await exchangeCode(own, client, await obtainCode(client));
    assert.equal(await getToolStatus(own, next.body.access_token), 200);
  });
});
