import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { call, callTool, decide, newTestPatient, upload } from '../harness/service.ts';
import type { TestPatient, TestService } from '../harness/service.ts';
import { startServer, type Server } from './bench-service.ts';
import { fillConsoleStore, type StoreSize } from './console-store.ts';
import { computeCpuMs, readCpuTimes, waitUntilAtRest } from './cpu-time.ts';
import { drawPlot, type Series } from './growth-plot.ts';
import { median } from './load.ts';

/** What grows, from size to size; everything else stays as it is. */
interface Axis {
  name: string;
  title: string;
  unit: string;
  sizes: readonly number[];
  /** Rows that are there before; made by statement. */
  toStore(size: number): StoreSize;
  /** The record of the patient who is read. */
  toRecord(size: number): { years: number; visitsPerYear: number };
  calls: readonly Call[];
}

interface Call {
  name: string;
  /** How often it is made in a round. */
  count: number;
  /** False for what must read more where there is more; then nothing is said of its growth. */
  isFlat?: false;
  run(context: Context): Promise<unknown>;
}

interface Context {
  service: TestService;
  patient: TestPatient;
  admin: string;
  database: pg.Client;
  turn: number;
}

const ROUNDS = Number(process.env['CHARTGATE_BENCH_ROUNDS'] ?? 5);
/** A tenth leaves out the largest of sizes that grow tenfold. */
const SHARE = Number(process.env['CHARTGATE_BENCH_SHARE'] ?? 1);
const PICTURES = path.join(import.meta.dirname, '../../docs/pictures');
/** What a call may cost more at the last size than at the first, where it need not read more. */
const ALLOWED = 1.2;

const NOTHING: StoreSize = { patients: 0, auditEntries: 0, attempts: 0 };
const RECORD = { years: 20, visitsPerYear: 4 };
/** By resources, as the generator makes them. */
const PLANS = new Map([
  [500, { years: 6, visitsPerYear: 4 }],
  [2_000, { years: 24, visitsPerYear: 4 }],
  [8_000, { years: 40, visitsPerYear: 11 }],
  [32_000, { years: 44, visitsPerYear: 40 }],
  [131_000, { years: 70, visitsPerYear: 100 }],
]);

const callOk = async (answer: ReturnType<typeof call>): Promise<void> => {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
};
const useTool =
  (name: string, input: object = {}) =>
  ({ service, patient }: Context): Promise<void> =>
    callOk(callTool(service, patient, name, input));
const get =
  (toPath: (context: Context) => string, who: 'admin' | 'patient' = 'patient') =>
  (context: Context): Promise<void> =>
    callOk(
      call(context.service, toPath(context), {
        token: who === 'admin' ? context.admin : context.patient.token,
      }),
    );

const AGAIN: Call = { name: 'get_conditions, asked again', count: 300, run: useTool('get_conditions') };
const FIRST: Call = {
  name: 'get_conditions, first reading',
  count: 100,
  async run(context) {
    await context.database.query('delete from kept_answer');
    await useTool('get_conditions')(context);
  },
};
const ONE_TEST: Call = {
  name: 'get_labs of one test',
  count: 100,
  run: useTool('get_labs', { tests: ['4548-4'], years: 1 }),
};
const SEARCH: Call = {
  name: 'search',
  count: 20,
  isFlat: false,
  run: useTool('search', { query: 'diabetes' }),
};
const PAGE: Call = {
  name: '$everything, a page of 100',
  count: 100,
  run: get(({ patient }) => `/FHIR/R4/Person/${patient.id}/$everything?_count=100`, 'admin'),
};
const DECISION: Call = {
  name: 'a decision',
  count: 100,
  async run({ service, patient, turn }) {
    await callOk(decide(service, patient, turn % 2 === 0 ? 'OPTED_OUT' : 'OPTED_IN'));
  },
};
const PATIENTS: Call = {
  name: 'a list of patients',
  count: 100,
  run: get(
    ({ service }) => `/v1/organizations/${service.organization.organizationId}/patients?limit=50`,
    'admin',
  ),
};
const READS: Call = {
  name: 'who read what, 50 reads',
  count: 100,
  run: get(
    ({ service }) => `/v1/organizations/${service.organization.organizationId}/access-log?limit=50`,
    'admin',
  ),
};
const DELIVERIES: Call = {
  name: 'events, 50 of them',
  count: 100,
  run: get(
    ({ service }) => `/v1/organizations/${service.organization.organizationId}/webhook-events?limit=50`,
    'admin',
  ),
};

const AXES: readonly Axis[] = [
  {
    name: 'record',
    title: 'As a record grows',
    unit: 'resources of the record',
    sizes: [...PLANS.keys()],
    toStore: () => NOTHING,
    toRecord: (size) => PLANS.get(size) ?? RECORD,
    // A larger record has more visits a year, and so more measurements in one.
    calls: [AGAIN, { ...FIRST, isFlat: false }, { ...ONE_TEST, isFlat: false }, SEARCH, PAGE, DECISION],
  },
  {
    name: 'patients',
    title: 'As patients grow',
    unit: 'patients',
    sizes: [100, 1_000, 10_000, 100_000],
    toStore: (patients) => ({ ...NOTHING, patients }),
    toRecord: () => RECORD,
    calls: [AGAIN, FIRST, ONE_TEST, PAGE, DECISION, PATIENTS],
  },
  {
    name: 'audit',
    title: 'As the audit log grows',
    unit: 'entries of the audit log',
    sizes: [10_000, 100_000, 1_000_000, 10_000_000],
    toStore: (auditEntries) => ({ ...NOTHING, patients: 1_000, auditEntries }),
    toRecord: () => RECORD,
    calls: [AGAIN, FIRST, PAGE, DECISION, READS],
  },
  {
    name: 'deliveries',
    title: 'As deliveries of webhooks grow',
    unit: 'deliveries',
    sizes: [1_000, 10_000, 100_000, 1_000_000],
    toStore: (deliveries) => ({ ...NOTHING, patients: 1_000, attempts: deliveries * 1.25 }),
    toRecord: () => RECORD,
    calls: [AGAIN, PAGE, DECISION, DELIVERIES],
  },
];

/**
 * What a call costs as a record, the number of patients, the audit log and the history of webhooks grow, on PostgreSQL: CPU of
 * the service and of the database, medians of rounds. Each size has a database of its own; all are filled before the first is
 * measured, and rounds go from size to size, so that what else the machine does falls on each. Writes
 * docs/pictures/growth-*.svg. CHARTGATE_BENCH_ONLY names one of what grows, CHARTGATE_BENCH_SHARE=0.1 leaves out the largest
 * sizes.
 */
export async function benchGrowth(): Promise<void> {
  const only = process.env['CHARTGATE_BENCH_ONLY'];
  for (const axis of AXES.filter(({ name }) => only === undefined || only === name)) {
    const series = await measureAxis(axis);
    report(axis, series);
    fs.writeFileSync(path.join(PICTURES, `growth-${axis.name}.svg`), drawPlot({ ...axis, series }));
  }
}

interface Contender {
  size: number;
  context: Context;
  /** Of the service and of its database server. */
  pids: readonly number[];
}

async function measureAxis(axis: Axis): Promise<Series[]> {
  const largest = (axis.sizes.at(-1) ?? 0) * SHARE;
  const stops: (() => Promise<unknown>)[] = [];
  try {
    const contenders: Contender[] = [];
    for (const size of axis.sizes.filter((each) => each <= largest))
      contenders.push(await createContender(axis, size, stops));
    // What was written to fill them is not to be written while they are measured.
    for (const { context } of contenders) await context.database.query('checkpoint');
    await promisify(execFile)('sync');
    await waitUntilAtRest(contenders.flatMap(({ pids }) => pids));
    const costs = await measureCalls(axis, contenders);
    return axis.calls.map(({ name }, call) => ({
      name,
      points: contenders.map(({ size }, index) => ({ size, ms: median(costs[call]?.[index] ?? []) })),
    }));
  } finally {
    for (const stop of stops) await stop();
  }
}

async function createContender(
  axis: Axis,
  size: number,
  stops: (() => Promise<unknown>)[],
): Promise<Contender> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-growth-'));
  stops.unshift(async () => fs.rmSync(folder, { recursive: true, force: true }));
  const postgres = await startBenchPostgres({ max_wal_size: '4GB', autovacuum: 'off' });
  stops.unshift(postgres.stop);
  const environment = { CHARTGATE_MCP_RATE_LIMIT: '100000000' };
  const server = await startServer({ databaseUrl: postgres.url, dataDirectory: folder, environment });
  stops.unshift(server.stop);
  const database = new pg.Client(postgres.url);
  await database.connect();
  stops.unshift(() => database.end());
  const context = await prepare({ server, database, folder }, axis, size);
  return { size, context, pids: [server.process.pid as number, postgres.pid as number] };
}

async function prepare(
  { server, database, folder }: { server: Server; database: pg.Client; folder: string },
  axis: Axis,
  size: number,
): Promise<Context> {
  const { organization } = server;
  const service = { baseUrl: server.url, organization } as TestService;
  await fillConsoleStore((statement) => database.query(statement), organization, axis.toStore(size));
  const patient = await newTestPatient(service);
  const archive = path.join(folder, 'record.zip');
  const endsOn = new Date().toISOString().slice(0, 10);
  await writeRecordArchive({ seed: 3, ...axis.toRecord(size), endsOn }, archive);
  await upload(service, patient, archive);
  await database.query('vacuum analyze');
  const { body } = await call(service, '/v1/auth/token', { json: organization.admin });
  return { service, patient, admin: body.token as string, database, turn: 0 };
}

/** CPU-milliseconds of each call of the axis, by contender, of each round. */
async function measureCalls({ calls }: Axis, contenders: readonly Contender[]): Promise<number[][][]> {
  const costs = calls.map(() => contenders.map((): number[] => []));
  for (let round = 0; round <= ROUNDS; round++)
    for (const [call, { count, run }] of calls.entries())
      for (const [index, { context, pids }] of contenders.entries()) {
        const before = readCpuTimes(pids);
        for (let turn = 0; turn < count; turn++) await run({ ...context, turn });
        // The first round warms up.
        if (round > 0) costs[call]?.[index]?.push(computeCpuMs(before, readCpuTimes(pids)) / count);
      }
  return costs;
}

function report({ title, unit, calls }: Axis, series: readonly Series[]): void {
  const sizes = series[0]?.points.map(({ size }) => size.toLocaleString('en')) ?? [];
  process.stdout.write(`${title}: CPU-milliseconds a call at ${sizes.join(', ')} ${unit}\n`);
  for (const [index, { name, points }] of series.entries()) {
    const growth = (points.at(-1)?.ms ?? 0) / (points[0]?.ms ?? 1);
    const isOver = calls[index]?.isFlat !== false && growth > ALLOWED;
    process.stdout.write(
      `  ${name.padEnd(30)} ${points.map(({ ms }) => ms.toFixed(2).padStart(8)).join(' ')}   ${growth.toFixed(2)} times${isOver ? ', MORE THAN IT SHOULD' : ''}\n`,
    );
  }
  process.stdout.write('\n');
}
