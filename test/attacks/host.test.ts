import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { buildAuthorizePath, newFlow, type Flow } from '../harness/authorization.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { sendBytes, sendRaw, UNLIMITED } from './attack.ts';

const METADATA = [
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
];

const FORWARDED: Record<string, string> = {
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'https',
  'x-forwarded-port': '443',
  'x-forwarded-server': 'evil.example',
  'x-forwarded-prefix': '/evil',
  'x-forwarded-for': '203.0.114.7',
  'x-original-host': 'evil.example',
  'x-original-url': '/evil',
  'x-rewrite-url': '/evil',
  'x-host': 'evil.example',
  forwarded: 'for=203.0.114.7;host=evil.example;proto=https',
};

const FOREIGN_HOSTS = [
  'evil.example',
  'evil.example:80',
  '127.0.0.1.evil.example',
  '127.0.0.1:80@evil.example',
  'evil.example#127.0.0.1',
  'evil.example/127.0.0.1',
  'localhost.evil.example',
  '127.0.0.1.',
  '127.1',
  '0x7f000001',
  '0.0.0.0',
  '[::]',
  '[::ffff:127.0.0.1]',
  '127.0.0.1:',
  '127.0.0.1:abc',
  'evil.example, 127.0.0.1',
  '127.0.0.1, evil.example',
];

for (const proxy of ['nobody', 'the sender']) {
  describe(`hosts that are not ours, with ${proxy} trusted as a proxy`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      const trusted = proxy === 'nobody' ? {} : { CHARTGATE_TRUSTED_PROXIES: '127.0.0.1' };
      service = await startTestService({ environment: { ...UNLIMITED, ...trusted } });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    const authorize = (): string =>
      buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge });

    for (const host of FOREIGN_HOSTS) {
      it(`case 36: Host ${JSON.stringify(host)} is answered nothing`, async () => {
        for (const path of [...METADATA, '/.well-known/jwks.json', authorize()]) {
          const { status, headers, text } = await sendRaw(service, path, { headers: { host } });
          assert.ok(status === 403 || status === 400, `${path}: ${status}`);
          assert.equal(headers.location, undefined);
          assert.ok(!text.includes(host));
        }
        for (const path of ['/mcp', '/oauth/token', '/oauth/register', '/oauth/revoke']) {
          const { status } = await sendRaw(service, path, { method: 'POST', headers: { host } });
          assert.ok(status === 403 || status === 400, `${path}: ${status}`);
        }
      });
    }

    it('case 36: a request without Host, with two, or for another host in its first line is answered nothing', async () => {
      const { host } = new URL(service.baseUrl);
      const path = METADATA[0] as string;
      for (const bytes of [
        `GET ${path} HTTP/1.0\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nconnection: close\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n`,
        `GET ${path} HTTP/1.1\r\nhost: evil.example\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
        `GET http://evil.example${path} HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n`,
      ]) {
        const text = await sendBytes(service, bytes);
        assert.match(text, /^HTTP\/1\.1 40[03] /, bytes);
      }
      for (const bytes of [
        `GET http://evil.example${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
      ]) {
        assert.ok(!(await sendBytes(service, bytes)).includes('evil.example'), bytes);
      }
    });

    it('case 171: two headers of which a request has one are refused on every path, probes included', async () => {
      const { host } = new URL(service.baseUrl);
      const twice = (line: string): string => `${line}\r\n${line}\r\n`;
      for (const path of [METADATA[0] as string, '/healthz', '/nowhere', '/FHIR/R4/metadata'])
        for (const headers of [
          `host: ${host}\r\nhost: evil.example\r\n`,
          `HOST: evil.example\r\nhost: ${host}\r\n`,
          twice(`host: ${host}`),
          `host: ${host}\r\n${twice('authorization: Bearer x')}`,
          `host: ${host}\r\n${twice(`origin: ${service.baseUrl}`)}`,
        ]) {
          const text = await sendBytes(
            service,
            `GET ${path} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`,
          );
          assert.match(text, /^HTTP\/1\.1 400 /, `${path} ${headers}`);
        }
    });

    it('case 340: a target in absolute form names the host that the Host header names', async () => {
      const { host } = new URL(service.baseUrl);
      const getStatus = async (target: string): Promise<string> =>
        (
          await sendBytes(
            service,
            `GET ${target}${METADATA[0]} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`,
          )
        ).slice(0, 12);
      assert.equal(await getStatus(`http://${host}`), 'HTTP/1.1 200');
      for (const other of ['evil.example', `a@${host}`, `evil.example:80`])
        assert.equal(await getStatus(`http://${other}`), 'HTTP/1.1 403', other);
    });

    it('case 171: what is not HTTP at all is refused as problem details', async () => {
      const text = await sendBytes(service, 'GET / HTTP/9.9\r\n\r\n');
      assert.match(text, /^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json\r\n/);
    });

    it('case 370: what Node would refuse without a word is refused in the dialect of the path', async () => {
      const { host } = new URL(service.baseUrl);
      for (const [path, type] of [
        ['/v1/patients/consents', 'application/problem+json'],
        ['/FHIR/R4/metadata', 'application/fhir+json'],
        ['/oauth/token', 'application/json'],
        ['/healthz', 'application/problem+json'],
      ] as const)
        for (const [headers, status] of [
          ['', '400'],
          [`host: ${host}\r\nexpect: 200-ok\r\n`, '417'],
        ] as const) {
          const method = path === '/oauth/token' ? 'POST' : 'GET';
          const text = await sendBytes(
            service,
            `${method} ${path} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`,
          );
          const refused = path === '/oauth/token' ? /^HTTP\/1\.1 4/ : new RegExp(`^HTTP/1\\.1 ${status} `);
          assert.match(text, refused, `${path} ${headers}`);
          assert.match(text, new RegExp(`\r\ncontent-type: ${type.replace('+', '\\+')}`), text);
          assert.match(text, /\r\nx-content-type-options: nosniff\r\n/);
        }
    });

    for (const [name, value] of [...Object.entries(FORWARDED), ['all of them', '']] as const) {
      it(`case 36: ${name} changes neither issuer, metadata, redirects nor challenges`, async () => {
        const headers = name === 'all of them' ? FORWARDED : { [name]: value };
        for (const path of [...METADATA, '/.well-known/openid-configuration']) {
          const plain = await sendRaw(service, path);
          assert.deepEqual((await sendRaw(service, path, { headers })).text, plain.text, path);
        }
        const { issuer } = JSON.parse((await sendRaw(service, METADATA[0] as string, { headers })).text) as {
          issuer: string;
        };
        assert.equal(issuer, service.baseUrl);
        const begun = await sendRaw(service, authorize(), { headers });
        assert.ok(begun.headers.location?.startsWith(`${service.baseUrl}/consent/#/`), begun.text);
        const back = await sendRaw(service, `${authorize()}&response_mode=fragment`, { headers });
        assert.equal(new URL(back.headers.location ?? '').searchParams.get('iss'), service.baseUrl);
        const refused = await sendRaw(service, '/mcp', { method: 'POST', headers });
        assert.equal(refused.status, 401);
        assert.equal(
          refused.headers['www-authenticate'],
          `Bearer resource_metadata="${service.baseUrl}/.well-known/oauth-protected-resource/mcp", scope="patient/*.read"`,
        );
        for (const answer of [begun, back, refused]) {
          assert.ok(!JSON.stringify([answer.headers, answer.text]).includes('evil'));
        }
      });
    }

    it('case 36: another of our own names is answered, with the one issuer', async () => {
      for (const host of ['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:3000']) {
        const { status, text } = await sendRaw(service, METADATA[0] as string, { headers: { host } });
        assert.equal(status, 200, host);
        assert.equal((JSON.parse(text) as { issuer: string }).issuer, service.baseUrl);
      }
    });
  });
}
