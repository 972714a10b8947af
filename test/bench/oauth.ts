import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { createOrganization } from '../../server/identity/members/create-organization.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { newTestPatient, type TestService } from '../harness/service.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { computeCpuMs, readCpuTimes } from './cpu-time.ts';
import { median } from './load.ts';
import { createBrowser, registerClient, type Target } from './oauth-load-client.ts';
import {
  startLoad,
  type Load,
  type LoadThread,
  type Operation,
  type Round,
  type Step,
} from './oauth-load.ts';
import { startChartgate, startProcess, type ServerProcess } from './server-process.ts';

const CONNECTIONS = 16;
const REDIRECT_URI = 'https://client.example/callback';
/** How many times oidc-provider's rate ours is to have. */
const GOALS: Readonly<Partial<Record<Row, number>>> = { refresh: 2, protocol: 1.5 };
/** A row is of one operation, or of the steps of a flow. */
type Row = Operation | 'protocol';
const ROWS = ['refresh', 'protocol', 'flow', 'evidence'] as const;
const NAMES = {
  refresh: 'refresh token grants',
  protocol:
    'code flows, authorize to token; the pictures of their screens, where they are demanded, not counted',
  flow: 'code flows, authorize to token, with evidence of 700 bytes',
  evidence: 'code flows, authorize to token, with evidence of 200 kB',
} as const;
/** What the library has no like of. */
const OURS_ALONE: ReadonlySet<Row> = new Set(['flow', 'evidence']);
/** Of a flow, what is counted of each. */
const STEPS: readonly { step: Step; counts: boolean }[] = [
  { step: 'begin', counts: true },
  { step: 'picture', counts: false },
  { step: 'finish', counts: true },
];

interface Contender {
  name: string;
  pid: number;
  databasePid: number | undefined;
  database: string;
  load: LoadThread;
}

interface Measurement extends Round {
  cpuMs: number;
  /** Of PostgreSQL. */
  databaseMs: number;
  walBytes: number;
}

/** Our authorization server against the certified library, on the same PostgreSQL, under the same client. */
export async function benchOAuth({ rounds = 4, seconds = 4, only = '' } = {}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  // Statements are counted in a round that is not timed.
  const postgres = await startBenchPostgres({ shared_preload_libraries: 'pg_stat_statements' });
  const admin = new pg.Client({ connectionString: postgres.url });
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    await admin.connect();
    stops.unshift(() => admin.end());
    await setTracking(admin, 'none');
    const contenders: Contender[] = [];
    for (const { name, start } of [
      { name: 'oidc-provider', start: startTheirs },
      { name: 'chartgate', start: startOurs },
    ]) {
      if (only !== '' && only !== name) continue;
      const database = name.replace('-', '_');
      await admin.query(`create database ${database}`);
      const options = { databaseUrl: databaseUrl(postgres.url, database), dataDirectory: folder };
      const { server, load } = await start(options);
      stops.unshift(server.stop);
      const thread = await startLoad(await load());
      stops.unshift(thread.stop);
      contenders.push({ name, pid: server.pid, databasePid: postgres.pid, database, load: thread });
    }
    process.stdout.write(
      `${CONNECTIONS} connections, ${rounds} interleaved rounds of ${seconds} s after one that warms up; medians.\n\n`,
    );
    for (const row of ROWS) {
      const selected = contenders.filter(({ name }) => name === 'chartgate' || !OURS_ALONE.has(row));
      await compare({ row, contenders: selected, admin, rounds, seconds });
    }
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

const databaseUrl = (url: string, database: string): string => url.replace(/[^/]*$/, database);

interface StartedServer {
  server: ServerProcess;
  /** Registers a client, and people where there are accounts. */
  load(): Promise<Load>;
}

interface StoreOptions {
  databaseUrl: string;
  dataDirectory: string;
}

async function startTheirs({ databaseUrl }: StoreOptions): Promise<StartedServer> {
  const port = await findFreePort();
  const server = await startProcess('test/bench/floors/oidc-provider.ts', {
    port,
    args: [String(port), databaseUrl],
    environment: { NODE_ENV: 'production', NODE_NO_WARNINGS: '1' },
  });
  const load = async (): Promise<Load> => ({
    target: await createTarget(server.url, '/oauth/authorize/'),
    people: Array.from({ length: CONNECTIONS }, () => undefined),
  });
  return { server, load };
}

async function startOurs({ databaseUrl, dataDirectory }: StoreOptions): Promise<StartedServer> {
  const port = await findFreePort();
  const db = await openDb({
    databaseUrl,
    dataDirectory,
    onFatal: (error) => process.stderr.write(`${error.message}\n`),
  });
  const organization = await createOrganization(
    { db, clock: systemClock },
    { name: 'Bench', project: 'Bench', adminEmail: 'bench@example.org' },
  );
  await db.close();
  if (!organization) throw new Error('the store is not empty');
  const server = await startChartgate(port, {
    CHARTGATE_DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    CHARTGATE_OAUTH_RATE_LIMIT: '100000000',
    CHARTGATE_LOG_LEVEL: 'error',
  });
  const service = { baseUrl: server.url, organization } as TestService;
  const load = async (): Promise<Load> => {
    const people = [];
    for (let user = 0; user < CONNECTIONS; user++)
      people.push(await newTestPatient(service, { consent: false }));
    return { target: await createTarget(server.url, '/oauth/complete/'), people };
  };
  return { server, load };
}

async function createTarget(url: string, completePath: string): Promise<Target> {
  const clientId = await registerClient(
    createBrowser(url, () => http.globalAgent),
    [REDIRECT_URI],
  );
  return { url, clientId, redirectUri: REDIRECT_URI, completePath };
}

interface Comparison {
  row: Row;
  contenders: Contender[];
  admin: pg.Client;
  rounds: number;
  seconds: number;
}

async function compare({ row, contenders, admin, rounds, seconds }: Comparison): Promise<void> {
  const results = new Map<Contender, Measurement[]>(contenders.map((contender) => [contender, []]));
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      const measured = await measure(row, contender, { admin, seconds: round === 0 ? 2 : seconds });
      if (round > 0) results.get(contender)?.push(measured);
    }
  }
  process.stdout.write(`oauth ${NAMES[row]}\n`);
  for (const [contender, measures] of results) {
    const statements = await countStatements(row, contender, admin);
    process.stdout.write(`  ${contender.name.padEnd(14)} ${formatLine(measures, statements)}\n`);
  }
  const [theirs, ours] = [...results.values()].map((measures) => computeRate(measures));
  if (ours !== undefined && theirs !== undefined)
    process.stdout.write(
      `  ratio          ${(ours / theirs).toFixed(2)} times oidc-provider (goal: ${GOALS[row]})\n`,
    );
  process.stdout.write('\n');
}

interface Conditions {
  admin: pg.Client;
  /** At least. */
  seconds: number;
}

function measure(row: Row, contender: Contender, { admin, seconds }: Conditions): Promise<Measurement> {
  return row === 'protocol'
    ? measureSteps(contender, { admin, seconds })
    : measureOne(contender, admin, () => contender.load.run(row, seconds));
}

async function measureOne(
  { pid, databasePid }: Contender,
  admin: pg.Client,
  run: () => Promise<Round>,
): Promise<Measurement> {
  const read = async () => ({
    server: readCpuTimes([pid]),
    database: readCpuTimes(databasePid === undefined ? [] : [databasePid]),
    walBytes: await readWalBytes(admin),
  });
  const before = await read();
  const round = await run();
  const after = await read();
  return {
    ...round,
    cpuMs: computeCpuMs(before.server, after.server),
    databaseMs: computeCpuMs(before.database, after.database),
    walBytes: after.walBytes - before.walBytes,
  };
}

/** The sum of the steps that count; a flow takes as long as its steps together. */
async function measureSteps(contender: Contender, { admin, seconds }: Conditions): Promise<Measurement> {
  const sum: Measurement = {
    operations: 0,
    seconds: 0,
    p50: 0,
    p99: 0,
    polls: 0,
    cpuMs: 0,
    databaseMs: 0,
    walBytes: 0,
  };
  let batches = 0;
  while (sum.seconds < seconds) {
    batches++;
    for (const { step, counts } of STEPS) {
      const measured = await measureOne(contender, admin, () => contender.load.step(step));
      if (!counts) continue;
      if (step === 'finish') sum.operations += measured.operations;
      for (const name of ['seconds', 'p50', 'p99', 'polls', 'cpuMs', 'databaseMs', 'walBytes'] as const)
        sum[name] += measured[name];
    }
  }
  return { ...sum, p50: sum.p50 / batches, p99: sum.p99 / batches };
}

const computeRate = (measures: Measurement[]): number =>
  median(measures.map(({ operations, seconds }) => operations / seconds));

function formatLine(measures: Measurement[], statements: number | null): string {
  const per = (name: 'cpuMs' | 'databaseMs' | 'walBytes' | 'polls'): number =>
    median(measures.map((measure) => measure[name] / measure.operations));
  const of = (name: 'p50' | 'p99'): string => median(measures.map((measure) => measure[name])).toFixed(1);
  const polls = per('polls');
  return [
    `${computeRate(measures).toFixed(0).padStart(6)} /s`,
    `p50 ${of('p50')} ms, p99 ${of('p99')} ms`,
    `${per('cpuMs').toFixed(2)} + ${per('databaseMs').toFixed(2)} ms of CPU (server + PostgreSQL)`,
    `${statements === null ? '?' : statements.toFixed(1)} statements`,
    `${per('walBytes').toFixed(0)} bytes of WAL`,
    ...(polls > 0 ? [`${polls.toFixed(1)} polls`] : []),
  ].join('   ');
}

async function readWalBytes(admin: pg.Client): Promise<number> {
  const { rows } = await admin.query<{ bytes: string }>(
    `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes`,
  );
  return Number(rows[0]?.bytes);
}

/** What the servers ask of PostgreSQL for one operation; null where the extension is not installed. */
async function countStatements(row: Row, contender: Contender, admin: pg.Client): Promise<number | null> {
  try {
    await admin.query('create extension if not exists pg_stat_statements');
  } catch {
    return null;
  }
  await setTracking(admin, 'top');
  let operations = 0;
  let statements = 0;
  const count = async (run: () => Promise<Round>): Promise<void> => {
    const before = await readStatements(admin, contender.database);
    ({ operations } = await run());
    statements += (await readStatements(admin, contender.database)) - before;
  };
  if (row !== 'protocol') await count(() => contender.load.run(row, 1));
  else
    for (const { step, counts } of STEPS) {
      const run = (): Promise<Round> => contender.load.step(step);
      await (counts ? count(run) : run());
    }
  await setTracking(admin, 'none');
  return statements / operations;
}

async function readStatements(admin: pg.Client, database: string): Promise<number> {
  const { rows } = await admin.query<{ calls: string }>(
    'select coalesce(sum(calls), 0) as calls from pg_stat_statements s join pg_database d on d.oid = s.dbid where datname = $1',
    [database],
  );
  return Number(rows[0]?.calls);
}

async function setTracking(admin: pg.Client, what: 'top' | 'none'): Promise<void> {
  await admin.query(`alter system set pg_stat_statements.track = '${what}'`);
  await admin.query('select pg_reload_conf()');
  // Until every backend has read it.
  await new Promise((wake) => setTimeout(wake, 300));
}
