import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import {
  OAuthError,
  SdkHttpError,
  UnauthorizedError,
  type ClientOptions,
} from '@modelcontextprotocol/client';
import { decodeJwt } from 'jose';
import { callMcp, postForm, getRequestId, createSignedInBrowser } from '../harness/authorization.ts';
import { followAuthorization } from '../harness/follow-authorization.ts';
import { createMcpAgent, type AgentOptions } from '../harness/mcp-agent.ts';
import { createPageFetch } from '../harness/page-fetch.ts';
import {
  decide,
  newProject,
  newTestPatient,
  startTestService,
  type TestService,
} from '../harness/service.ts';
import { SPECIFIED_TOOLS } from '../mcp/specified-tools.ts';

const DOCUMENT_URL = 'https://agent.example/oauth/client.json';
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: 'Documented agent',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
};
/** URLs that the service requested. */
const fetched: string[] = [];

let service: TestService;
let url: string;
before(async () => {
  service = await startTestService({
    environment: {
      CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: '60',
      CHARTGATE_OAUTH_RATE_LIMIT: '1000',
    },
    outbound: {
      async request({ url }) {
        fetched.push(url);
        const body = Buffer.from(JSON.stringify(DOCUMENT));
        return { status: 200, headers: { 'content-type': 'application/json' }, body };
      },
    },
  });
  url = `${service.baseUrl}/mcp`;
});
after(() => service.stop());

const ERAS = {
  'of 2025': { mode: 'legacy' },
  'that negotiates': { mode: 'auto' },
  'pinned to 2026-07-28': { mode: { pin: '2026-07-28' } },
} as const satisfies Record<string, ClientOptions['versionNegotiation']>;

/** A patient who has given no consent yet, and signs in whenever a program opens the consent page. */
async function newPatient(decision: 'grant' | 'deny' = 'grant') {
  const patient = await newTestPatient(service, { consent: false });
  const open = async (authorizationUrl: URL): Promise<URL> =>
    followAuthorization(await createSignedInBrowser(service, patient), authorizationUrl, { decision });
  return { patient, open };
}

/** An agent on the device of a patient who consents. */
const newAgent = async (options: Partial<AgentOptions> = {}) =>
  createMcpAgent({ open: (await newPatient()).open, ...options });

/** Longer than an access token lives. */
const ABOVE_AN_HOUR = 3_601_000;

const summary = { name: 'get_health_summary', arguments: {} };

/** What the client logs on stderr when it falls back to defaults. */
function captureWarnings(t: TestContext): string[] {
  const warnings: string[] = [];
  t.mock.method(console, 'warn', (line: string) => void warnings.push(line));
  return warnings;
}

for (const [era, negotiation] of Object.entries(ERAS)) {
  describe(`the official client ${era}, from the URL alone`, () => {
    it("discovers how to connect, gets the patient's consent, and refreshes expired tokens until it is revoked", async (t) => {
      const warnings = captureWarnings(t);
      const agent = await newAgent();
      await using client = await agent.connect(url, negotiation);
      const requests = agent.takeRequests();
      assert.deepEqual(requests.slice(0, 5), [
        'POST /mcp 401',
        'GET /.well-known/oauth-protected-resource/mcp 200',
        'GET /.well-known/oauth-authorization-server 200',
        'POST /oauth/register 201',
        'POST /oauth/token 200',
      ]);
      assert.equal((await client.listTools()).tools.length, SPECIFIED_TOOLS.length);
      assert.notEqual((await client.callTool(summary)).isError, true);

      const { tokens: first } = agent.clientState;
      assert.equal(first?.scope, 'patient/*.read offline_access');
      service.clock.advance(ABOVE_AN_HOUR);
      agent.takeRequests();
      assert.notEqual((await client.callTool(summary)).isError, true);
      assert.deepEqual(agent.takeRequests(), ['POST /mcp 401', 'POST /oauth/token 200', 'POST /mcp 200']);
      const { tokens: second, discovery, client: registered } = agent.clientState;
      assert.notEqual(second?.refresh_token, first.refresh_token);
      assert.deepEqual(warnings, []);

      const metadata = discovery?.authorizationServerMetadata as { revocation_endpoint?: string } | undefined;
      const revoked = await postForm({ baseUrl: '' }, metadata?.revocation_endpoint ?? '', {
        token: second?.refresh_token,
        token_type_hint: 'refresh_token',
        client_id: registered?.client_id,
      });
      assert.equal(revoked.status, 200);
      await assert.rejects(client.callTool(summary), UnauthorizedError);
      // After invalid_grant it drops its tokens and asks the patient again, as the same client.
      assert.match(warnings.join('\n'), /invalid_grant.* invalidating the stored tokens/);
      assert.equal(agent.clientState.authorizationUrl?.searchParams.get('client_id'), registered?.client_id);
      assert.deepEqual(agent.takeRequests(), ['POST /mcp 401', 'POST /oauth/token 400']);
      await using again = await agent.connect(url, negotiation);
      assert.notEqual((await again.callTool(summary)).isError, true);
      assert.equal(agent.clientState.client?.client_id, registered?.client_id);
    });

    for (const slash of ['', '/'])
      it(`connects to the base address alone, ${slash === '' ? 'without' : 'with'} its slash`, async () => {
        const agent = await newAgent();
        await using client = await agent.connect(service.baseUrl + slash, negotiation);
        assert.notEqual((await client.callTool(summary)).isError, true);
        service.clock.advance(ABOVE_AN_HOUR);
        assert.notEqual((await client.callTool(summary)).isError, true);
        const requests = agent.takeRequests();
        assert.deepEqual(requests.slice(0, 5), [
          'POST / 401',
          'GET /.well-known/oauth-protected-resource 200',
          'GET /.well-known/oauth-authorization-server 200',
          'POST /oauth/register 201',
          'POST /oauth/token 200',
        ]);
        assert.ok(!requests.some((request) => request.includes('/mcp')), requests.join());
        assert.deepEqual(
          agent.faults.filter((fault) => !(fault instanceof UnauthorizedError)),
          [],
        );
        assert.equal(decodeJwt(agent.clientState.tokens?.access_token ?? '').aud, url);
      });

    it('receives access_denied when the patient refuses', async () => {
      const { open } = await newPatient('deny');
      const agent = createMcpAgent({ open });
      await assert.rejects(
        agent.connect(url, negotiation),
        (error: unknown) => error instanceof OAuthError && error.code === 'access_denied',
      );
      assert.equal(agent.clientState.tokens, undefined);
    });

    it("connects to another project's endpoint with tokens that are valid only there", async () => {
      const projectId = await newProject(service, `Study ${era}`);
      const path = `/projects/${projectId}/mcp`;
      const agent = await newAgent();
      await using client = await agent.connect(service.baseUrl + path, negotiation);
      assert.equal((await client.listTools()).tools.length, SPECIFIED_TOOLS.length);
      assert.notEqual((await client.callTool(summary)).isError, true);
      assert.deepEqual(agent.takeRequests().slice(0, 2), [
        `POST ${path} 401`,
        `GET /.well-known/oauth-protected-resource${path} 200`,
      ]);
      const token = agent.clientState.tokens?.access_token ?? '';
      const { aud, projectId: claimed } = decodeJwt(token);
      assert.deepEqual([aud, claimed], [service.baseUrl + path, projectId]);
      assert.equal((await callMcp(service, token, 'tools/list', path)).status, 200);
      assert.equal((await callMcp(service, token)).status, 401);
    });

    it('shows the reason and asks for no new authorization after the consent is withdrawn', async () => {
      const { patient, open } = await newPatient();
      const agent = createMcpAgent({ open });
      await using client = await agent.connect(url, negotiation);
      await client.callTool(summary);
      agent.takeRequests();
      await decide(service, patient, 'OPTED_OUT');
      await assert.rejects(
        client.callTool(summary),
        (error: unknown) =>
          error instanceof SdkHttpError &&
          error.status === 403 &&
          error.message.includes('Data Access is revoked!'),
      );
      assert.deepEqual(agent.takeRequests(), ['POST /mcp 403']);
    });

    it('identifies itself by the URL of its metadata document, which only the service fetches', async () => {
      const { patient } = await newPatient();
      let shownClient: unknown;
      const agent = createMcpAgent({
        clientMetadataUrl: DOCUMENT_URL,
        redirectUrl: 'http://127.0.0.1:49152/callback',
        async open(authorizationUrl) {
          const browser = await createSignedInBrowser(service, patient);
          const { pathname, search } = authorizationUrl;
          const requestId = getRequestId(await browser.get(pathname + search));
          shownClient = (await browser.get(`/oauth/interaction/${requestId}`)).body.client;
          return followAuthorization(browser, authorizationUrl);
        },
      });
      await using client = await agent.connect(url, negotiation);
      assert.notEqual((await client.callTool(summary)).isError, true);
      assert.equal(agent.clientState.client?.client_id, DOCUMENT_URL);
      assert.equal(decodeJwt(agent.clientState.tokens?.access_token ?? '')['client_id'], DOCUMENT_URL);
      assert.deepEqual(shownClient, {
        name: 'Documented agent',
        verifiedHost: 'agent.example',
        redirectHost: '127.0.0.1',
        onThisDevice: true,
        registeredAt: null,
        looksLike: null,
        about: null,
        knownBy: null,
        letIn: true,
      });
      assert.deepEqual(new Set(fetched), new Set([DOCUMENT_URL]));
      const elsewhere = agent.takeRequests().filter((request) => /register|client\.json/.test(request));
      assert.deepEqual(elsewhere, []);
    });

    it('connects under another loopback name than the configured one, and stays with it', async () => {
      const named = service.baseUrl.replace('127.0.0.1', 'localhost');
      const patient = await newTestPatient(service, { consent: false });
      const agent = createMcpAgent({
        open: async (authorizationUrl) =>
          followAuthorization(
            await createSignedInBrowser({ ...service, baseUrl: named }, patient),
            authorizationUrl,
          ),
      });
      await using client = await agent.connect(`${named}/mcp`, negotiation);
      assert.notEqual((await client.callTool(summary)).isError, true);
      service.clock.advance(ABOVE_AN_HOUR);
      assert.notEqual((await client.callTool(summary)).isError, true);
      const token = agent.clientState.tokens?.access_token ?? '';
      assert.equal(decodeJwt(token).aud, `${named}/mcp`);
      for (const baseUrl of [named, service.baseUrl])
        assert.equal((await callMcp({ baseUrl }, token)).status, 200, baseUrl);
      assert.equal(agent.clientState.authorizationUrl?.origin, named);
    });

    for (const origin of ['http://localhost:6274', 'https://elsewhere.example']) {
      it(`works in a page of ${origin}, under the rules of CORS`, async () => {
        const agent = await newAgent({
          fetch: createPageFetch(origin),
          redirectUrl: `${origin}/oauth/callback`,
        });
        await using client = await agent.connect(url, negotiation);
        assert.notEqual((await client.callTool(summary)).isError, true);
        service.clock.advance(ABOVE_AN_HOUR);
        assert.notEqual((await client.callTool(summary)).isError, true);
        assert.deepEqual(
          agent.faults.filter((fault) => !(fault instanceof UnauthorizedError)),
          [],
        );
      });
    }
  });
}

describe('the official client, as programs use it', () => {
  it('listens on any free port, although it registered none', async () => {
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const agent = await newAgent({
        redirectUrl: `http://${host}:${1024 + Math.floor(Math.random() * 64_000)}/callback`,
        metadata: { redirect_uris: [`http://${host}/callback`] },
      });
      await using client = await agent.connect(url);
      assert.equal((await client.listTools()).tools.length, SPECIFIED_TOOLS.length);
    }
  });

  it('gets a refresh token without requesting offline_access when it registered the grant type', async () => {
    // By default the client registers refresh_token, and then does not request the scope.
    const agent = await newAgent({ metadata: {} });
    await using client = await agent.connect(url);
    assert.equal(agent.clientState.authorizationUrl?.searchParams.get('scope'), 'patient/*.read');
    service.clock.advance(ABOVE_AN_HOUR);
    assert.notEqual((await client.callTool(summary)).isError, true);
  });

  it('refreshes once for each concurrent call, and keeps its grant within the retry interval', async () => {
    const agent = await newAgent();
    await using client = await agent.connect(url);
    service.clock.advance(ABOVE_AN_HOUR);
    agent.takeRequests();
    await Promise.all([client.callTool(summary), client.callTool(summary), client.callTool(summary)]);
    const refreshed = agent.takeRequests().filter((request) => request.includes('/oauth/token'));
    assert.deepEqual(refreshed, Array(3).fill('POST /oauth/token 200'));
    service.clock.advance(ABOVE_AN_HOUR);
    assert.notEqual((await client.callTool(summary)).isError, true);
  });

  it('receives an error that names the missing state parameter', async () => {
    const { open } = await newPatient();
    const agent = createMcpAgent({
      async open(authorizationUrl) {
        authorizationUrl.searchParams.delete('state');
        return open(authorizationUrl);
      },
    });
    await assert.rejects(
      agent.connect(url),
      (error: unknown) =>
        error instanceof OAuthError && error.code === 'invalid_request' && error.message.includes('state'),
    );
  });
});
