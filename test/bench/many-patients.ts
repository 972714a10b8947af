import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { newTestPatient, upload, type TestPatient, type TestService } from '../harness/service.ts';
import { startServer } from './bench-service.ts';
import type { CallPlan, CallReport } from './call-loop.ts';
import { copyRecord } from './copy-record.ts';
import { computeCpuMs, readCpuTimes, waitUntilAtRest } from './cpu-time.ts';

const run = promisify(execFile);

const PATIENTS = Number(process.env['CHARTGATE_BENCH_PATIENTS'] ?? 1000);
const CALLS = Number(process.env['CHARTGATE_BENCH_CALLS'] ?? 6000);
const CONNECTIONS = 8;

/** Every patient has one of these: years and visits a year. */
const RECORDS = [
  { years: 3, visitsPerYear: 4 },
  { years: 10, visitsPerYear: 4 },
  { years: 20, visitsPerYear: 6 },
  { years: 40, visitsPerYear: 11 },
];

/** What agents ask, by its share of a hundred calls. */
const MIX: readonly { share: number; name: string; input?: object }[] = [
  { share: 20, name: 'get_health_summary' },
  { share: 14, name: 'get_labs' },
  { share: 12, name: 'get_medications' },
  { share: 12, name: 'get_conditions' },
  { share: 8, name: 'get_vitals', input: { vitals: ['Blood Pressure'] } },
  { share: 8, name: 'get_visits', input: { years: 1 } },
  { share: 5, name: 'get_labs', input: { tests: ['4548-4'] } },
  { share: 5, name: 'get_allergies' },
  { share: 5, name: 'search', input: { query: 'high blood pressure' } },
  { share: 4, name: 'get_immunizations' },
  { share: 3, name: 'get_procedures' },
  { share: 2, name: 'search_clinical_notes', input: { query: 'pain' } },
  { share: 2, name: 'get_other_records' },
];

/**
 * Tools in a mix as agents use them, over many patients with records of four sizes, on PostgreSQL: a first pass of which no
 * answer is kept, and the same calls again, also by two processes. Says what the load generator itself costs.
 */
export async function benchManyPatients(): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-many-'));
  const postgres = await startBenchPostgres({ max_wal_size: '4GB' });
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    const options = { databaseUrl: postgres.url, dataDirectory: folder, port: await findFreePort() };
    const environment = { CHARTGATE_MCP_RATE_LIMIT: '100000000' };
    const server = await startServer({ ...options, environment });
    stops.unshift(server.stop);
    const service = { baseUrl: server.url, organization: server.organization } as TestService;
    const tokens = await createPatients(service, { databaseUrl: postgres.url, folder });
    const file = path.join(folder, 'plan.json');
    fs.writeFileSync(file, JSON.stringify(planCalls(server.url, tokens)));
    const pids = [server.process.pid, postgres.pid] as [number, number];
    await waitUntilAtRest(pids);
    for (const pass of ['first reading', 'again']) await measure(pass, { file, pids });
    await server.stop();
    stops.shift();
    const several = await startServer({
      ...options,
      environment: { ...environment, CHARTGATE_WORKERS: '2' },
    });
    stops.unshift(several.stop);
    const newPids = [several.process.pid, postgres.pid] as [number, number];
    await waitUntilAtRest(newPids);
    await measure('again, after a start of 2 processes', { file, pids: newPids });
    await measure('again, 2 processes', { file, pids: newPids });
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(
  pass: string,
  { file, pids }: { file: string; pids: readonly [number, number] },
): Promise<void> {
  const before = pids.map((pid) => readCpuTimes([pid]));
  const report = await callAll(file);
  const [service, database] = before.map((start, index) =>
    computeCpuMs(start, readCpuTimes([pids[index] as number])),
  );
  print(pass, report, { service: service as number, database: database as number });
}

/** Uploads a record of each size once, and copies it by statement to whom it falls to. Returns their tokens. */
async function createPatients(
  service: TestService,
  { databaseUrl, folder }: { databaseUrl: string; folder: string },
): Promise<string[]> {
  const database = new pg.Client(databaseUrl);
  await database.connect();
  try {
    const patients: TestPatient[] = [];
    while (patients.length < PATIENTS) patients.push(await newTestPatient(service));
    for (const [index, record] of RECORDS.entries()) {
      const [first, ...others] = patients.filter((_patient, each) => each % RECORDS.length === index);
      if (!first) continue;
      const archive = path.join(folder, 'record.zip');
      const endsOn = new Date().toISOString().slice(0, 10);
      await writeRecordArchive({ seed: 7 + index, ...record, endsOn }, archive);
      await upload(service, first, archive);
      await copyRecord(database, { from: first.id, to: others.map(({ id }) => id) });
    }
    await database.query('vacuum analyze');
    return patients.map(({ token }) => token);
  } finally {
    await database.end();
  }
}

/** Patients in turn, each asked for what comes next in a mix that is shuffled the same in each run. */
function planCalls(url: string, tokens: readonly string[]): CallPlan {
  const mix = MIX.flatMap(({ share, name, input = {} }) =>
    Array.from({ length: share }, () => ({ name, arguments: input })),
  );
  const calls = Array.from({ length: CALLS }, (_call, index) => ({
    token: tokens[(index * 7919) % tokens.length] as string,
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: index,
      method: 'tools/call',
      // 37 has no divisor in common with the hundred of the mix.
      params: mix[(index * 37 + Math.floor(index / mix.length)) % mix.length],
    }),
  }));
  return { url, connections: CONNECTIONS, calls };
}

async function callAll(file: string): Promise<CallReport> {
  const { stdout } = await run(process.execPath, [path.join(import.meta.dirname, 'call-loop.ts'), file]);
  return JSON.parse(stdout) as CallReport;
}

function print(
  pass: string,
  { p50, p95, seconds, ownCpuMs }: CallReport,
  cpuMs: { service: number; database: number },
): void {
  const [service, database, generator] = [cpuMs.service, cpuMs.database, ownCpuMs].map((ms) =>
    (ms / CALLS).toFixed(2),
  );
  process.stdout.write(
    `many patients, ${pass}: ${PATIENTS} patients, ${CALLS} calls of a mix, ${CONNECTIONS} connections; ${(CALLS / seconds).toFixed(0)} calls/s, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; CPU a call: service ${service} ms, database ${database} ms, load generator ${generator} ms\n`,
  );
}
