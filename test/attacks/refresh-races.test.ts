import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'node:test';
import { createService } from '../../server/app.ts';
import { readConfig } from '../../server/config.ts';
import { startProcess } from '../bench/server-process.ts';
import { newFlow, refresh, tokensOf, type Flow } from '../harness/authorization.ts';
import { freePort } from '../harness/postgres.ts';
import { ROOT } from '../harness/process.ts';
import { decide, testService, type Answer, type TestService } from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { audited, grantOf, INVALID_GRANT, reads, said, UNLIMITED } from './attack.ts';

const ROUNDS = 12;
/** The embedded engine executes one statement after the other and a round takes twice as long: little is left to chance. */
const EMBEDDED_ROUNDS = 6;
const WINDOW = '30';

interface Node {
  baseUrl: string;
  stop(): Promise<void>;
}

/** Another node on the store of the first, under the same issuer. */
async function nodeBeside(service: TestService, environment: Record<string, string>): Promise<Node> {
  const port = await freePort();
  const config = readConfig({
    ...UNLIMITED,
    PORT: String(port),
    CHARTGATE_BASE_URL: service.baseUrl,
    CHARTGATE_DATA_DIR: service.store.dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
    ...environment,
  });
  const { app } = createService({ config, db: service.store.db, clock: service.clock });
  await app.listen({ port, host: config.host });
  return { baseUrl: `http://127.0.0.1:${port}`, stop: () => app.close() };
}

/** A node in a process of its own. */
async function processBeside(service: TestService, environment: Record<string, string>): Promise<Node> {
  const port = await freePort();
  const { url, stop } = await startProcess(`${ROOT}/server/main.ts`, {
    port,
    environment: {
      ...UNLIMITED,
      PORT: String(port),
      HOST: '127.0.0.1',
      CHARTGATE_BASE_URL: service.baseUrl,
      CHARTGATE_DATA_DIR: service.store.dataDirectory,
      CHARTGATE_LOG_LEVEL: 'error',
      DATABASE_URL: service.store.databaseUrl ?? '',
      ...environment,
    },
  });
  return { baseUrl: url, stop };
}

const atOnce = (
  nodes: readonly { baseUrl: string }[],
  count: number,
  [clientId, token]: [string, string],
): Promise<Answer[]> =>
  Promise.all(
    Array.from({ length: count }, (_, turn) =>
      refresh(nodes[turn % nodes.length] as { baseUrl: string }, clientId, token),
    ),
  );

const won = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 200);

async function strictRound(
  service: TestService,
  flow: Flow,
  { nodes, count }: { nodes: readonly { baseUrl: string }[]; count: number },
): Promise<void> {
  const clientId = flow.client.client_id as string;
  const tokens = await tokensOf(service, flow);
  const answers = await atOnce(nodes, count, [clientId, tokens.refresh_token as string]);
  const winners = won(answers);
  assert.equal(winners.length, 1, JSON.stringify(answers.map(said)));
  for (const answer of answers) if (answer.status !== 200) assert.deepEqual(said(answer), INVALID_GRANT);
  assert.equal((await grantOf(service, tokens.access_token)).revoked_because, 'refresh_token_reused');
  const { access_token: access, refresh_token: next } = (winners[0] as Answer).body;
  for (const node of nodes) {
    assert.equal(await reads(node, access), 401);
    assert.equal(await reads(node, tokens.access_token), 401);
    assert.deepEqual(said(await refresh(node, clientId, next as string)), INVALID_GRANT);
  }
}

async function patientRound(
  service: TestService,
  flow: Flow,
  { nodes, count }: { nodes: readonly { baseUrl: string }[]; count: number },
): Promise<void> {
  const clientId = flow.client.client_id as string;
  const tokens = await tokensOf(service, flow);
  const answers = await atOnce(nodes, count, [clientId, tokens.refresh_token as string]);
  assert.equal(won(answers).length, count, JSON.stringify(answers.map(said)));
  const successors = new Set(answers.map(({ body }) => body.refresh_token as string));
  assert.equal(successors.size, 1);
  assert.deepEqual(await grantOf(service, tokens.access_token), { generation: 2, revoked_because: null });
  for (const { body } of answers) assert.equal(await reads(service, body.access_token), 200);
  const [successor = ''] = successors;
  const further = await atOnce(nodes, count, [clientId, successor]);
  assert.equal(won(further).length, count, 'and goes on');
  assert.equal(new Set(further.map(({ body }) => body.refresh_token as string)).size, 1);
  // Two generations old by now: somebody else holds it.
  assert.deepEqual(
    said(await refresh(nodes[0] as Node, clientId, tokens.refresh_token as string)),
    INVALID_GRANT,
  );
  const newest = (further[0] as Answer).body;
  assert.deepEqual(
    said(await refresh(nodes[0] as Node, clientId, newest.refresh_token as string)),
    INVALID_GRANT,
  );
  assert.equal(await reads(service, newest.access_token), 401);
}

for (const engine of ENGINES) {
  const rounds = engine === 'postgresql' ? ROUNDS : EMBEDDED_ROUNDS;
  for (const count of [5, 20]) {
    describe(`${count} refreshes at once, on two nodes of one process: ${engine}`, () => {
      const settings: [string, string, typeof strictRound][] = [
        ['strict: one succeeds, and its family is dead', '0', strictRound],
        ['with a window: all get one successor, which goes on', WINDOW, patientRound],
      ];
      for (const [what, seconds, round] of settings) {
        it(`case 53: ${what}, ${rounds} times`, async () => {
          const environment = { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: seconds };
          const service = await testService({ engine, environment });
          const other = await nodeBeside(service, environment);
          try {
            const flow = await newFlow(service);
            for (let turn = 0; turn < rounds; turn++) {
              // In turn on one node and on both.
              await round(service, flow, { nodes: turn % 2 === 0 ? [service] : [service, other], count });
            }
            const revocations = await audited(service, 'oauth.grant_revoked');
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
      service = await testService({
        engine,
        environment: { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: WINDOW },
      });
      flow = await newFlow(service);
    });
    after(() => service.stop());

    const again = (token: unknown, more: Record<string, string> = {}): Promise<Answer> =>
      refresh(service, flow.client.client_id as string, token as string, more);

    async function isOver(tokens: Answer['body'][]): Promise<void> {
      assert.equal((await grantOf(service, tokens[0].access_token)).revoked_because, 'refresh_token_reused');
      for (const { access_token: access, refresh_token: token } of tokens) {
        assert.equal(await reads(service, access), 401);
        assert.deepEqual(said(await again(token)), INVALID_GRANT);
      }
    }

    it('case 53: gets the same successor, as often as it comes and to the last second', async () => {
      const first = await tokensOf(service, flow);
      const second = (await again(first.refresh_token)).body;
      for (const ms of [0, 1, 10_000, 19_000]) {
        service.clock.pass(ms);
        const retried = await again(first.refresh_token);
        assert.deepEqual([retried.status, retried.body.refresh_token], [200, second.refresh_token]);
        assert.equal(await reads(service, retried.body.access_token), 200);
      }
      assert.equal((await again(second.refresh_token)).status, 200);
    });

    it('case 53: after the window ends the grant', async () => {
      const first = await tokensOf(service, flow);
      const second = (await again(first.refresh_token)).body;
      service.clock.pass(30_001);
      assert.deepEqual(said(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second]);
    });

    it('case 53: does not move the window on', async () => {
      const first = await tokensOf(service, flow);
      const second = (await again(first.refresh_token)).body;
      service.clock.pass(20_000);
      assert.equal((await again(first.refresh_token)).status, 200);
      service.clock.pass(11_000);
      assert.deepEqual(said(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second]);
    });

    it('case 53: after the successor was used ends the grant', async () => {
      const first = await tokensOf(service, flow);
      const second = (await again(first.refresh_token)).body;
      const third = (await again(second.refresh_token)).body;
      assert.deepEqual(said(await again(first.refresh_token)), INVALID_GRANT);
      await isOver([first, second, third]);
    });

    it('case 53: of the grandparent, at the same moment, ends the grant', async () => {
      const chain = [await tokensOf(service, flow)];
      for (let count = 0; count < 3; count++) chain.push((await again(chain.at(-1).refresh_token)).body);
      assert.equal((await again(chain[2].refresh_token)).status, 200, 'the parent');
      assert.deepEqual(said(await again(chain[1].refresh_token)), INVALID_GRANT, 'the grandparent');
      await isOver(chain);
    });

    it('case 53: of another client, or for another resource, or with a wider scope gets nothing', async () => {
      const first = await tokensOf(service, flow, { scope: 'patient/*.read' });
      const second = (await again(first.refresh_token)).body;
      const stranger = (await newFlow(service)).client.client_id as string;
      assert.deepEqual(said(await refresh(service, stranger, first.refresh_token as string)), INVALID_GRANT);
      const elsewhere = await again(first.refresh_token, {
        resource: `${service.baseUrl}/projects/${service.organization.projectId}/mcp`,
      });
      assert.deepEqual(said(elsewhere), [400, 'invalid_target']);
      const wider = await again(first.refresh_token, { scope: 'patient/*.read offline_access' });
      assert.deepEqual(said(wider), [400, 'invalid_scope']);
      assert.equal((await again(second.refresh_token)).status, 200);
    });

    it('case 53: after revocation or withdrawal gets nothing', async () => {
      const first = await tokensOf(service, flow);
      await again(first.refresh_token);
      await decide(service, flow.patient, 'OPTED_OUT');
      assert.deepEqual(said(await again(first.refresh_token)), INVALID_GRANT);
      assert.equal((await grantOf(service, first.access_token)).revoked_because, 'consent_withdrawn');
    });

    it('case 53: is not there for codes', async () => {
      const tokens = await tokensOf(service, flow);
      assert.equal((await again(tokens.refresh_token)).status, 200);
      assert.equal((await grantOf(service, tokens.access_token)).generation, 2);
    });
  });
}

describe('refreshes at once on two server processes', () => {
  for (const [what, seconds, round] of [
    ['strict: one succeeds, and its family is dead', '0', strictRound],
    ['with a window: all get one successor, which goes on', WINDOW, patientRound],
  ] as const) {
    it(`case 53: ${what}, ${ROUNDS} times`, async () => {
      const environment = { ...UNLIMITED, CHARTGATE_OAUTH_REFRESH_RETRY_SECONDS: seconds };
      const service = await testService({ environment });
      const nodes = await Promise.all([
        processBeside(service, environment),
        processBeside(service, environment),
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
