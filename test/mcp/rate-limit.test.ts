import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  call,
  newTestPatient,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

let service: TestService;
before(
  async () => void (service = await startTestService({ environment: { CHARTGATE_MCP_RATE_LIMIT: '5' } })),
);
after(() => service.stop());

const ping = (token: string): Promise<HttpResponse> =>
  call(service, '/mcp', { token, json: { jsonrpc: '2.0', id: 1, method: 'ping' } });

describe('requests to the MCP endpoint', () => {
  it('beyond the limit are answered 429 with Retry-After, for that patient only', async () => {
    const [busy, other] = [await newTestPatient(service), await newTestPatient(service)];
    const answers = await Promise.all(Array.from({ length: 6 }, () => ping(busy.token)));
    assert.deepEqual(
      answers.map(({ status }) => status).sort((one, other) => one - other),
      [200, 200, 200, 200, 200, 429],
    );
    const refused = await ping(busy.token);
    assert.deepEqual([refused.status, refused.body], [429, { error: 'rate_limited' }]);
    const seconds = Number(refused.headers.get('retry-after'));
    assert.ok(seconds >= 1 && seconds <= 60);
    assert.equal((await ping(other.token)).status, 200);
  });
});
