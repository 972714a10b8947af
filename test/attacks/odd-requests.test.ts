import assert from 'node:assert/strict';
import net from 'node:net';
import { after, before, describe, it } from 'node:test';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let token: string;
let log = '';
before(async () => {
  service = await startTestService({
    environment: { CHARTGATE_LOG_LEVEL: 'info' },
    logStream: { write: (line) => void (log += line) },
  });
  token = await getOrganizationToken(service);
});
after(() => service.stop());

/** As text: the test would overflow its own stack. */
const nest = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

describe('bodies that are nested deep', () => {
  it('are refused beyond 100 levels, and are no fault of ours (case 321)', async () => {
    const enroll = `/v1/projects/${service.organization.projectId}/patients`;
    const send = (url: string, body: string) =>
      call(service, url, { token, body, headers: { 'content-type': 'application/json' } });
    for (const [url, wrap] of [
      [enroll, (inner: string) => `{"patients":[${inner}]}`],
      ['/v1/auth/token', (inner: string) => `{"email":${inner}}`],
      ['/oauth/register', (inner: string) => `{"jwks":${inner}}`],
    ] as const) {
      const { status, body } = await send(url, wrap(nest(10_000)));
      assert.equal(status, 400, url);
      assert.match(JSON.stringify(body), /nested deeper than 100 levels/, url);
      assert.doesNotMatch(JSON.stringify((await send(url, wrap(nest(50)))).body), /nested deeper/, url);
    }
    const patient = await newTestPatient(service);
    const ping = (levels: number) =>
      call(service, '/mcp', {
        token: patient.token,
        body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${nest(levels)}}}`,
        headers: { 'content-type': 'application/json' },
      });
    const deep = await ping(10_000);
    assert.deepEqual([deep.status, deep.body.error.code], [400, -32600]);
    assert.match(deep.body.error.message, /nested deeper than 100 levels/);
    assert.equal((await ping(50)).status, 200);
    assert.ok(!log.includes('"level":50'), log);
  });
});

describe('texts that JSON can write and the database cannot hold', () => {
  it('are 400 wherever they stand, and are no fault of ours (case 338)', async () => {
    const url = `/v1/organizations/${service.organization.organizationId}/test-patients`;
    for (const [body, path] of [
      ['{"firstName":"\\ud800","lastName":"Doe"}', 'firstName'],
      ['{"firstName":"Jo","lastName":"a\\udc00\\ud800b"}', 'lastName'],
      ['{"firstName":"\\u0000","lastName":"Doe"}', 'firstName'],
    ] as const) {
      const answer = await call(service, url, {
        token,
        body,
        headers: { 'content-type': 'application/json' },
      });
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.path], [400, path], body);
    }
    assert.ok(!log.includes('"level":50'), log);
  });
});

describe('times of a year that the store does not have', () => {
  const organization = (): string => `/v1/organizations/${service.organization.organizationId}`;
  for (const [url, path] of [
    ['patients?invitedBefore=0000-01-01T00:00:00Z', 'invitedBefore'],
    ['audit-events?since=0001-01-01T00:00:00%2B14:00', 'since'],
    ['audit-events/export?since=0000-01-01T00:00:00Z', 'since'],
    ['webhook-events?until=9999-12-31T23:59:59-14:00', 'until'],
  ] as const)
    it(`are 400 in ${url} (case 339)`, async () => {
      const { status, body } = await call(service, `${organization()}/${url}`, { token });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, path], JSON.stringify(body));
    });

  it('are 400 in a day of birth (case 339)', async () => {
    const json = { dateOfBirth: '0000-01-01' };
    assert.equal((await call(service, `${organization()}/test-patients`, { token, json })).status, 400);
    assert.ok(!log.includes('"level":50'), log);
  });
});

/** Sends a request byte by byte as it is written, and returns all that is answered. */
async function sendRaw(text: string): Promise<string> {
  const socket = net.connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let answer = '';
  // What is still sent when the connection ends is lost.
  socket.on('error', () => {});
  socket.on('data', (bytes) => (answer += String(bytes)));
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

describe('bodies that are costly to read', () => {
  it('are refused where they come in a flood of tiny pieces (case 330)', async () => {
    const patient = await newTestPatient(service);
    const write = (url: string, headers: string, pieces: string): Promise<string> =>
      sendRaw(
        `POST ${url} HTTP/1.1\r\nhost: ${new URL(service.baseUrl).host}\r\nconnection: close\r\n${headers}transfer-encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`,
      );
    const json = 'content-type: application/json\r\n';
    const bearer = `authorization: Bearer ${patient.token}\r\n`;
    const form = `${bearer}content-type: multipart/form-data; boundary=x\r\n`;
    const part = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    const first = `${part.length.toString(16)}\r\n${part}\r\n`;
    const flood = '1\r\n \r\n'.repeat(100_000);
    for (const [url, headers, begin] of [
      ['/v1/auth/token', json, ''],
      ['/mcp', bearer + json, ''],
      [`/v1/patients/${patient.id}/upload-documents`, form, first],
    ] as const)
      // The answer is lost where the connection ends before it is read.
      assert.match(await write(url, headers, begin + flood), /^(HTTP\/1\.1 413 [^]*"body_too_large"|$)/, url);
    assert.equal(log.match(/"code":"body_too_large"/g)?.length, 3);
    assert.match(
      await write('/v1/auth/token', json, '1\r\n \r\n'.repeat(5000)),
      /^HTTP\/1\.1 400 [^]*body_required/,
    );
    assert.doesNotMatch(log, /"level":50/);
  });

  it('are answered with the first of their faults alone (case 331)', async () => {
    const json = { patients: Array.from({ length: 90_000 }, () => 1) };
    const { status, body } = await call(service, `/v1/projects/${service.organization.projectId}/patients`, {
      token,
      json,
    });
    assert.equal(status, 400);
    assert.ok(JSON.stringify(body).length < 30_000);
    const oauth = await call(service, '/oauth/register', {
      json: { redirect_uris: json.patients.slice(0, 30_000) },
    });
    assert.equal(oauth.status, 400);
    assert.ok(JSON.stringify(oauth.body).length < 30_000);
  });
});

describe('statistics of consents', () => {
  for (const [query, path] of [
    ['from=0001-01-01', 'from'],
    ['to=0001-01-01', 'to'],
    ['from=1900-01-01&to=9999-12-31&bucket=month', 'from'],
    ['from=2000-01-01&to=2030-01-01', 'from'],
  ] as const)
    it(`of ${query} are refused (case 322)`, async () => {
      const url = `/v1/organizations/${service.organization.organizationId}/consent-stats?${query}`;
      const { status, body } = await call(service, url, { token });
      assert.deepEqual([status, body.errors?.[0]?.path], [400, path], JSON.stringify(body));
    });
});
