import assert from 'node:assert/strict';
import os from 'node:os';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';
import { VERSION } from '../../contract/version.ts';
import { readConfig } from '../../server/config.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { findFreePort } from '../harness/postgres.ts';
import { createDatabase } from '../harness/store.ts';
import { createServerNode, type ServerNode } from './server-node.ts';

const METRICS_TOKEN = 'a-token-for-metrics';
/** Token requests a minute from one address: ten times of CHARTGATE_OAUTH_RATE_LIMIT. */
const TOKEN_REQUESTS = 20;
const WAIT_MS = 600_000;
/** Far longer than any answer takes: what has none by then hangs. */
const HANGS_AFTER_MS = 60_000;

describe('several processes on one port', () => {
  let node: ServerNode;
  let metricsPort: number;
  let limitedFrom = 0;
  before(async () => {
    metricsPort = await findFreePort();
    node = createServerNode(await findFreePort(), {
      DATABASE_URL: await createDatabase(),
      CHARTGATE_DATA_DIR: os.tmpdir(),
      CHARTGATE_WORKERS: '2',
      CHARTGATE_METRICS_PORT: String(metricsPort),
      CHARTGATE_METRICS_TOKEN: METRICS_TOKEN,
      CHARTGATE_OAUTH_RATE_LIMIT: String(TOKEN_REQUESTS / 10),
    });
    await node.start();
    await waitFor(() => listProcesses().length === 2);
  });
  after(() => node.kill());

  /** Each on a connection of its own: connections are what processes are given in turn. */
  async function ask(path: string, options: { method?: 'POST'; base?: string; signal?: AbortSignal } = {}) {
    const { method = 'GET', base = node.baseUrl, signal } = options;
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    const answer = await request(`${base}${path}`, {
      method,
      headers,
      reset: true,
      ...(signal && { signal }),
    });
    return { status: answer.statusCode, text: await answer.body.text() };
  }

  /** Of the processes that were ever said to serve, those that are alive. */
  const listProcesses = (): number[] =>
    [...node.output.matchAll(/process (\d+) serves/g)].map(([, pid]) => Number(pid)).filter(isAlive);

  const countTokenRequests = (metrics: string): number =>
    [
      ...metrics.matchAll(
        /^chartgate_http_request_duration_seconds_count\{.*route="\/oauth\/token".*\} (\d+)$/gm,
      ),
    ]
      .map(([, count]) => Number(count))
      .reduce((sum, count) => sum + count, 0);

  it('count the limits of the node together, and say the sum of their metrics wherever they are asked', async () => {
    limitedFrom = performance.now();
    const statuses: number[] = [];
    for (let count = 0; count <= TOKEN_REQUESTS; count++)
      statuses.push((await ask('/oauth/token', { method: 'POST' })).status);
    assert.deepEqual(
      statuses.map((status) => status === 429),
      [...Array.from({ length: TOKEN_REQUESTS }, () => false), true],
    );
    const metrics = [
      await ask('/metrics'),
      await ask('/metrics'),
      await ask('/metrics', { base: `http://127.0.0.1:${metricsPort}` }),
    ];
    for (const { status, text } of metrics) {
      assert.equal(status, 200);
      assert.equal(countTokenRequests(text), TOKEN_REQUESTS + 1);
      assert.match(text, /^chartgate_store_capacity 2$/m, 'what all say the same of is not added');
      assert.match(text, new RegExp(`^chartgate_build_info\\{version="${VERSION}"\\} 1$`, 'm'));
    }
  });

  it('report what the first of them found in the store, as one process does', async () => {
    const databaseUrl = await createDatabase();
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query(`insert into webhook_secret (organization_id, webhook_id, secret, created_at)
      values (gen_random_uuid(), gen_random_uuid(), 'whsec_in_plain_text', now())`);
    await admin.end();
    const several = createServerNode(await findFreePort(), {
      DATABASE_URL: databaseUrl,
      CHARTGATE_DATA_DIR: os.tmpdir(),
      CHARTGATE_WORKERS: '2',
      CHARTGATE_SECRETS_KEY: Buffer.alloc(32, 'a').toString('base64'),
      CHARTGATE_OAUTH_PROJECT_ID: generateId(),
    });
    await several.start();
    await waitFor(() => several.startupReport.includes('  open  '));
    await several.kill();
    const report = several.startupReport;
    assert.match(report, /secrets {5}sealed; not under the first key yet: 1 of 1,/);
    assert.match(report, /schema {6}/);
    assert.match(report, /warning {5}CHARTGATE_OAUTH_PROJECT_ID names what is not in the store yet/);
  });

  it('are restarted one after another without a failed request, and nothing that was counted is lost', async () => {
    const before = listProcesses();
    const failed: string[] = [];
    const over = new AbortController();
    let asked = 0;
    const load = Array.from({ length: 4 }, async () => {
      for (; !over.signal.aborted; asked++) {
        const status = await ask('/healthz').then(({ status: given }) => given, String);
        if (status !== 200) failed.push(String(status));
        await sleep(25);
      }
    });
    node.signal('SIGHUP');
    await waitFor(() => node.output.includes('all processes were restarted'));
    over.abort();
    await Promise.all(load);
    assert.ok(asked > 0);
    assert.deepEqual(failed, []);
    assert.deepEqual(before.filter(isAlive), []);
    assert.equal(listProcesses().length, 2);
    assert.equal(countTokenRequests((await ask('/metrics')).text), TOKEN_REQUESTS + 1);
    const { status } = await ask('/oauth/token', { method: 'POST' });
    // On a busy machine the minute may be over.
    if (performance.now() - limitedFrom < 60_000) assert.equal(status, 429, 'the limit goes on');
  });

  it('case 346: are replaced when one is killed, no connection to it hangs, and what it had said that it counted stays', async () => {
    const [victim] = listProcesses() as [number];
    const counted = countTokenRequests((await ask('/metrics')).text);
    // It takes none of the connections that it is handed.
    process.kill(victim, 'SIGSTOP');
    const asked = Array.from({ length: 4 }, () => {
      const signal = AbortSignal.timeout(HANGS_AFTER_MS);
      const explain = (error: unknown): string => (signal.aborted ? 'hangs' : String(error));
      return ask('/healthz', { signal }).then(({ status }) => status, explain);
    });
    await Promise.race(asked);
    process.kill(victim, 'SIGKILL');
    const outcomes = await Promise.all(asked);
    assert.ok(!outcomes.includes('hangs'), outcomes.join());
    assert.ok(
      outcomes.filter((outcome) => outcome !== 200).length <= 1,
      `no more than one: ${outcomes.join()}`,
    );
    await waitFor(() => !isAlive(victim) && listProcesses().length === 2);
    assert.match(node.output, new RegExp(`process ${victim} ended \\(SIGKILL\\), another takes its place`));
    assert.equal((await ask('/healthz')).status, 200);
    assert.equal(countTokenRequests((await ask('/metrics')).text), counted);
  });

  it('end with the one that supervises them, in good order or not', async () => {
    const stopped = listProcesses();
    await node.stop();
    assert.deepEqual(stopped.filter(isAlive), []);
    await node.start();
    await waitFor(() => listProcesses().length === 2);
    const orphans = listProcesses();
    await node.kill();
    await waitFor(() => !orphans.some(isAlive));
  });
});

describe('one process', () => {
  it('goes on after SIGHUP, and says that there was nothing to do', async (t) => {
    const node = createServerNode(await findFreePort(), {
      DATABASE_URL: await createDatabase(),
      CHARTGATE_DATA_DIR: os.tmpdir(),
      CHARTGATE_LOG_LEVEL: 'warn',
    });
    t.after(() => node.kill());
    await node.start();
    // It answers a moment before its start is complete.
    await waitFor(() => {
      node.signal('SIGHUP');
      return node.output.includes('SIGHUP has no effect on one process');
    });
    assert.equal((await request(`${node.baseUrl}/healthz`)).statusCode, 200);
    await node.stop();
  });
});

it('CHARTGATE_WORKERS is one a CPU where it is auto, and nothing for the embedded store', () => {
  const DATABASE_URL = 'postgresql://db.example/chartgate';
  assert.equal(readConfig({}).processes, 1);
  assert.equal(readConfig({ DATABASE_URL, CHARTGATE_WORKERS: '3' }).processes, 3);
  assert.equal(readConfig({ DATABASE_URL, CHARTGATE_WORKERS: 'auto' }).processes, os.availableParallelism());
  for (const value of ['0', 'many', '65', '1.5'])
    assert.throws(
      () => readConfig({ DATABASE_URL, CHARTGATE_WORKERS: value }),
      /CHARTGATE_WORKERS must be auto or a whole number from 1 to 64/,
    );
  for (const value of ['2', 'auto'])
    assert.throws(
      () => readConfig({ CHARTGATE_WORKERS: value }),
      /CHARTGATE_WORKERS needs DATABASE_URL: the embedded store is inside of one process/,
    );
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function waitFor(condition: () => boolean): Promise<void> {
  const until = performance.now() + WAIT_MS;
  while (!condition()) {
    assert.ok(performance.now() < until, 'it did not come to that');
    await sleep(50);
  }
}
