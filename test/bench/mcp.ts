import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { createOrganization } from '../../server/identity/members/create-organization.ts';
import { openDb } from '../../server/platform/db/open.ts';
import { call, newTestPatient, upload, type TestPatient, type TestService } from '../harness/service.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { measureCallsPerSecond, median } from './load.ts';
import { startProcess, startChartgate, type ServerProcess } from './server-process.ts';

const TOOLS = ['get_conditions', 'get_health_summary'] as const;
type ToolName = (typeof TOOLS)[number];

const buildBody = (name: ToolName): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } });

interface Contender {
  name: string;
  server: ServerProcess;
  token?: string;
}

/** `tools/call`, consent check and audit included, against an empty route and a bare server of the official SDK. */
export async function benchMcp({ rounds = 5, seconds = 3 } = {}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  const postgres = await startBenchPostgres({ autovacuum_naptime: '1s' });
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    const archive = path.join(folder, 'record.zip');
    const { resources } = await writeRecordArchive(
      { seed: 3, years: 15, endsOn: new Date().toISOString().slice(0, 10) },
      archive,
    );
    process.stdout.write(
      `A record of ${resources} resources; 8 connections, ${rounds} interleaved rounds of ${seconds} s; calls a second, medians.\n\n`,
    );
    const ours: { engine: string; server: ServerProcess; patient: TestPatient }[] = [];
    for (const engine of ['postgresql', 'embedded']) {
      const started = await startService({
        engine,
        databaseUrl: postgres.url,
        dataDirectory: path.join(folder, engine),
        archive,
      });
      ours.push({ engine, ...started });
      stops.unshift(started.server.stop);
    }
    for (const name of TOOLS) {
      const bytes = await measureResponseBytes(
        ours[0] as { server: ServerProcess; patient: TestPatient },
        name,
      );
      const floors = await startFloors(bytes);
      const contenders: Contender[] = [
        ...floors,
        ...ours.map(({ engine, server, patient }) => ({
          name: `chartgate, ${engine}`,
          server,
          token: patient.token,
        })),
      ];
      await compare({ name, bytes, contenders, rounds, seconds });
      for (const { server } of floors) await server.stop();
    }
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

interface Setup {
  engine: string;
  databaseUrl: string;
  dataDirectory: string;
  archive: string;
}

export async function startService({
  engine,
  databaseUrl,
  dataDirectory,
  archive,
}: Setup): Promise<{ server: ServerProcess; patient: TestPatient }> {
  const port = await findFreePort();
  const store = { databaseUrl: engine === 'postgresql' ? databaseUrl : undefined, dataDirectory };
  const db = await openDb({ ...store, onFatal: (error) => process.stderr.write(`${error.message}\n`) });
  const organization = await createOrganization(
    { db, clock: systemClock },
    { name: 'Bench', project: 'Bench', adminEmail: 'bench@example.org' },
  );
  await db.close();
  if (!organization) throw new Error('the store is not empty');
  const server = await startChartgate(port, {
    CHARTGATE_DATA_DIR: dataDirectory,
    ...(store.databaseUrl !== undefined && { DATABASE_URL: store.databaseUrl }),
    CHARTGATE_MCP_RATE_LIMIT: '100000000',
    CHARTGATE_LOG_LEVEL: 'error',
  });
  const service = { baseUrl: server.url, organization } as TestService;
  const patient = await newTestPatient(service);
  await upload(service, patient, archive);
  // Until autovacuum has seen the new record.
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  return { server, patient };
}

async function measureResponseBytes(
  { server, patient }: { server: ServerProcess; patient: TestPatient },
  name: ToolName,
): Promise<number> {
  const answer = await call({ baseUrl: server.url }, '/mcp', {
    token: patient.token,
    body: buildBody(name),
    headers: { 'content-type': 'application/json' },
  });
  return (answer.body.result.content[0].text as string).length;
}

async function startFloors(bytes: number): Promise<Contender[]> {
  const files = [
    ['an empty Fastify route', 'test/bench/floors/empty-route.ts'],
    ['official SDK, a constant', 'test/bench/floors/sdk-server.ts'],
  ] as const;
  return Promise.all(
    files.map(async ([name, file]) => {
      const port = await findFreePort();
      return { name, server: await startProcess(file, { port, args: [String(port), String(bytes)] }) };
    }),
  );
}

async function compare(comparison: {
  name: ToolName;
  bytes: number;
  contenders: Contender[];
  rounds: number;
  seconds: number;
}): Promise<void> {
  const results = new Map<string, number[]>(comparison.contenders.map(({ name }) => [name, []]));
  for (let round = 0; round <= comparison.rounds; round++) {
    for (const { name, server, token } of comparison.contenders) {
      const rate = await measureCallsPerSecond({
        url: `${server.url}/mcp`,
        ...(token !== undefined && { token }),
        body: buildBody(comparison.name),
        seconds: round === 0 ? 1 : comparison.seconds,
      });
      // The first round warms up.
      if (round > 0) results.get(name)?.push(rate);
    }
  }
  const [empty, sdk] = comparison.contenders.map(({ name }) => median(results.get(name) as number[])) as [
    number,
    number,
  ];
  process.stdout.write(`mcp ${comparison.name} (${comparison.bytes} characters)\n`);
  for (const [name, rates] of results) {
    const rate = median(rates);
    process.stdout.write(
      `  ${name.padEnd(28)} ${rate.toFixed(0).padStart(7)} /s   ${(rate / empty).toFixed(2)} of the empty route   ${(rate / sdk).toFixed(2)} of the SDK\n`,
    );
  }
  process.stdout.write('\n');
}
