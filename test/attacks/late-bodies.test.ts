import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../server/platform/db/sql.ts';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { createArchive } from '../harness/archive.ts';
import { newMember, signInAs } from '../harness/member.ts';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let organization: string;
let admin: string;
before(async () => {
  service = await startTestService();
  organization = `/v1/organizations/${service.organization.organizationId}`;
  admin = await getOrganizationToken(service);
});
after(() => service.stop());

const toCookie = (cookies: ReadonlyMap<string, string>): string =>
  Array.from(cookies, (pair) => pair.join('=')).join('; ');

interface LateBody {
  /** Sends what is missing, and returns the answer. */
  finish(): Promise<{ status: number; code: string | undefined }>;
}

/** Sends the headers and the first byte of a request whose caller is let in, and nothing more. */
async function beginLate(
  url: string,
  { headers, body }: { headers: Record<string, string>; body: Buffer | string },
): Promise<LateBody> {
  const bytes = Buffer.from(body);
  const request = http.request(service.baseUrl + url, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', ...headers, 'content-length': String(bytes.length) },
  });
  const received = once(service.app.server, 'request');
  request.write(bytes.subarray(0, 1));
  await received;
  // Statements of this node that come after those which let the caller in.
  assert.equal((await call(service, `${organization}/projects`, { token: admin })).status, 200);
  return {
    async finish() {
      const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
      request.end(bytes.subarray(1));
      const [response] = await answered;
      const text = Buffer.concat(await response.toArray()).toString();
      const { code } = (text === '' ? {} : JSON.parse(text)) as { code?: string };
      return { status: response.statusCode ?? 0, code };
    },
  };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

const countRows = async (table: 'api_key' | 'project' | 'upload_batch'): Promise<number> => {
  const statements = {
    api_key: sql<{ total: number }>`select count(*)::int as total from api_key`,
    project: sql<{ total: number }>`select count(*)::int as total from project`,
    upload_batch: sql<{ total: number }>`select count(*)::int as total from upload_batch`,
  };
  return (await service.store.db.query(statements[table]))[0]?.total ?? 0;
};

describe('case 325: a body that arrives when its caller is let in no more', () => {
  it('makes no API key for an admin who was removed meanwhile', async () => {
    const [owner, removed] = [await newMember(service, 'owner'), await newMember(service, 'admin')];
    const [browser, ownersBrowser] = [await signInAs(service, removed), await signInAs(service, owner)];
    const headers = {
      cookie: toCookie(browser.cookies),
      'x-csrf-token': await browser.csrfToken(),
      origin: new URL(service.baseUrl).origin,
    };
    const body = JSON.stringify({ name: 'Left behind', role: 'admin' });
    const keys = await countRows('api_key');
    const late = await beginLate(`${organization}/api-keys`, { headers, body });
    assert.equal(
      (await ownersBrowser.send('DELETE', `${organization}/members/${removed.memberId}`)).status,
      204,
    );
    assert.deepEqual(await late.finish(), { status: 401, code: 'not_signed_in' });
    assert.equal(await countRows('api_key'), keys);
  });

  it('makes no project for a key that was revoked meanwhile', async () => {
    const made = await call(service, `${organization}/api-keys`, {
      token: admin,
      json: { name: 'Leaked', role: 'admin' },
    });
    const { id, apiKey, apiSecret } = made.body as { id: string; apiKey: string; apiSecret: string };
    const login = await call(service, '/v1/auth/token', { json: { apiKey, apiSecret } });
    const projects = await countRows('project');
    const late = await beginLate(`${organization}/projects`, {
      headers: bearer(login.body.token as string),
      body: JSON.stringify({ name: 'Left behind' }),
    });
    const revoked = await call(service, `${organization}/api-keys/${id}`, { method: 'DELETE', token: admin });
    assert.equal(revoked.status, 204);
    assert.deepEqual(await late.finish(), { status: 401, code: 'unauthorized' });
    assert.equal(await countRows('project'), projects);
  });

  it('changes nothing for a person who signed out meanwhile', async () => {
    const browser = await createSignedInBrowser(service, await newTestPatient(service));
    const headers = {
      cookie: toCookie(browser.cookies),
      'x-csrf-token': await browser.csrfToken(),
      origin: new URL(service.baseUrl).origin,
    };
    const late = await beginLate('/account/notices', { headers, body: JSON.stringify({}) });
    assert.equal((await browser.post('/account/sign-out')).status, 204);
    assert.deepEqual(await late.finish(), { status: 401, code: 'not_signed_in' });
  });

  it('adds no upload for a token of a password that was renewed meanwhile', async () => {
    const patient = await newTestPatient(service);
    const archive = await createArchive({ 'a.json': JSON.stringify({ resourceType: 'Patient', id: 'p' }) });
    const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.zip"\r\n\r\n';
    const late = await beginLate(`/v1/patients/${patient.id}/upload-documents`, {
      headers: { ...bearer(patient.token), 'content-type': 'multipart/form-data; boundary=x' },
      body: Buffer.concat([Buffer.from(head), archive, Buffer.from('\r\n--x--\r\n')]),
    });
    const path = `${organization}/test-patients/${patient.id}/password`;
    assert.equal((await call(service, path, { method: 'POST', token: admin })).status, 200);
    assert.deepEqual(await late.finish(), { status: 401, code: 'unauthorized' });
    assert.equal(await countRows('upload_batch'), 0);
  });
});
