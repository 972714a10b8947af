import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import {
  allowInsecureRequests,
  processResourceDiscoveryResponse,
  resourceDiscoveryRequest,
} from 'oauth4webapi';
import {
  callMcp,
  getRedirectParameters,
  buildAuthorizePath,
  newFlow,
  encodeQuery,
  REDIRECT_URI,
  getRequestId,
  obtainTokens,
  refresh,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  newProject,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { UNLIMITED } from './attack.ts';

const NOBODYS_PROJECT = '00000000-0000-4000-8000-000000000000';

/** What `resource` must not be (RFC 8707 §2): the base address goes before what begins with a slash. */
const REFUSED: Readonly<Record<string, string>> = {
  'another origin': 'https://evil.example/mcp',
  'our host under another scheme': 'ftp://127.0.0.1/mcp',
  'our address with another port': 'http://127.0.0.1:1/mcp',
  'our address as user information': 'http://127.0.0.1@evil.example/mcp',
  'our address with user information': '{user}/mcp',
  'our address as a subdomain': 'http://127.0.0.1.evil.example/mcp',
  'an endpoint that is no resource': '/v1/auth/token',
  'a path below': '/mcp/more',
  'a path beside': '/mcpx',
  'another case of the path': '/MCP',
  'a path that climbs': '/mcp/../v1',
  'a fragment': '/mcp#fragment',
  'an empty fragment': '/mcp#',
  'a query': '/mcp?more=1',
  'a project that nobody has': `/projects/${NOBODYS_PROJECT}/mcp`,
  'a project that is no id': '/projects/all/mcp',
  'two slashes at its end': '/mcp//',
  'no address at all': 'mcp',
  'a urn': 'urn:chartgate:mcp',
};

describe('the resource of an authorization request', () => {
  let service: TestService;
  let flow: Flow;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
    flow = await newFlow(service);
  });
  after(() => service.stop());

  const begun = (more: string): Promise<HttpResponse> => {
    const attempt = { clientId: flow.client.client_id as string, challenge: flow.pkce.challenge };
    return flow.browser.get(`${buildAuthorizePath(attempt)}&${more}`);
  };
  const named = (text: string): string => {
    if (text.startsWith('/')) return service.baseUrl + text;
    return text.replace('{user}', service.baseUrl.replace('http://', 'http://somebody@'));
  };
  const isInvalidTarget = (answer: HttpResponse): void => {
    assert.equal(answer.status, 303);
    assert.ok(answer.headers.get('location')?.startsWith(`${REDIRECT_URI}?`));
    const { error, state, iss, code } = getRedirectParameters(answer);
    assert.deepEqual([error, state, iss, code], ['invalid_target', 'the state', service.baseUrl, undefined]);
  };

  for (const [name, text] of Object.entries(REFUSED)) {
    it(`case 56: is not ${name}`, async () => {
      isInvalidTarget(await begun(encodeQuery({ resource: named(text) })));
    });
  }

  it('case 56: is one, not two, be they equal, both ours, or one of them another’s', async () => {
    const mcp = `${service.baseUrl}/mcp`;
    const other = `${service.baseUrl}/projects/${await newProject(service)}/mcp`;
    for (const second of [mcp, other, 'https://evil.example/mcp']) {
      for (const [one, two] of [
        [mcp, second],
        [second, mcp],
      ]) {
        isInvalidTarget(await begun(`${encodeQuery({ resource: one })}&${encodeQuery({ resource: two })}`));
      }
    }
  });

  it('case 394: is the MCP endpoint where it is the base address, whose audience tokens of another kind have', async () => {
    const other = `/projects/${await newProject(service)}/mcp`;
    const named = service.baseUrl.replace('127.0.0.1', 'localhost');
    for (const [resource, audience] of [
      [service.baseUrl, service.baseUrl],
      [`${service.baseUrl}/`, service.baseUrl],
      [named, named],
    ] as const) {
      const { access_token: token } = (await obtainTokens(service, flow, { resource })) as {
        access_token: string;
      };
      assert.equal(decodeJwt(token).aud, `${audience}/mcp`);
      for (const path of ['/', '/mcp'])
        assert.equal((await callMcp(service, token, 'tools/call', path)).status, 200, path);
      assert.equal((await callMcp(service, token, 'tools/call', other)).status, 401);
      for (const path of [`/v1/patients/${flow.patient.id}/consents`, `/FHIR/R4/Person/${flow.patient.id}`])
        assert.equal((await call(service, path, { token })).status, 401, path);
    }
  });

  it('case 395: is the address that was called in the metadata that a challenge names: `/mcp`, the base address, a project’s, in each spelling that serves', async () => {
    const { projectId } = service.organization;
    const [project, inUpperCase] = [projectId, projectId.toUpperCase()].map(
      (id) => `/projects/${id}/mcp`,
    ) as [string, string];
    for (const baseUrl of [service.baseUrl, service.baseUrl.replace('127.0.0.1', 'localhost')])
      for (const [path, resource] of [
        ['/', baseUrl],
        ['/?a=1', baseUrl],
        ['', baseUrl],
        ['/mcp', `${baseUrl}/mcp`],
        ['/mcp/', `${baseUrl}/mcp/`],
        ['/mcp/?a=1', `${baseUrl}/mcp/`],
        [project, baseUrl + project],
        [`${project}/`, `${baseUrl}${project}/`],
        [inUpperCase, baseUrl + inUpperCase],
        [`${inUpperCase}/`, `${baseUrl}${inUpperCase}/`],
      ] as const) {
        const challenged = await fetch(baseUrl + path, { method: 'POST' });
        assert.deepEqual([challenged.status, await challenged.json()], [401, { error: 'unauthorized' }]);
        const [, url = ''] =
          /resource_metadata="([^"]+)", scope="patient\/\*\.read"$/.exec(
            challenged.headers.get('www-authenticate') ?? '',
          ) ?? [];
        assert.equal(url, `${baseUrl}/.well-known/oauth-protected-resource${resource.slice(baseUrl.length)}`);
        const metadata = (await (await fetch(url)).json()) as object;
        assert.partialDeepStrictEqual(metadata, { resource, authorization_servers: [baseUrl] });
      }
  });

  it('case 396: comes with one issuer in metadata and tokens, under each of our names, and its tokens serve under all', async () => {
    const names = ['127.0.0.1', 'localhost'].map((name) => service.baseUrl.replace('127.0.0.1', name));
    for (const baseUrl of names) {
      const named = { ...service, baseUrl };
      const { body: metadata } = await call(named, '/.well-known/oauth-authorization-server');
      assert.equal(metadata.issuer, baseUrl);
      const flow = await newFlow(named);
      const body = await obtainTokens(named, flow);
      const { client_id: clientId } = flow.client;
      const refreshed = await refresh(named, clientId as string, body.refresh_token as string);
      const { email, password, projectId } = flow.patient;
      const direct = await call(named, '/v1/auth/token', { json: { email, password, projectId } });
      assert.equal(decodeJwt(direct.body.token as string).aud, baseUrl);
      for (const token of [body.access_token, refreshed.body.access_token, direct.body.token] as string[]) {
        assert.equal(decodeJwt(token).iss, baseUrl);
        for (const other of names)
          assert.equal((await callMcp({ baseUrl: other }, token, 'tools/list')).status, 200);
      }
      for (const other of names) {
        const url = `/v1/patients/${flow.patient.id}/consents`;
        const { status } = await call({ baseUrl: other }, url, { token: direct.body.token as string });
        assert.equal(status, 200);
      }
    }
  });

  it('case 56: is, spelled as its metadata are, one that SDKs take, and ours in the token', async () => {
    const { projectId } = service.organization;
    const project = `${service.baseUrl}/projects/${projectId}/mcp`;
    const inUpperCase = project.replace(projectId, projectId.toUpperCase());
    for (const [called, audience] of [
      [`${service.baseUrl}/mcp/`, `${service.baseUrl}/mcp`],
      [`${project}/`, project],
      [inUpperCase, project],
      [`${inUpperCase}/`, project],
    ] as const) {
      const url = new URL(called);
      const options = { [allowInsecureRequests]: true };
      const answer = await resourceDiscoveryRequest(url, options);
      const { resource } = await processResourceDiscoveryResponse(url, answer);
      const { access_token: token } = await obtainTokens(service, flow, { resource });
      assert.equal(decodeJwt(token as string).aud, audience);
      assert.equal((await callMcp(service, token as string, 'tools/list', url.pathname)).status, 200);
      const elsewhere = `/projects/${await newProject(service)}/mcp`;
      assert.equal((await callMcp(service, token as string, 'tools/list', elsewhere)).status, 401);
    }
  });

  it('case 56: may differ from ours in a last slash and in the case of scheme and host, and is ours in the token', async () => {
    const mcp = `${service.baseUrl}/mcp`;
    for (const resource of [mcp, `${mcp}/`, mcp.replace('http:', 'HTTP:')]) {
      assert.equal(getRequestId(await begun(encodeQuery({ resource }))).length, 32, resource);
      const { access_token: token } = await obtainTokens(service, flow, { resource });
      assert.equal(decodeJwt(token as string).aud, mcp);
    }
  });
});
