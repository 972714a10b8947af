import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { openStore } from '../../server/platform/db/open.ts';
import { one } from '../../server/platform/db/db.ts';
import { raw, sql } from '../../server/platform/db/sql.ts';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { startPostgres } from '../harness/postgres.ts';
import { newTestPatient, type TestPatient, type TestService } from '../harness/service.ts';
import type { Engine } from '../harness/store.ts';
import {
  prepareArchive,
  requestJson,
  startServer,
  type BenchServerOptions,
  type Server,
} from './bench-service.ts';
import { readCpuTime, waitUntilAtRest } from './cpu-time.ts';
import { createCosts, divide, printCosts, SIDES, type Cost, type Side } from './paired-costs.ts';

interface ToolCall {
  name: string;
  arguments: object;
}

const TOOLS: readonly ToolCall[] = [
  { name: 'get_conditions', arguments: {} },
  { name: 'get_health_summary', arguments: {} },
  { name: 'search', arguments: { query: 'high blood pressure' } },
];

const ENGINES = (process.env['CHARTGATE_BENCH_ENGINES'] ?? 'postgresql,embedded').split(',') as Engine[];
const ROUNDS = Number(process.env['CHARTGATE_BENCH_ROUNDS'] ?? 7);
const CALLS = 600;
const FIRST_CALLS = 120;
interface Contender {
  side: Side;
  engine: Engine;
  /** Of the database server, if there is one. */
  databasePid: number | undefined;
  options: BenchServerOptions;
}

/**
 * What a call and an upload cost in CPU time, of this checkout and of another (`CHARTGATE_BENCH_BEFORE`), in interleaved rounds:
 * where others use the machine too, wall time says nothing. Each has a database server of its own.
 */
export async function benchPaired(): Promise<void> {
  const before = process.env['CHARTGATE_BENCH_BEFORE'];
  if (before === undefined)
    throw new Error('CHARTGATE_BENCH_BEFORE: the folder of the checkout to compare with');
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-paired-'));
  const stops: (() => Promise<void>)[] = [];
  try {
    const contenders: Contender[] = [];
    for (const engine of ENGINES)
      for (const side of SIDES) {
        const dataDirectory = path.join(folder, `${engine}-${side}`);
        const root = side === 'before' ? path.resolve(before) : undefined;
        contenders.push(await createContender({ side, engine, dataDirectory, root }, stops));
      }
    const only = process.env['CHARTGATE_BENCH_ONLY'];
    if (only !== 'ingest') await compareTools(contenders, folder, stops);
    if (only !== 'mcp') await compareIngest(contenders, folder);
  } finally {
    for (const stop of stops.toReversed()) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function createContender(
  {
    side,
    engine,
    dataDirectory,
    root,
  }: Pick<Contender, 'side' | 'engine'> & { dataDirectory: string; root: string | undefined },
  stops: (() => Promise<void>)[],
): Promise<Contender> {
  const settings = { fsync: 'on', autovacuum_naptime: '1s' };
  const postgres = engine === 'embedded' ? null : await startPostgres({ settings });
  if (postgres) stops.push(postgres.stop);
  const environment = { CHARTGATE_MCP_RATE_LIMIT: '100000000' };
  const options = {
    databaseUrl: postgres?.url,
    dataDirectory,
    environment,
    ...(root !== undefined && { root }),
  };
  return { side, engine, databasePid: postgres?.pid, options };
}

interface Reader {
  contender: Contender;
  server: Server;
  token: string;
}

async function compareTools(
  contenders: readonly Contender[],
  folder: string,
  stops: (() => Promise<void>)[],
): Promise<void> {
  const archive = path.join(folder, 'record.zip');
  await writeRecordArchive({ seed: 3, years: 15, endsOn: new Date().toISOString().slice(0, 10) }, archive);
  for (const engine of ENGINES) {
    const readers: Reader[] = [];
    for (const contender of contenders.filter((each) => each.engine === engine)) {
      const server = await startServer(contender.options);
      stops.push(server.stop);
      const patient = await newConsentingPatient(server);
      await upload(server, patient, archive);
      readers.push({ contender, server, token: patient.token });
    }
    // Until autovacuum has seen the new record.
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    for (const tool of TOOLS) {
      const warm = (reader: Reader) => callTool(reader, tool, { amount: CALLS, connections: 8 });
      await compareReaders(`${tool.name}, ${engine}, ms a call`, readers, { calls: CALLS, work: warm });
      if (engine === 'embedded') continue;
      const first = (reader: Reader) => readAnew(reader, tool);
      await compareReaders(`${tool.name}, ${engine}, first reading, ms`, readers, {
        calls: FIRST_CALLS,
        work: first,
      });
    }
  }
}

async function compareReaders(
  what: string,
  readers: readonly Reader[],
  { calls, work }: { calls: number; work: (reader: Reader) => Promise<void> },
): Promise<void> {
  const costs = createCosts();
  for (let round = 0; round <= ROUNDS; round++)
    for (const reader of round % 2 === 0 ? readers : readers.toReversed()) {
      const cost = await measure(reader.contender, reader.server, () => work(reader));
      // The first round warms up.
      if (round > 0) costs[reader.contender.side].push(divide(cost, calls));
    }
  printCosts(what, costs);
}

/** One call after the other, each of a record of which no answer is kept; an older version keeps none. */
async function readAnew(reader: Reader, tool: ToolCall): Promise<void> {
  const db = await openStore({ ...reader.contender.options, onFatal: () => {} });
  try {
    const { keeps } = await one(
      db,
      sql<{ keeps: boolean }>`select to_regclass('kept_answer') is not null as keeps`,
    );
    for (let call = 0; call < FIRST_CALLS; call++) {
      if (keeps) await db.query(raw('delete from kept_answer'));
      await callOnce(reader, tool);
    }
  } finally {
    await db.close();
  }
}

const toRequest = ({ server, token }: Reader, tool: ToolCall) => ({
  url: `${server.url}/mcp`,
  method: 'POST' as const,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${token}`,
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool }),
});

/** One call; autocannon would take a second to see that it is over. */
async function callOnce(reader: Reader, tool: ToolCall): Promise<void> {
  const { url, ...request } = toRequest(reader, tool);
  const answer = await fetch(url, request);
  const text = await answer.text();
  if (!answer.ok || !text.includes('"content"')) throw new Error(`${url}: ${answer.status}`);
}

/** Any answer but 200 is an error of the benchmark. */
async function callTool(
  reader: Reader,
  tool: ToolCall,
  load: { amount: number; connections: number },
): Promise<void> {
  const { server } = reader;
  const result = await autocannon({ ...toRequest(reader, tool), ...load });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${server.url}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
}

/** Each round begins with an empty store, and ends when the record is complete. */
async function compareIngest(contenders: readonly Contender[], folder: string): Promise<void> {
  const { archive, source } = await prepareArchive(folder);
  const rounds = Number(process.env['CHARTGATE_BENCH_INGESTS'] ?? 3);
  for (const engine of ENGINES) {
    const costs = createCosts();
    const own = contenders.filter((each) => each.engine === engine);
    for (let round = 0; round < rounds; round++)
      for (const contender of round % 2 === 0 ? own : own.toReversed())
        costs[contender.side].push(await measureIngest(contender, archive));
    printCosts(`ingest of the ${source} record, ${engine}, ms`, costs);
  }
}

async function measureIngest({ engine, side, options }: Contender, archive: string): Promise<Cost> {
  const postgres = engine === 'embedded' ? null : await startPostgres({ settings: { fsync: 'on' } });
  const dataDirectory = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-paired-ingest-'));
  try {
    const server = await startServer({ ...options, databaseUrl: postgres?.url, dataDirectory });
    try {
      const patient = await newConsentingPatient(server);
      const contender = { engine, side, options, databasePid: postgres?.pid };
      await waitUntilAtRest([server.process.pid, postgres?.pid]);
      return await measure(contender, server, () => upload(server, patient, archive));
    } finally {
      await server.stop();
    }
  } finally {
    await postgres?.stop();
    fs.rmSync(dataDirectory, { recursive: true, force: true });
  }
}

const newConsentingPatient = ({ url, organization }: Server): Promise<TestPatient> =>
  newTestPatient({ baseUrl: url, organization } as TestService);

async function upload(
  server: Server,
  { id, token }: { id: string; token: string },
  archive: string,
): Promise<void> {
  const form = new FormData();
  form.append('file', new Blob([fs.readFileSync(archive)]), 'archive.zip');
  const { batchId } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token, body: form });
  for (;;) {
    const batch = await requestJson(server, `/v1/patients/${id}/upload-documents/${String(batchId)}`, {
      token,
    });
    if (batch['status'] === 'completed') return;
    if (batch['status'] !== 'queued' && batch['status'] !== 'processing')
      throw new Error(`the upload failed: ${JSON.stringify(batch)}`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
}

async function measure({ databasePid }: Contender, server: Server, work: () => Promise<void>): Promise<Cost> {
  const read = (): Cost => ({
    service: readCpuTime([server.process.pid as number]),
    database: databasePid === undefined ? 0 : readCpuTime([databasePid]),
  });
  const start = read();
  await work();
  const end = read();
  return { service: end.service - start.service, database: end.database - start.database };
}
