import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import {
  call,
  getOrganizationToken,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestPatient,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
let patient: TestPatient;
let admin: string;
before(async () => {
  service = await startTestService();
  patient = await newTestPatient(service);
  admin = await getOrganizationToken(service);
});
after(() => service.stop());

const send = (url: string, coding: string, more: { token?: string; type?: string; text?: string } = {}) => {
  const { token, type = 'application/json', text = '{}' } = more;
  const isPlain = ['identity', 'Identity', ''].includes(coding);
  const body = isPlain ? text : gzipSync(text);
  return call(service, url, {
    method: 'POST',
    body,
    headers: { 'content-type': type, 'content-encoding': coding },
    ...(token !== undefined && { token }),
  });
};

describe('a body under a content coding', () => {
  it('is refused with 415 and what is taken, in the dialect of each endpoint', async () => {
    const testPatients = `/v1/organizations/${service.organization.organizationId}/test-patients`;
    const form = { type: 'application/x-www-form-urlencoded', text: 'grant_type=refresh_token' };
    for (const [url, more, read] of [
      [testPatients, { token: admin }, (body) => body.code],
      [
        `/v1/patients/${patient.id}/upload-documents`,
        { token: patient.token, type: 'multipart/form-data; boundary=b' },
        (body) => body.code,
      ],
      ['/v1/auth/token', {}, (body) => body.code],
      [
        `/FHIR/R4/Person/${patient.id}/$everything`,
        { token: admin, type: 'application/fhir+json' },
        (body) => body.issue[0].code,
      ],
      ['/oauth/token', form, (body) => body.error],
      ['/oauth/revoke', form, (body) => body.error],
      ['/oauth/register', {}, (body) => body.error],
      ['/mcp', { token: patient.token }, (body) => body.error.code],
    ] as [string, Parameters<typeof send>[2], (body: HttpResponse['body']) => unknown][])
      for (const coding of ['gzip', 'br, identity']) {
        const { status, headers, body } = await send(url, coding, more);
        assert.deepEqual([status, headers.get('accept-encoding')], [415, 'identity'], url);
        assert.match(JSON.stringify(body), /without Content-Encoding/, url);
        assert.ok(
          [
            'unsupported_content_coding',
            'not-supported',
            'invalid_request',
            'invalid_client_metadata',
            -32600,
          ].includes(read(body) as string),
          `${url} ${JSON.stringify(body)}`,
        );
      }
  });

  it('is refused after the caller was let in', async () => {
    const testPatients = `/v1/organizations/${service.organization.organizationId}/test-patients`;
    assert.equal((await send(testPatients, 'gzip')).status, 401);
  });

  it('is taken where the coding is none', async () => {
    const testPatients = `/v1/organizations/${service.organization.organizationId}/test-patients`;
    for (const coding of ['identity', 'Identity', ''])
      assert.equal((await send(testPatients, coding, { token: admin })).status, 201, coding);
    const { status } = await call(service, testPatients, {
      token: admin,
      headers: { 'content-encoding': 'gzip' },
    });
    assert.equal(status, 200, 'where there is no body');
  });
});
