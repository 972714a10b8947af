import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  buildAuthorizePath,
  decideRequest,
  getRequestId,
  newFlow,
  obtainTokens,
  refresh,
  type Flow,
} from '../harness/authorization.ts';
import {
  call,
  getOrganizationToken,
  newOrganization,
  startTestService,
  type HttpResponse,
  type TestService,
} from '../harness/service.ts';
import { newAccount } from '../harness/account.ts';
import { createTestBrowser } from '../harness/test-browser.ts';
import { getStatusAndError, getToolStatus, UNLIMITED } from './attack.ts';

const REGISTERED = { client_name: 'Night owl', redirect_uris: ['https://agent.example/callback'] };

/** What a document says now; a client may change it at any time. */
const document = { client_name: 'Documented agent', redirect_uris: ['https://agent.example/callback'] };

type Organization = TestService['organization'];

for (const engine of ['postgresql', 'embedded'] as const) {
  describe(`an organization that takes no new registrations: ${engine}`, () => {
    let service: TestService;
    before(async () => {
      service = await startTestService({
        engine,
        environment: UNLIMITED,
        outbound: {
          request: async ({ url }) => ({
            status: 200,
            headers: { 'content-type': 'application/json', 'cache-control': 'max-age=30' },
            body: Buffer.from(JSON.stringify({ ...document, client_id: url })),
          }),
        },
      });
    });
    after(() => service.stop());

    const setClosed = async (
      noNewRegistrations: boolean,
      organization: Organization = service.organization,
    ): Promise<void> => {
      const { status, body } = await call(service, `/v1/organizations/${organization.organizationId}`, {
        method: 'PATCH',
        token: await getOrganizationToken(service, 'admin', organization),
        json: { noNewRegistrations },
      });
      assert.deepEqual([status, body.noNewRegistrations], [200, noNewRegistrations]);
    };
    const register = (): Promise<HttpResponse> => call(service, '/oauth/register', { json: REGISTERED });
    const begin = (
      { browser, pkce }: Flow,
      clientId: string,
      more: Record<string, string> = {},
    ): Promise<HttpResponse> =>
      browser.get(buildAuthorizePath({ clientId, challenge: pkce.challenge }, more));
    /** Begins a request and opens the page of it, signed in. */
    const ask = async (flow: Flow, clientId: string, more: Record<string, string> = {}): Promise<void> => {
      const begun = await begin(flow, clientId, more);
      assert.equal(begun.status, 303);
      assert.equal((await flow.browser.get(`/oauth/interaction/${getRequestId(begun)}`)).status, 200);
    };
    const listAppNames = async (organization: Organization = service.organization): Promise<string[]> => {
      const token = await getOrganizationToken(service, 'admin', organization);
      const { body } = await call(
        service,
        `/v1/organizations/${organization.organizationId}/clients?limit=200`,
        {
          token,
        },
      );
      return body.results.map(
        ({ name, documentUrl }: { name: string; documentUrl: string }) => documentUrl ?? name,
      );
    };
    const assertTurnedAway = (answer: HttpResponse): void => {
      assert.deepEqual(getStatusAndError(answer), [403, 'access_denied']);
      assert.equal(answer.headers.get('location'), null);
    };

    it('case 348: registers nobody, lets in no client that is new, and lists none of them', async () => {
      const flow = await newFlow(service, { client_name: 'Came too late' });
      await setClosed(true);
      try {
        assert.deepEqual(getStatusAndError(await register()), [403, 'access_denied']);
        assertTurnedAway(await begin(flow, flow.client.client_id as string));
        assertTurnedAway(await begin(flow, 'https://late.example/client.json'));
        const apps = await listAppNames();
        assert.ok(!apps.includes('Came too late') && !apps.includes('https://late.example/client.json'));
      } finally {
        await setClosed(false);
      }
      assert.equal((await register()).status, 201);
      assert.equal((await begin(flow, flow.client.client_id as string)).status, 303);
    });

    it('case 349: leaves what is connected, a registration that a patient let in, and a request that was open', async () => {
      const flow = await newFlow(service);
      const tokens = await obtainTokens(service, flow);
      const other = await newFlow(service, { client_name: 'Open before' });
      const open = getRequestId(await begin(other, other.client.client_id as string));
      await setClosed(true);
      try {
        assert.equal(await getToolStatus(service, tokens.access_token), 200);
        const refreshed = await refresh(
          service,
          flow.client.client_id as string,
          tokens.refresh_token as string,
        );
        assert.equal(refreshed.status, 200, JSON.stringify(refreshed.body));
        assert.equal((await begin(flow, flow.client.client_id as string)).status, 303);
        assert.equal((await begin(other, flow.client.client_id as string)).status, 303, 'another patient');
        assert.equal((await decideRequest(other.browser, open, 'grant')).status, 200);
        assert.equal((await begin(other, other.client.client_id as string)).status, 303, 'let in meanwhile');
      } finally {
        await setClosed(false);
      }
    });

    it('case 350: knows a document by its address, whatever it says when it is fetched again', async () => {
      const flow = await newFlow(service);
      const url = 'https://known.example/client.json';
      await ask(flow, url);
      await setClosed(true);
      try {
        document.client_name = 'Renamed agent';
        service.clock.advance(60_000);
        const again = await begin(flow, url);
        assert.equal(again.status, 303);
        const { body } = await flow.browser.get(`/oauth/interaction/${getRequestId(again)}`);
        assert.equal(body.client.name, 'Renamed agent');
        assertTurnedAway(await begin(flow, 'https://known.example/other.json'));
      } finally {
        document.client_name = 'Documented agent';
        await setClosed(false);
      }
    });

    it('case 351: speaks for its own patients alone where several organizations share the service', async () => {
      const open = await newOrganization(service);
      const flow = await newFlow(service);
      const url = 'https://shared.example/client.json';
      const elsewhere = { resource: `${service.baseUrl}/projects/${open.projectId}/mcp` };
      await setClosed(true);
      try {
        assert.equal((await register()).status, 201, 'for the other one');
        const browser = createTestBrowser(service);
        await newAccount(service, browser);
        await ask({ ...flow, browser }, url, elsewhere);
        assertTurnedAway(await begin(flow, url));
        assert.ok((await listAppNames(open)).includes(url));
        assert.ok(!(await listAppNames()).includes(url));
        await setClosed(true, open);
        assert.deepEqual(getStatusAndError(await register()), [403, 'access_denied']);
      } finally {
        await setClosed(false);
        await setClosed(false, open);
      }
    });

    it('case 352: refuses all that is sent after it has said so, and lists just those that were let in', async () => {
      const flow = await newFlow(service);
      const urls = Array.from({ length: 24 }, (_each, index) => `https://race.example/${index}.json`);
      const racing = urls.map((url, index) =>
        index === 8 ? setClosed(true).then(() => begin(flow, url)) : begin(flow, url),
      );
      const registering = Array.from({ length: 8 }, register);
      try {
        const answers = await Promise.all(racing);
        await Promise.all(registering);
        assertTurnedAway(answers[8] as HttpResponse);
        const letIn = urls.filter((_url, index) => answers[index]?.status === 303);
        for (const answer of answers) if (answer.status !== 303) assertTurnedAway(answer);
        for (const [index, answer] of answers.entries())
          if (urls[index] !== undefined && letIn.includes(urls[index]))
            await flow.browser.get(`/oauth/interaction/${getRequestId(answer)}`);
        const listed = (await listAppNames()).filter((name) => name.startsWith('https://race.example/'));
        assert.deepEqual(listed.sort(), letIn.sort());
        for (const answer of await Promise.all(urls.slice(0, 4).map((url) => begin(flow, `${url}x`))))
          assertTurnedAway(answer);
      } finally {
        await setClosed(false);
      }
    });

    it('case 498: neither lists nor knows an app that nobody who is signed in was asked by', async () => {
      const flow = await newFlow(service, { client_name: 'Seen by nobody' });
      const nobody = { ...flow, browser: createTestBrowser(service) };
      const url = 'https://unseen.example/client.json';
      for (const clientId of [url, flow.client.client_id as string]) await ask(nobody, clientId);
      const listed = await listAppNames();
      assert.ok(!listed.includes(url) && !listed.includes('Seen by nobody'));
      await setClosed(true);
      try {
        assertTurnedAway(await begin(flow, url));
        await setClosed(false);
        await ask(flow, url);
        assert.ok((await listAppNames()).includes(url));
        await setClosed(true);
        await ask(nobody, url);
      } finally {
        await setClosed(false);
      }
    });

    it('case 498: redirects to no client that is new, whatever else is wrong with the request', async () => {
      const flow = await newFlow(service, { client_name: 'Came with a fault' });
      const clientId = flow.client.client_id as string;
      const elsewhere = await newOrganization(service);
      for (const fault of [
        { scope: 'unknown' },
        { response_type: 'token' },
        { code_challenge_method: 'plain' },
        { resource: `${service.baseUrl}/projects/00000000-0000-7000-8000-000000000000/mcp` },
        { resource: 'https://elsewhere.example/mcp' },
      ]) {
        assert.equal((await begin(flow, clientId, fault)).status, 303);
        await setClosed(true);
        try {
          assertTurnedAway(await begin(flow, clientId, fault));
        } finally {
          await setClosed(false);
        }
      }
      await setClosed(true, elsewhere);
      try {
        const resource = `${service.baseUrl}/projects/${elsewhere.projectId}/mcp`;
        assertTurnedAway(await begin(flow, clientId, { scope: 'unknown', resource }));
        assert.equal((await begin(flow, clientId, { scope: 'unknown' })).status, 303, 'of the other one');
      } finally {
        await setClosed(false, elsewhere);
      }
    });
  });
}
