import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { createService } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { newFlow, refresh, obtainTokens, type Flow } from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import { decide, startTestService, type HttpResponse, type TestService } from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { createServerNode } from '../storage/server-node.ts';
import {
  listAuditDetails,
  findGrant,
  INVALID_GRANT,
  getToolStatus,
  getStatusAndError,
  UNLIMITED,
} from './attack.ts';

/** In turn on one node and on both, or of few and of many. */
const ROUNDS = isLong ? 12 : 2;
const EMBEDDED_ROUNDS = isLong ? 6 : 2;
/** The embedded engine executes one statement after the other: the larger race holds what a smaller could show. */
const SIZES = { postgresql: [5, 20], embedded: isLong ? [5, 20] : [20] };
const WINDOW = '30';
/** For processes, whose clock runs: the longest window there is, so that a busy machine does not outlast it. */
const PROCESS_WINDOW = '120';

interface Node {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Another node on the store of the first, under the same issuer. */
async function startNode(service: TestService, environment: Record<string, string>): Promise<Node> {
  const port = await findFreePort();
  const config = readConfig({
    ...UNLIMITED,
    PORT: String(port),
    CHARTGATE_BASE_URL: service.baseUrl,
    CHARTGATE_DATA_DIR: service.store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
    ...environment,
  });
  const { app } = createService({ config, db: service.store.db, clock: service.clock });
  await app.listen({ port, host: config.http.host });
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => app.close() };
}

/** A node in a process of its own. */
async function startProcessNode(service: TestService, environment: Record<string, string>): Promise<Node> {
  const node = createServerNode(await findFreePort(), {
    ...UNLIMITED,
    CHARTGATE_BASE_URL: service.baseUrl,
    CHARTGATE_DATA_DIR: service.store.dataDirectory,
    DATABASE_URL: service.store.databaseUrl ?? '',
    ...environment,
  });
  await node.start();
  return node;
}

const refreshConcurrently = (
  nodes: readonly { baseUrl: string }[],
  count: number,
  [clientId, token]: [string, string],
): Promise<HttpResponse[]> =>
  Promise.all(
    Array.from({ length: count }, (_, turn) =>
      refresh(nodes[turn % nodes.length] as { baseUrl: string }, clientId, token),
    ),
  );

const filterSuccessful = (answers: readonly HttpResponse[]): HttpResponse[] =>
  answers.filter(({ status }) => status === 200);

async function runStrictRound(
  service: TestService,
  flow: Flow,
  { nodes, count }: { nodes: readonly { baseUrl: string }[]; count: number },
): Promise<void> {
  const clientId = flow.client.client_id as string;
  const tokens = await obtainTokens(service, flow);
  const answers = await refreshConcurrently(nodes, count, [clientId, tokens.refresh_token as string]);
  const winners = filterSuccessful(answers);
  assert.equal(winners.length, 1, JSON.stringify(answers.map(getStatusAndError)));
  for (const answer of answers)
    if (answer.status !== 200) assert.deepEqual(getStatusAndError(answer), INVALID_GRANT);
  assert.equal((await findGrant(service, tokens.access_token)).revoked_because, 'refresh_token_reused');
  const { access_token: access, refresh_token: next } = (winners[0] as HttpResponse).body;
  for (const node of nodes) {
    assert.equal(await getToolStatus(node, access), 401);
    assert.equal(await getToolStatus(node, tokens.access_token), 401);
    assert.deepEqual(getStatusAndError(await refresh(node, clientId, next as string)), INVALID_GRANT);
  }
}

async function runTolerantRound(
  service: TestService,
  flow: Flow,
  { nodes, count }: { nodes: readonly { baseUrl: string }[]; count: number },
): Promise<void> {
  const clientId = flow.client.client_id as string;
  const tokens = await obtainTokens(service, flow);
  const answers = await refreshConcurrently(nodes, count, [clientId, tokens.refresh_token as string]);
  assert.equal(filterSuccessful(answers).length, count, JSON.stringify(answers.map(getStatusAndError)));
  const successors = new Set(answers.map(({ body }) => body.refresh_token as string));
  assert.equal(successors.size, 1);
  assert.deepEqual(await findGrant(service, tokens.access_token), { generation: 2, revoked_because: null });
  for (const { body } of answers) assert.equal(await getToolStatus(service, body.access_token), 200);
  const [successor = ''] = successors;
  const further = await refreshConcurrently(nodes, count, [clientId, successor]);
  assert.equal(filterSuccessful(further).length, count, 'and goes on');
  assert.equal(new Set(further.map(({ body }) => body.refresh_token as string)).size, 1);
  // Two generations old by now: somebody else holds it.
  assert.deepEqual(
    getStatusAndError(await refresh(nodes[0] as Node, clientId, tokens.refresh_token as string)),
    INVALID_GRANT,
  );
  const newest = (further[0] as HttpResponse).body;
  assert.deepEqual(
    getStatusAndError(await refresh(nodes[0] as Node, clientId, newest.refresh_token as string)),
    INVALID_GRANT,
  );
  assert.equal(await getToolStatus(service, newest.access_token), 401);
}

for (const engine of ENGINES) {
  const rounds = engine === 'postgresql' ? ROUNDS : EMBEDDED_ROUNDS;
  for (const count of SIZES[engine]) {
    describe(`${count} refreshes at once, on two nodes of one process: ${engine}`, () => {
      const settings: [string, string, typeof runStrictRound][] = [
        ['strict: one succeeds, and its family is dead', '0', runStrictRound],
        ['with a window: all get one successor, which goes on', WINDOW, runTolerantRound],
      ];
      for (const [what, seconds, round] of settings) {
        it(`case 53: ${what}, ${rounds} times`, async () => {
          const environment = { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: seconds };
          const service = await startTestService({ engine, environment });
          const other = await startNode(service, environment);
          try {
            const flow = await newFlow(service);
            service.clock.stop();
            for (let turn = 0; turn < rounds; turn++) {
              // In turn on one node and on both.
              await round(service, flow, { nodes: turn % 2 === 0 ? [service] : [service, other], count });
            }
            const revocations = await listAuditDetails(service, 'oauth.grant_revoked');
            assert.equal(revocations.length, rounds, 'each grant ends once');
          } finally {
            await other.stop();
            await service.stop();
          }
        });
      }
    });
  }

  describe(`a retry of a refresh, within thirty seconds: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({
        engine,
        environment: { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: WINDOW },
      });
      flow = await newFlow(service);
      service.clock.stop();
    });
    after(() => service.stop());

    const again = (token: unknown, more: Record<string, string> = {}): Promise<HttpResponse> =>
      refresh(service, flow.client.client_id as string, token as string, more);

    async function isOver(tokens: HttpResponse['body'][]): Promise<void> {
      assert.equal(
        (await findGrant(service, tokens[0].access_token)).revoked_because,
        'refresh_token_reused',
      );
      for (const { access_token: access, refresh_token: token } of tokens) {
        assert.equal(await getToolStatus(service, access), 401);
        assert.deepEqual(getStatusAndError(await again(token)), INVALID_GRANT);
      }
    }

    it('case 53: gets the same successor, as often as it comes and to the last second', async () => {
      const first = await obtainTokens(service, flow);
      const second = (await again(first.refresh_token)).body;
      for (const ms of [0, 1, 10_000, 19_000]) {
        service.clock.advance(ms);
        const retried = await again(first.refresh_token);
        assert.deepEqual([retried.status, retried.body.refresh_token], [200, second.refresh_token]);
        assert.equal(await getToolStatus(service, retried.body.access_token), 200);
      }
      assert.equal((await again(second.refresh_token)).status, 200);
    });

    it('case 53: after the window ends the grant', async () => {
      const first = await obtainTokens(service, flow);
      const second = (await again(first.refresh_token)).body;
      service.clock.advance(30_001);
      assert.deepEqual(getStatusAndError(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second]);
    });

    it('case 53: does not move the window on', async () => {
      const first = await obtainTokens(service, flow);
      const second = (await again(first.refresh_token)).body;
      service.clock.advance(20_000);
      assert.equal((await again(first.refresh_token)).status, 200);
      service.clock.advance(11_000);
      assert.deepEqual(getStatusAndError(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second]);
    });

    it('case 53: after the successor was used ends the grant', async () => {
      const first = await obtainTokens(service, flow);
      const second = (await again(first.refresh_token)).body;
      const third = (await again(second.refresh_token)).body;
      assert.deepEqual(getStatusAndError(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second, third]);
    });

    it('case 53: of the grandparent, at the same moment, ends the grant', async () => {
      const chain = [await obtainTokens(service, flow)];
      for (let count = 0; count < 3; count++) chain.push((await again(chain.at(-1).refresh_token)).body);
      assert.equal((await again(chain[2].refresh_token)).status, 200, 'the parent');
      assert.deepEqual(
        getStatusAndError(await again(chain[1].refresh_token)),
        INVALID_GRANT,
        'the grandparent',
      );
      await isOver(chain);
    });

    it('case 53: of another client, or for another resource, or with a wider scope gets nothing', async () => {
      const first = await obtainTokens(service, flow, { scope: 'patient/*.read' });
      const second = (await again(first.refresh_token)).body;
      const stranger = (await newFlow(service)).client.client_id as string;
      assert.deepEqual(
        getStatusAndError(await refresh(service, stranger, first.refresh_token as string)),
        INVALID_GRANT,
      );
      const elsewhere = await again(first.refresh_token, {
        resource: `${service.baseUrl}/projects/${service.organization.projectId}/mcp`,
      });
      assert.deepEqual(getStatusAndError(elsewhere), [400, 'invalid_target']);
      const wider = await again(first.refresh_token, { scope: 'patient/*.read offline_access' });
      assert.deepEqual(getStatusAndError(wider), [400, 'invalid_scope']);
      assert.equal((await again(second.refresh_token)).status, 200);
    });

    it('case 53: after revocation or withdrawal gets nothing', async () => {
      const first = await obtainTokens(service, flow);
      await again(first.refresh_token);
      await decide(service, flow.patient, 'OPTED_OUT');
      assert.deepEqual(getStatusAndError(await again(first.refresh_token)), INVALID_GRANT);
      assert.equal((await findGrant(service, first.access_token)).revoked_because, 'consent_withdrawn');
    });

    it('case 53: is not there for codes', async () => {
      const tokens = await obtainTokens(service, flow);
      assert.equal((await again(tokens.refresh_token)).status, 200);
      assert.equal((await findGrant(service, tokens.access_token)).generation, 2);
    });
  });
}

describe('refreshes at once on two server processes', () => {
  for (const [what, seconds, round] of [
    ['strict: one succeeds, and its family is dead', '0', runStrictRound],
    ['with a window: all get one successor, which goes on', PROCESS_WINDOW, runTolerantRound],
  ] as const) {
    it(`case 53: ${what}, ${ROUNDS} times`, async () => {
      const environment = { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: seconds };
      const service = await startTestService({ environment });
      const nodes = await Promise.all([
        startProcessNode(service, environment),
        startProcessNode(service, environment),
      ]);
      try {
        const flow = await newFlow(service);
        for (let turn = 0; turn < ROUNDS; turn++) {
          await round(service, flow, { nodes, count: turn % 2 === 0 ? 5 : 20 });
          await sleep(Math.random() * 10);
        }
      } finally {
        await Promise.all(nodes.map((node) => node.stop()));
        await service.stop();
      }
    });
  }
});
