import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createService } from '../../server/app.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { callMcp, obtainCode, exchangeCode, newFlow, refresh, type Flow } from '../harness/authorization.ts';
import { isLong } from '../harness/long.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startTestService, type TestService } from '../harness/service.ts';
import { ENGINES } from '../harness/store.ts';
import { createServerNode, type ServerNode } from '../storage/server-node.ts';
import { UNLIMITED } from './attack.ts';

interface Node {
  baseUrl: string;
}

/**
 * One code, exchanged so many times at once, in turn on the nodes: one succeeds, and since the others came with all that
 * belongs to it, what it got is dead on every node.
 */
async function race(nodes: readonly Node[], flow: Flow, times: number): Promise<void> {
  const clientId = flow.client.client_id as string;
  const code = await obtainCode(flow);
  const selectNode = (index: number): Node => nodes[index % nodes.length] as Node;
  const answers = await Promise.all(
    Array.from({ length: times }, (_, index) => exchangeCode(selectNode(index), flow, code)),
  );
  const won = answers.filter(({ status }) => status === 200);
  assert.equal(won.length, 1, `${times} at once: ${answers.map(({ status }) => status).join(' ')}`);
  for (const { status, body } of answers)
    if (status !== 200) assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  const tokens = won[0]?.body as { access_token: string; refresh_token: string };
  for (const node of nodes) {
    assert.deepEqual((await callMcp(node, tokens.access_token)).body, { error: 'unauthorized' });
    assert.equal((await callMcp(node, tokens.access_token, 'tools/call')).status, 401);
    const { status, body } = await refresh(node, clientId, tokens.refresh_token);
    assert.deepEqual([status, body.error], [400, 'invalid_grant']);
  }
}

/** 2 … 20 at once, each a few times; in `npm test` the smallest, the largest and one between. */
const SIZES = isLong
  ? [2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
  : [2, 5, 20];

/** One after another, each in a test of its own. */
function defineRaces(what: string, on: () => { nodes: readonly Node[]; flow: Flow }): void {
  SIZES.forEach((times, round) => {
    it(`case 22: ${what}, round ${round + 1}: of ${times} exchanges at once exactly one succeeds, and ends up revoked`, () => {
      const { nodes, flow } = on();
      return race(nodes, flow, times);
    });
  });
}

for (const engine of ENGINES) {
  describe(`a code raced for in one process: ${engine}`, () => {
    let service: TestService;
    let flow: Flow;
    before(async () => {
      service = await startTestService({ engine, environment: UNLIMITED });
      flow = await newFlow(service);
    });
    after(() => service.stop());
    defineRaces('in one process', () => ({ nodes: [service], flow }));

    it('case 22: of codes of one grant each, exchanged at once, all succeed', async () => {
      const codes: string[] = [];
      for (let count = 0; count < 8; count++) codes.push(await obtainCode(flow));
      const answers = await Promise.all(codes.map((code) => exchangeCode(service, flow, code)));
      for (const { status, body } of answers) {
        assert.equal(status, 200);
        assert.equal((await callMcp(service, body.access_token as string)).status, 200);
      }
    });

    it('case 22: of a race with wrong verifiers among it, one succeeds and stays', async () => {
      for (let round = 0; round < (isLong ? 5 : 2); round++) {
        const code = await obtainCode(flow);
        const wrong = { code_verifier: 'x'.repeat(43) };
        const answers = await Promise.all(
          Array.from({ length: 10 }, (_, index) =>
            exchangeCode(service, flow, code, index === 4 ? {} : wrong),
          ),
        );
        assert.deepEqual(
          answers.map(({ status }) => status),
          answers.map((_, index) => (index === 4 ? 200 : 400)),
        );
        assert.equal((await callMcp(service, answers[4]?.body.access_token as string)).status, 200);
      }
    });
  });
}

describe('a code raced for on two nodes of one process, each with its own connections', () => {
  let service: TestService;
  let flow: Flow;
  let other: Node;
  let stop: () => Promise<void>;
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
    flow = await newFlow(service);
    const { config, store, clock } = service;
    const db = await openDb({
      databaseUrl: store.databaseUrl,
      dataDirectory: store.dataDirectory,
      onFatal: (error) => {
        throw error;
      },
    });
    const { app } = createService({ config, db, clock });
    const port = await findFreePort();
    await app.listen({ port, host: '127.0.0.1' });
    other = { baseUrl: `http://127.0.0.1:${port}` };
    stop = async () => {
      await app.close();
      await db.close();
    };
  });
  after(async () => {
    await stop();
    await service.stop();
  });
  defineRaces('on two nodes', () => ({ nodes: [service, other], flow }));
});

describe('a code raced for across two server processes on one PostgreSQL', () => {
  let service: TestService;
  let flow: Flow;
  const processes: ServerNode[] = [];
  before(async () => {
    service = await startTestService({ environment: UNLIMITED });
    flow = await newFlow(service);
    for (let count = 0; count < 2; count++) {
      const node = createServerNode(await findFreePort(), {
        ...UNLIMITED,
        CHARTGATE_BASE_URL: service.baseUrl,
        CHARTGATE_DATA_DIR: service.store.dataDirectory,
        DATABASE_URL: service.store.databaseUrl ?? '',
      });
      processes.push(node);
      await node.start();
    }
  });
  after(async () => {
    for (const { stop } of processes) await stop();
    await service.stop();
  });
  defineRaces('across two processes', () => ({ nodes: processes, flow }));
});
