import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { call, getOrganizationToken, startTestService, type TestService } from '../harness/service.ts';

let service: TestService;
let token: string;
let log = '';
before(async () => {
  service = await startTestService({ logStream: { write: (line) => void (log += line) } });
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
    assert.ok(!log.includes('"level":50'), log);
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
