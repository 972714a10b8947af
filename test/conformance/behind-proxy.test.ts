import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import { createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization } from '../harness/follow-authorization.ts';
import { createMcpAgent } from '../harness/mcp-agent.ts';
import { call, newTestPatient, startTestService, type TestService } from '../harness/service.ts';
import { startTlsProxy, type TlsProxy } from '../harness/tls-proxy.ts';
import { SPECIFIED_TOOLS } from '../mcp/specified-tools.ts';

const PUBLIC_URL = 'https://records.agent.example';

let service: TestService;
let proxy: TlsProxy;
before(async () => {
  service = await startTestService({
    environment: { CHARTGATE_BASE_URL: PUBLIC_URL, CHARTGATE_TRUSTED_PROXIES: '127.0.0.1' },
  });
  proxy = await startTlsProxy(PUBLIC_URL, service.config.http.port);
});
after(async () => {
  await proxy.stop();
  await service.stop();
});

describe('behind a TLS proxy with a public name', () => {
  it('the official client connects from the public URL alone, reads, and refreshes', async (t) => {
    t.mock.method(globalThis, 'fetch', proxy.fetch);
    const patient = await newTestPatient(service, { consent: false });
    const browser = await createSignedInBrowser(service, patient);
    const agent = createMcpAgent({ open: (url) => followAuthorization(browser, url), fetch: proxy.fetch });
    await using client = await agent.connect(`${PUBLIC_URL}/mcp`);
    assert.equal((await client.listTools()).tools.length, SPECIFIED_TOOLS.length);
    const summary = { name: 'get_health_summary', arguments: {} };
    assert.notEqual((await client.callTool(summary)).isError, true);
    service.clock.advance(3_601_000);
    assert.notEqual((await client.callTool(summary)).isError, true);

    const { authorizationUrl, tokens } = agent.clientState;
    const { iss, aud } = decodeJwt(tokens?.access_token ?? '');
    assert.deepEqual([authorizationUrl?.origin, iss, aud], [PUBLIC_URL, PUBLIC_URL, `${PUBLIC_URL}/mcp`]);
    assert.ok(browser.cookies.size > 0);
    for (const name of browser.cookies.keys()) assert.match(name, /^__Host-/);
  });

  it('every document of discovery names the public URL and nothing of the inside', async (t) => {
    t.mock.method(globalThis, 'fetch', proxy.fetch);
    const inside = new RegExp(`127\\.0\\.0\\.1|localhost|:${service.config.http.port}\\b|http://127`);
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/openapi.json',
      '/FHIR/R4/metadata',
    ]) {
      const { status, body } = await call(service, path);
      assert.equal(status, 200, path);
      const { paths: _, ...described } = body as Record<string, unknown>;
      assert.doesNotMatch(JSON.stringify(described), inside, path);
    }
    const challenged = await call(service, '/mcp', { json: {} });
    assert.match(
      challenged.headers.get('www-authenticate') ?? '',
      /resource_metadata="https:\/\/records\.agent\.example\//,
    );
  });

  it('a request by another name than the public one is refused', async () => {
    const { status } = await call({ baseUrl: `http://127.0.0.1:${service.config.http.port}` }, '/mcp', {
      json: {},
      headers: { 'x-forwarded-host': 'records.agent.example' },
    });
    assert.equal(status, 403);
  });
});
