import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { callApi } from '../../server/surfaces/doctor/service-client.ts';
import { formatFinding } from './format-finding.ts';

async function listen(handle: http.RequestListener): Promise<{ url: string; server: http.Server }> {
  const server = http.createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('case 332: something hostile under the base URL that the command line calls', () => {
  it('cannot make the terminal obey what a finding quotes of it', () => {
    const detail = `The service calls itself \u001b]0;owned\u0007\u001b[2J\nok    ready \u202e${'x'.repeat(5000)}`;
    const [line = '', remedy] = formatFinding({
      check: 'issuer',
      outcome: 'failed',
      detail,
      remedy: 'Look at it.',
    });
    assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
    assert.match(line, /^FAIL {2}issuer {9}The service calls itself \\u001b\]0;owned/);
    assert.ok(line.length < 1100);
    assert.equal(remedy?.trim(), 'Look at it.');
  });

  it('gets no secret sent on to another host', async () => {
    let received = 0;
    const other = await listen((_request, response) => {
      received++;
      response.end('{}');
    });
    const first = await listen((_request, response) =>
      response.writeHead(307, { location: `${other.url}/v1/auth/token` }).end(),
    );
    try {
      const body = { apiKey: 'k', apiSecret: 's' };
      await assert.rejects(callApi(first.url, '/v1/auth/token', { body }), /\/v1\/auth\/token: 307/);
      assert.equal(received, 0);
    } finally {
      for (const { server } of [first, other]) server.close().closeAllConnections();
    }
  });
});
