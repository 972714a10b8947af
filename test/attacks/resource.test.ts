import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decodeJwt } from 'jose';
import {
  getRedirectParameters,
  buildAuthorizePath,
  newFlow,
  encodeQuery,
  REDIRECT_URI,
  getRequestId,
  obtainTokens,
  type Flow,
} from '../harness/authorization.ts';
import { newProject, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
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
  'the base address, whose audience other tokens have': '',
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
    if (text === '' || text.startsWith('/')) return service.baseUrl + text;
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

  it('case 56: may differ from ours in a last slash and in the case of scheme and host, and is ours in the token', async () => {
    const mcp = `${service.baseUrl}/mcp`;
    for (const resource of [mcp, `${mcp}/`, mcp.replace('http:', 'HTTP:')]) {
      assert.equal(getRequestId(await begun(encodeQuery({ resource }))).length, 32, resource);
      const { access_token: token } = await obtainTokens(service, flow, { resource });
      assert.equal(decodeJwt(token as string).aud, mcp);
    }
  });
});
