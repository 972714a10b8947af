import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { exchangeCode, newFlow, obtainCode, obtainTokens, type Flow } from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';

const DOCUMENT = 'https://documented.example/client.json';
const REDIRECT = 'https://documented.example/callback';

/** What the document says now. */
let documentName = 'Documented agent';

let service: TestService;
let path: string;
let token: string;
before(async () => {
  service = await startTestService({
    outbound: {
      request: async ({ url }) => ({
        status: 200,
        headers: { 'content-type': 'application/json', 'cache-control': 'max-age=30' },
        body: Buffer.from(
          JSON.stringify({ client_id: url, client_name: documentName, redirect_uris: [REDIRECT] }),
        ),
      }),
    },
  });
  path = `/v1/organizations/${service.organization.organizationId}`;
  token = await getOrganizationToken(service);
});
after(() => service.stop());

const getClient = (clientId: string): Promise<HttpResponse> =>
  call(service, `${path}/clients/${encodeURIComponent(clientId)}`, { token });

const getId = ({ client }: Flow): string => client.client_id as string;

/** Connects the client of a flow, with the redirect that it now asks for. */
const connect = async (flow: Flow, redirectUri: string): Promise<void> => {
  const code = await obtainCode(flow, { redirect_uri: redirectUri });
  assert.equal((await exchangeCode(service, flow, code, { redirect_uri: redirectUri })).status, 200);
};

describe('an app by the client_id of one of its clients', () => {
  it('narrows decisions and the log as its client_id does, which is that of its only client', async () => {
    const flow = await newFlow(service, { client_name: 'The only client' });
    await obtainTokens(service, flow);
    const appId = (await getClient(getId(flow))).body.id as string;
    for (const list of ['consent-records', 'audit-events']) {
      const [byClient, byApp] = await Promise.all(
        [getId(flow), appId].map((client) => call(service, `${path}/${list}?client=${client}`, { token })),
      );
      assert.ok(byClient?.body.results.length > 0, list);
      assert.deepEqual(byApp?.body.results, byClient?.body.results);
    }
  });

  it('is the one that the address of a document has now', async () => {
    const flow = await newFlow(service);
    const documented = { ...flow, client: { ...flow.client, client_id: DOCUMENT } };
    await connect(documented, REDIRECT);
    const first = await getClient(DOCUMENT);
    assert.deepEqual([first.status, first.body.documentUrl], [200, DOCUMENT]);
    documentName = 'Documented agent, renamed';
    service.clock.advance(60_000);
    await connect(documented, REDIRECT);
    assert.equal((await getClient(DOCUMENT)).body.name, documentName);
    assert.equal((await getClient('https://documented.example/other.json')).status, 404);
  });

  it('is not guessed where the client connected under several hosts, of which a block catches one', async () => {
    const redirects = ['https://one.example/callback', 'https://two.example/callback'];
    const flow = await newFlow(service, { client_name: 'On two hosts', redirect_uris: redirects });
    for (const redirect of redirects) await connect(flow, redirect);
    const { status, body } = await getClient(getId(flow));
    assert.deepEqual([status, body.code], [409, 'several_apps']);
    const { body: apps } = await call(service, `${path}/clients?q=on%20two`, { token });
    assert.equal(apps.results.length, 2);
    for (const { id } of apps.results as { id: string }[]) assert.ok(body.detail.includes(id));
  });

  it('is not looked for by a text that names no client', async () => {
    const { status, body } = await getClient('Claude');
    assert.equal(status, 400);
    assert.deepEqual(
      [body.errors[0].path, /client_id/.test(body.errors[0].message as string)],
      ['clientId', true],
    );
  });

  it('is shown and blocked, and is that of the organization that its patient let it in', async () => {
    const redirect = 'https://blocked.example/callback';
    const flow = await newFlow(service, { client_name: 'Blocked by its id', redirect_uris: [redirect] });
    const clientId = getId(flow);
    assert.equal((await getClient(clientId)).status, 404, 'nobody has let it in');
    await connect(flow, redirect);
    const { status, body } = await getClient(clientId);
    assert.deepEqual([status, body.name], [200, 'Blocked by its id']);
    assert.deepEqual((await getClient(clientId.toUpperCase())).body.id, body.id);
    const other = await newOrganization(service);
    const json = { judgement: 'blocked', note: 'As the board decided' };
    const foreign = await call(service, `/v1/organizations/${other.organizationId}/clients/${clientId}`, {
      method: 'PATCH',
      token: await getOrganizationToken(service, 'admin', other),
      json,
    });
    assert.equal(foreign.status, 404);
    const blocked = await call(service, `${path}/clients/${clientId}`, { method: 'PATCH', token, json });
    assert.deepEqual([blocked.body.client.id, blocked.body.ends.connections], [body.id, 1]);
    assert.equal((await getClient(body.id as string)).body.judgement, 'blocked');
  });
});
