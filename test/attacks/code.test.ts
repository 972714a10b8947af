import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { createService } from '../../server/app.ts';
import type { Clock } from '../../server/platform/kernel/clock.ts';
import { one } from '../../server/platform/db/db.ts';
import { sql } from '../../server/platform/db/sql.ts';
import {
  callMcp,
  obtainCode,
  exchangeCode,
  newFlow,
  createPkce,
  REDIRECT_URI,
  refresh,
  registerClient,
  type Flow,
  type QueryParameters,
} from '../harness/authorization.ts';
import { findFreePort } from '../harness/postgres.ts';
import { newProject, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { JOURNEY_ENGINES } from '../harness/store.ts';
import { UNLIMITED } from './attack.ts';

const assertRefused = ({ status, headers, body }: HttpResponse, error = 'invalid_grant'): void => {
  assert.deepEqual([status, body.error], [error === 'invalid_client' ? 401 : 400, error]);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(Object.keys(body as object), ['error', 'error_description']);
};

for (const engine of JOURNEY_ENGINES) {
  describe(`a code in the wrong hands: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    let clientId: string;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
      clientId = flow.client.client_id as string;
    });
    after(() => service.stop());

    const tokensFor = async (
      code: string,
      more: QueryParameters = {},
    ): Promise<{ access: string; refresh: string }> => {
      const { status, body } = await exchangeCode(service, flow, code, more);
      assert.equal(status, 200, JSON.stringify(body));
      return { access: body.access_token as string, refresh: body.refresh_token as string };
    };
    const assertLive = async (tokens: { access: string; refresh: string }): Promise<void> => {
      assert.equal((await callMcp(service, tokens.access)).status, 200);
      assert.equal((await callMcp(service, tokens.access, 'tools/call')).status, 200);
      assert.equal((await refresh(service, clientId, tokens.refresh)).status, 200);
    };
    const assertDead = async (tokens: { access: string; refresh: string }): Promise<void> => {
      const { status, body } = await callMcp(service, tokens.access);
      assert.deepEqual([status, body], [401, { error: 'unauthorized' }]);
      assert.equal((await callMcp(service, tokens.access, 'tools/call')).status, 401);
      assertRefused(await refresh(service, clientId, tokens.refresh));
    };

    it('case 18: sent by another client is invalid_grant, and the code stays good', async () => {
      const code = await obtainCode(flow);
      const other = await newFlow(service);
      const stranger = await registerClient(service);
      for (const client_id of [other.client.client_id as string, stranger.client_id as string])
        assertRefused(await exchangeCode(service, flow, code, { client_id }));
      // All of the other's own, but for the code.
      assertRefused(await exchangeCode(service, other, code));
      for (const client_id of [randomUUID(), clientId.toUpperCase(), ` ${clientId}`, 'x', "' or true --"])
        assertRefused(await exchangeCode(service, flow, code, { client_id }), 'invalid_client');
      for (const client_id of [undefined])
        assertRefused(await exchangeCode(service, flow, code, { client_id }), 'invalid_request');
      await assertLive(await tokensFor(code));
    });

    it('case 18: of another client, put into an answer to this one, is invalid_grant, and both stay good', async () => {
      const other = await newFlow(service);
      const [mine, theirs] = [await obtainCode(flow), await obtainCode(other)];
      assertRefused(await exchangeCode(service, flow, theirs));
      assertRefused(await exchangeCode(service, other, mine));
      assert.equal((await exchangeCode(service, other, theirs)).status, 200);
      await tokensFor(mine);
    });

    it('case 19: with another loopback port than was authorized is invalid_grant', async () => {
      const registered = 'http://127.0.0.1:7000/cb?x=1';
      const own = { ...flow, client: await registerClient(service, { redirect_uris: [registered] }) };
      const redirect_uri = 'http://127.0.0.1:51234/cb?x=1';
      const code = await obtainCode(own, { redirect_uri });
      for (const other of [
        registered,
        'http://127.0.0.1:51235/cb?x=1',
        'http://127.0.0.1/cb?x=1',
        'http://localhost:51234/cb?x=1',
        'http://[::1]:51234/cb?x=1',
        'http://127.0.0.1:51234/cb',
        'http://127.0.0.1:51234/cb?x=1#',
        'http://127.0.0.1:51234/cb?x=1&y=2',
        'http://127.0.0.1:51234/CB?x=1',
        'http://127.0.0.1:51234@evil.example/cb?x=1',
        REDIRECT_URI,
      ])
        assertRefused(await exchangeCode(service, own, code, { redirect_uri: other }));
      for (const none of [undefined, ''])
        assertRefused(await exchangeCode(service, own, code, { redirect_uri: none }), 'invalid_request');
      assert.equal((await exchangeCode(service, own, code, { redirect_uri })).status, 200);
    });

    it('case 19: with another registered redirect URI of the same client is invalid_grant', async () => {
      const uris = [REDIRECT_URI, 'https://agent.example/other'];
      const own = { ...flow, client: await registerClient(service, { redirect_uris: uris }) };
      const code = await obtainCode(own);
      assertRefused(await exchangeCode(service, own, code, { redirect_uri: uris[1] }));
      assertRefused(await exchangeCode(service, own, code, { redirect_uri: `${REDIRECT_URI}/` }));
      assert.equal((await exchangeCode(service, own, code)).status, 200);
    });

    it('case 20: replayed with all that belongs to it ends what was made of it', async () => {
      const code = await obtainCode(flow);
      const tokens = await tokensFor(code);
      assert.equal((await callMcp(service, tokens.access)).status, 200);
      assertRefused(await exchangeCode(service, flow, code));
      await assertDead(tokens);
      const { because, audited } = await one(
        service.store.db,
        sql<{ because: string; audited: string }>`select revoked_because as because,
          (select count(*) from audit_entry where action = 'oauth.grant_revoked') as audited
          from oauth_grant where revoked_because = 'code_reused'`,
      );
      assert.deepEqual([because, Number(audited)], ['code_reused', 1]);
      assertRefused(await exchangeCode(service, flow, code));
    });

    it('case 20: replayed after its minute, and after refreshes, ends the newest tokens too', async () => {
      const code = await obtainCode(flow);
      const first = await tokensFor(code);
      const { body } = await refresh(service, clientId, first.refresh);
      const { body: newest } = await refresh(service, clientId, body.refresh_token as string);
      service.clock.advance(120_000);
      assertRefused(await exchangeCode(service, flow, code));
      await assertDead({ access: newest.access_token as string, refresh: newest.refresh_token as string });
      assert.equal((await callMcp(service, first.access)).status, 401);
    });

    it('case 20: replayed does not touch another grant of the same client and patient', async () => {
      const code = await obtainCode(flow);
      await tokensFor(code);
      const other = await tokensFor(await obtainCode(flow));
      assertRefused(await exchangeCode(service, flow, code));
      await assertLive(other);
    });

    it('case 21: replayed with what does not belong to it changes nothing', async () => {
      const code = await obtainCode(flow);
      const tokens = await tokensFor(code);
      const stranger = (await registerClient(service)).client_id as string;
      const project = `${service.baseUrl}/projects/${await newProject(service, `Study ${engine}`)}/mcp`;
      const replays: [more: QueryParameters, error: string][] = [
        [{ code_verifier: createPkce().verifier }, 'invalid_grant'],
        [{ code_verifier: flow.pkce.challenge }, 'invalid_grant'],
        [{ code_verifier: 'x' }, 'invalid_grant'],
        [{ code_verifier: undefined }, 'invalid_request'],
        [{ client_id: stranger }, 'invalid_grant'],
        [{ client_id: randomUUID() }, 'invalid_client'],
        [{ redirect_uri: 'https://evil.example/cb' }, 'invalid_grant'],
        [{ redirect_uri: undefined }, 'invalid_request'],
        [{ resource: 'https://evil.example/' }, 'invalid_target'],
        [{ resource: project }, 'invalid_target'],
        [{ code: code.slice(0, -1) }, 'invalid_grant'],
        [{ code: `${code}A` }, 'invalid_grant'],
        [{ code: code.toLowerCase() }, 'invalid_grant'],
        [{ code: `${code}\n` }, 'invalid_grant'],
        [{ code: "' or true --" }, 'invalid_grant'],
        [{ code: '' }, 'invalid_request'],
        [{ code: undefined }, 'invalid_request'],
        [{ grant_type: 'refresh_token' }, 'invalid_request'],
        [{ grant_type: 'refresh_token', refresh_token: code }, 'invalid_grant'],
        [{ grant_type: 'password' }, 'unsupported_grant_type'],
      ];
      for (const [more, error] of replays) {
        const answer = await exchangeCode(service, flow, code, more);
        assert.equal(answer.body.error, error, JSON.stringify(more));
        assertRefused(answer, error);
      }
      await assertLive(tokens);
    });

    it('case 21: guessed is invalid_grant, and says nothing of codes there are', async () => {
      const guesses = [
        'x',
        'cgc_',
        `cgc_${'A'.repeat(43)}`,
        '0',
        'null',
        '%00',
        '\u{1f600}',
        'x'.repeat(10_000),
      ];
      const answers = await Promise.all(guesses.map((guess) => exchangeCode(service, flow, guess)));
      const expired = await obtainCode(flow);
      service.clock.advance(61_000);
      answers.push(await exchangeCode(service, flow, expired));
      for (const answer of answers) {
        assertRefused(answer);
        assert.deepEqual(answer.body, answers[0]?.body);
      }
    });

    it('case 21: is nowhere in the store', async () => {
      const code = await obtainCode(flow);
      const rows = await service.store.db.query(
        sql<{ row: string }>`select r::text as row from oauth_request r`,
      );
      assert.ok(rows.length > 0);
      assert.ok(rows.every(({ row }) => !row.includes(code.slice(4))));
    });

    describe('a code and the time', () => {
      it('case 23: is good for 59 seconds', async () => {
        const code = await obtainCode(flow);
        service.clock.advance(59_000);
        await assertLive(await tokensFor(code));
      });
      for (const seconds of [61, 120, 600, 3600, 25 * 3600]) {
        it(`case 23: is invalid_grant after ${seconds}`, async () => {
          const own = await newFlow(service);
          const code = await obtainCode(own);
          service.clock.advance(seconds * 1000);
          assertRefused(await exchangeCode(service, own, code));
          assertRefused(await exchangeCode(service, own, code));
        });
      }
      it('case 23: that grew old unused ends nothing: no one came twice', async () => {
        const own = await newFlow(service);
        const code = await obtainCode(own);
        service.clock.advance(61_000);
        assertRefused(await exchangeCode(service, own, code));
        assertRefused(await exchangeCode(service, own, code));
        const { revoked } = await one(
          service.store.db,
          sql<{
            revoked: string;
          }>`select count(revoked_at) as revoked from oauth_grant where patient_id = ${own.patient.id}`,
        );
        assert.equal(Number(revoked), 0);
      });
      it('case 23: is judged by the clock of the node that it comes to, and a node ahead does not use it up', async (test) => {
        for (const [ahead, status] of [
          [61_000, 400],
          [50_000, 200],
          [-61_000, 200],
        ] as const) {
          const node = await startNode(service, ahead);
          test.after(node.stop);
          const own = await newFlow(service);
          const code = await obtainCode(own);
          const { status: got, body } = await exchangeCode(node, own, code);
          assert.deepEqual([got, body.error], [status, status === 400 ? 'invalid_grant' : undefined]);
          if (status === 400) assert.equal((await exchangeCode(service, own, code)).status, 200);
        }
      });
      it('case 23: used on a node whose clock is behind is used on all of them', async (test) => {
        const node = await startNode(service, -61_000);
        test.after(node.stop);
        const own = await newFlow(service);
        const code = await obtainCode(own);
        const { body } = await exchangeCode(node, own, code);
        assertRefused(await exchangeCode(service, own, code));
        assert.equal((await callMcp(service, body.access_token as string)).status, 401);
      });
    });
  });
}

/** Another node on the same store, whose clock is ahead. */
async function startNode(
  service: TestService,
  ahead: number,
): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const clock: Clock = { now: () => new Date(service.clock.now().getTime() + ahead) };
  const { app } = createService({ config: service.config, db: service.store.db, clock });
  const port = await findFreePort();
  await app.listen({ port, host: '127.0.0.1' });
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => app.close() };
}
