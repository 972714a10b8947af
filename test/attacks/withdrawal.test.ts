import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  getRedirectParameters,
  buildAuthorizePath,
  obtainCode,
  decideRequest,
  exchangeCode,
  newFlow,
  getRequestId,
  obtainTokens,
  waitUntilReady,
  type Flow,
} from '../harness/authorization.ts';
import { call, decide, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { waitUntil } from '../harness/wait-until.ts';
import { INVALID_GRANT, getToolStatus, getStatusAndError, UNLIMITED } from './attack.ts';

for (const engine of JOURNEY_ENGINES) {
  describe(`consent that is taken back: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    /** Lets the source that is being fetched end. */
    let end: () => void;
    /** Counts the fetches that began. */
    let begun = 0;
    let slow = false;
    before(async () => {
      service = await startTestService({
        engine,
        environment: UNLIMITED,
        connectedSources: async () =>
          slow
            ? [
                {
                  name: 'General Hospital',
                  fetch: () =>
                    new Promise<void>((resolve) => {
                      begun++;
                      end = resolve;
                    }),
                },
              ]
            : [],
      });
    });
    beforeEach(async () => {
      slow = false;
      flow = await newFlow(service);
    });
    after(() => service.stop());

    const begin = async (): Promise<string> =>
      getRequestId(
        await flow.browser.get(
          buildAuthorizePath({ clientId: flow.client.client_id as string, challenge: flow.pkce.challenge }),
        ),
      );
    const getStatus = async (requestId: string): Promise<unknown> =>
      (await flow.browser.get(`/oauth/interaction/${requestId}`)).body.status;
    const complete = (requestId: string): Promise<HttpResponse> =>
      flow.browser.get(`/oauth/complete/${requestId}`);

    /** Granted, and being fetched. */
    async function processing(): Promise<string> {
      slow = true;
      const before = begun;
      const requestId = await begin();
      assert.deepEqual((await decideRequest(flow.browser, requestId, 'grant')).body, {
        status: 'processing',
      });
      await waitUntil('the record is fetched', () => begun > before);
      assert.equal((await complete(requestId)).status, 400, 'no code before the record is there');
      return requestId;
    }

    async function isDenied(requestId: string): Promise<void> {
      const { error, code, state, iss } = getRedirectParameters(await complete(requestId));
      assert.deepEqual([error, code, state, iss], ['access_denied', undefined, 'the state', service.baseUrl]);
      assert.equal((await complete(requestId)).status, 400, 'once');
    }

    it('case 69: during processing leads to access_denied once it is over', async () => {
      const requestId = await processing();
      await decide(service, flow.patient, 'OPTED_OUT');
      end();
      await waitUntilReady(flow.browser, requestId);
      await isDenied(requestId);
    });

    it('case 69: during processing leads to access_denied at once where the browser goes on', async () => {
      const requestId = await processing();
      await decide(service, flow.patient, 'OPTED_OUT');
      await isDenied(requestId);
      end();
      assert.equal(await getStatus(requestId), 'closed');
      await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal(await getStatus(requestId), 'closed', 'what comes later opens nothing');
    });

    it('case 69: and given anew during processing does not revive what was asked before', async () => {
      const requestId = await processing();
      await decide(service, flow.patient, 'OPTED_OUT');
      await decide(service, flow.patient, 'OPTED_IN');
      end();
      await waitUntilReady(flow.browser, requestId);
      await isDenied(requestId);
    });

    it('case 69: through the patient’s own API, between the record being there and the browser going on', async () => {
      const requestId = await begin();
      await decideRequest(flow.browser, requestId, 'grant');
      const login = await call(service, '/v1/auth/token', {
        json: {
          email: flow.patient.email,
          password: flow.patient.password,
          projectId: flow.patient.projectId,
        },
      });
      const withdrawn = await call(
        service,
        `/v1/projects/${flow.patient.projectId}/patients/${flow.patient.id}/consent`,
        {
          token: login.body.token as string,
          json: { consentStatus: 'OPTED_OUT' },
        },
      );
      assert.equal(withdrawn.status, 201);
      await isDenied(requestId);
    });

    it('case 69: between code and exchange makes the code invalid_grant, also when it is given anew', async () => {
      const code = await obtainCode(flow);
      await decide(service, flow.patient, 'OPTED_OUT');
      assert.deepEqual(getStatusAndError(await exchangeCode(service, flow, code)), INVALID_GRANT);
      await decide(service, flow.patient, 'OPTED_IN');
      assert.deepEqual(getStatusAndError(await exchangeCode(service, flow, code)), INVALID_GRANT);
      assert.ok(await obtainCode(flow));
      assert.deepEqual(getStatusAndError(await exchangeCode(service, flow, code)), INVALID_GRANT);
    });

    it('case 69: for another project touches nothing', async () => {
      const code = await obtainCode(flow);
      const tokens = await exchangeCode(service, flow, code);
      await decide(service, (await newFlow(service)).patient, 'OPTED_OUT');
      assert.equal(await getToolStatus(service, tokens.body.access_token), 200);
    });

    it('case 69: at the moment of the exchange leaves a dead code or a dead token, never a live one', async () => {
      for (let round = 0; round < 20; round++) {
        await decide(service, flow.patient, 'OPTED_IN');
        const code = await obtainCode(flow);
        const [answer] = await Promise.all([
          exchangeCode(service, flow, code),
          decide(service, flow.patient, 'OPTED_OUT'),
        ]);
        if (answer.status === 200) {
          assert.equal(await getToolStatus(service, answer.body.access_token), 403);
          const { live } = await one(
            service.store.db,
            sql<{
              live: number;
            }>`select count(*)::integer as live from oauth_grant where patient_id = ${flow.patient.id} and revoked_at is null`,
          );
          assert.equal(live, 0);
        } else assert.deepEqual(getStatusAndError(answer), INVALID_GRANT);
      }
    });

    it('case 69: at the moment of the decision leaves no grant that outlives it', async () => {
      for (let round = 0; round < 10; round++) {
        const requestId = await begin();
        await Promise.all([
          decideRequest(flow.browser, requestId, 'grant'),
          decide(service, flow.patient, 'OPTED_OUT'),
        ]);
        const row = await one(
          service.store.db,
          sql<{ status: string; live: number }>`select c.consent_status as status,
            (select count(*)::integer from oauth_grant g where g.patient_id = c.patient_id and g.revoked_at is null) as live
            from consent c where c.patient_id = ${flow.patient.id}`,
        );
        if (row.status === 'OPTED_OUT') assert.equal(row.live, 0, 'withdrawn last');
        await decide(service, flow.patient, 'OPTED_OUT');
      }
    });

    it('case 69: ends every token at tools/call with the reason, and no other way', async () => {
      const tokens = await obtainTokens(service, flow);
      await decide(service, flow.patient, 'OPTED_OUT');
      const answer = await call(service, '/mcp', {
        token: tokens.access_token as string,
        json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_labs', arguments: {} } },
      });
      assert.deepEqual([answer.status, answer.body], [403, { error: 'Data Access is revoked!' }]);
    });

    it('case 530: refuses calls that could not be made under any consent for the want of it', async () => {
      const { access_token: token } = await obtainTokens(service, flow);
      const send = (params: object, headers: Record<string, string> = {}) =>
        call(service, '/mcp', {
          token: token as string,
          json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
          headers,
        });
      const version = '2026-07-28';
      const meta = 'io.modelcontextprotocol';
      const calls = [
        ['get_labs', { years: -1 }],
        ['get_labs', 'x'],
        ['search', {}],
        ['get_everything', {}],
        [7, {}],
      ].flatMap(([name, input]): Parameters<typeof send>[] => [
        [{ name, arguments: input }],
        [{ name, arguments: input }, { 'mcp-protocol-version': '2025-11-25' }],
        ...(typeof name === 'string'
          ? ([
              [
                {
                  name,
                  arguments: input,
                  _meta: { [`${meta}/protocolVersion`]: version, [`${meta}/clientCapabilities`]: {} },
                },
                { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': name },
              ],
            ] as Parameters<typeof send>[])
          : []),
      ]);
      for (const each of calls) {
        const { status, body } = await send(...each);
        assert.equal(status, 200, JSON.stringify(each));
        assert.ok(body.error?.code === -32602 || body.result?.isError === true, JSON.stringify(body));
      }
      await decide(service, flow.patient, 'OPTED_OUT');
      for (const each of calls) {
        const { status, body } = await send(...each);
        assert.deepEqual([status, body], [403, { error: 'Data Access is revoked!' }], JSON.stringify(each));
      }
      const entries = await service.store.db.query(sql<{ tool: string | null }>`
        select detail ->> 'tool' as tool from audit_entry
        where patient_id = ${flow.patient.id} and action = 'mcp.tools_call' and outcome = 'refused'`);
      assert.equal(entries.length, calls.length);
      assert.deepEqual(new Set(entries.map(({ tool }) => tool)), new Set(['get_labs', 'search', null]));
    });
  });
}
