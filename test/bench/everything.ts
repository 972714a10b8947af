import { execFile } from 'node:child_process';
import http from 'node:http';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import {
  prepareArchive,
  requestJson,
  newPatient,
  startServer,
  uploadArchive,
  type BenchServerOptions,
  type Server,
} from './bench-service.ts';
import { readMemory } from '../harness/process-memory.ts';
import { median } from './load.ts';
import { startProcess } from './server-process.ts';

const READERS = [1, 8];
const COUNTS = [100, 1000];
const ROUNDS = 5;
const run = promisify(execFile);

/** What a reader in another process downloads, with curl: the seconds it took. */
async function measureSeconds(url: string, token: string, more: string[] = []): Promise<number> {
  const { stdout } = await run('curl', [
    '-sS',
    '--fail',
    ...more,
    '-o',
    '/dev/null',
    '-w',
    '%{time_total}',
    '-H',
    `Authorization: Bearer ${token}`,
    url,
  ]);
  return Number(stdout);
}

interface RecordBench {
  server: Server;
  token: string;
  patientId: string;
  /** Bytes of the record as NDJSON. */
  bytes: number;
}

const buildEverythingUrl = ({ server, patientId }: RecordBench, query = ''): string =>
  `${server.url}/FHIR/R4/Person/${patientId}/$everything${query}`;

const NDJSON = ['-H', 'Accept: application/fhir+ndjson'];

/** `$everything` against COPY of the same bodies by psql and against a route that sends ready bytes, in the same run. */
export async function benchEverything(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-everything-'));
  const postgres = await startBenchPostgres();
  try {
    const small = join(folder, 'small.zip');
    await writeRecordArchive({ seed: 1, years: 40, visitsPerYear: 11, endsOn: '2026-01-01' }, small);
    const archives = [small, (await prepareArchive(folder)).archive];
    for (const engine of ['postgresql', 'embedded'] as const) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const options = { databaseUrl, dataDirectory: join(folder, engine), port: await findFreePort() };
      await measure(options, { archives, folder });
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server that reads has not imported, so that its memory is that of reading. */
async function measure(
  options: BenchServerOptions,
  { archives, folder }: { archives: string[]; folder: string },
): Promise<void> {
  const importer = await startServer(options);
  const records: { token: string; patientId: string }[] = [];
  for (const archive of archives) records.push(await importRecord(importer, archive));
  await importer.stop();
  for (const record of records) {
    const server = await startServer(options);
    const target = { ...record, server, bytes: 0 };
    const file = join(folder, 'whole.ndjson');
    const bearer = `Authorization: Bearer ${target.token}`;
    await run('curl', ['-sS', '--fail', ...NDJSON, '-o', file, '-H', bearer, buildEverythingUrl(target)]);
    target.bytes = statSync(file).size;
    const port = await findFreePort();
    const floor = resolve(import.meta.dirname, 'floors/ready-bytes.ts');
    const ready = await startProcess(floor, { port, args: [String(port), file] });
    const counted = buildEverythingUrl(target, '?_count=0').slice(server.url.length);
    const { total } = await requestJson(server, counted, target);
    const engine = options.databaseUrl === undefined ? 'embedded' : 'postgresql';
    print(`${engine}: ${String(total)} resources, ${(target.bytes / 1e6).toFixed(1)} MB`);
    for (const readers of READERS) await printThroughput(options, { target, readers, ready: ready.url });
    await measureDeepPage(target);
    await ready.stop();
    await server.stop();
  }
}

/** MB a second: all readers' bytes over the time until the last is done; medians of interleaved rounds. */
async function printThroughput(
  { databaseUrl }: BenchServerOptions,
  { target, readers, ready }: { target: RecordBench; readers: number; ready: string },
): Promise<void> {
  const contenders = new Map<string, () => Promise<unknown>>([
    ['whole (NDJSON)', () => measureSeconds(buildEverythingUrl(target), target.token, NDJSON)],
    ...COUNTS.map((count) => [`pages of ${count}`, () => traverse(target, count)] as const),
    ['ready bytes', () => measureSeconds(ready, '')],
  ]);
  if (databaseUrl !== undefined) contenders.set('COPY by psql', () => copy(databaseUrl, target.patientId));
  const speeds = new Map<string, number[]>();
  const before = readMemory(target.server.process, 'VmRSS');
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, read] of contenders) {
      const start = performance.now();
      await Promise.all(Array.from({ length: readers }, read));
      const mbs = (target.bytes * readers) / 1e3 / (performance.now() - start);
      speeds.set(name, [...(speeds.get(name) ?? []), mbs]);
    }
  const peak = readMemory(target.server.process, 'VmHWM');
  const floor = median(speeds.get('COPY by psql') ?? speeds.get('ready bytes') ?? []);
  for (const [name, values] of speeds)
    print(
      `  ${readers} ${readers === 1 ? 'reader' : 'readers'}, ${name}: ${median(values).toFixed(0)} MB/s, ${(median(values) / floor).toFixed(2)} of the floor`,
    );
  if (peak !== null && before !== null)
    print(`  resident memory: ${before} MB before, ${peak} MB at its highest since the start`);
}

/** By the `next` links, which stand at the end: nothing else is kept or looked at, for the reader should not be what is measured. */
async function traverse({ server, token, ...target }: RecordBench, count: number): Promise<void> {
  const agent = new http.Agent({ keepAlive: true });
  let url: string | undefined = buildEverythingUrl({ server, token, ...target }, `?_count=${count}`);
  while (url !== undefined) {
    const end = await readEnd(url, { agent, headers: { authorization: `Bearer ${token}` } });
    url = /"relation":"next","url":"([^"]+)"/.exec(end)?.[1];
  }
  agent.destroy();
}

/** The last characters of an answer. */
const readEnd = (url: string, options: http.RequestOptions): Promise<string> =>
  new Promise((resolve, reject) => {
    const request = http.get(url, options, (answer) => {
      let end: Buffer = Buffer.alloc(0);
      answer.on('data', (part: Buffer) => {
        end = part.length < END_BYTES ? Buffer.concat([end, part]).subarray(-END_BYTES) : part;
      });
      answer.on('error', reject);
      answer.on('end', () =>
        answer.statusCode === 200
          ? resolve(end.subarray(-END_BYTES).toString())
          : reject(new Error(`${answer.statusCode}`)),
      );
    });
    request.on('error', reject);
  });

const END_BYTES = 4000;

/** The first page and the hundredth by their links, in turn. */
async function measureDeepPage(target: RecordBench): Promise<void> {
  const { server } = target;
  let url = buildEverythingUrl(target, '?_count=100').slice(server.url.length);
  const first = url;
  for (let page = 1; page < 100; page++) {
    const { link } = (await requestJson(server, url, target)) as {
      link: { relation: string; url: string }[];
    };
    const next = link.find(({ relation }) => relation === 'next');
    if (!next) break;
    url = next.url.slice(server.url.length);
  }
  const times: Record<string, number[]> = { first: [], deep: [] };
  for (let round = 0; round < 40; round++)
    for (const [name, path] of [
      ['first', first],
      ['deep', url],
    ] as const)
      times[name]?.push(await measureSeconds(server.url + path, target.token));
  const [one, deep] = [median(times['first'] ?? []), median(times['deep'] ?? [])];
  print(
    `  page 1: ${(one * 1000).toFixed(1)} ms, page 100: ${(deep * 1000).toFixed(1)} ms, ${(deep / one).toFixed(2)} times`,
  );
}

/** To a pipe that throws it away, as any client would read it. */
const copy = (databaseUrl: string, patientId: string): Promise<unknown> =>
  run('sh', [
    '-c',
    `psql -q "$1" -c "copy (select body from resource where patient_id = '${patientId}' order by seq) to stdout" > /dev/null`,
    'sh',
    databaseUrl,
  ]);

async function importRecord(server: Server, archive: string): Promise<{ token: string; patientId: string }> {
  const { id: patientId, token } = await newPatient(server);
  await uploadArchive(server, { id: patientId, token }, archive);
  return { token, patientId };
}

const print = (line: string): void => void process.stdout.write(`${line}\n`);
