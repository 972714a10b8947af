import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { writeRecordArchive } from '../../cli/generate/record-archive.ts';
import { freePort, startPostgres } from '../harness/postgres.ts';
import {
  archiveIn,
  ask,
  memoryOf,
  newPatient,
  startServer,
  type Place,
  type Server,
} from './bench-service.ts';
import { median } from './load.ts';
import { startProcess } from './server-process.ts';

const READERS = [1, 8];
const COUNTS = [100, 1000];
const ROUNDS = 5;
const run = promisify(execFile);

/** What a reader in another process downloads, with curl: the seconds it took. */
async function seconds(url: string, token: string, more: string[] = []): Promise<number> {
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

interface Reading {
  server: Server;
  token: string;
  patientId: string;
  /** Bytes of the record as NDJSON. */
  bytes: number;
}

const everything = ({ server, patientId }: Reading, query = ''): string =>
  `${server.url}/FHIR/R4/Person/${patientId}/$everything${query}`;

const NDJSON = ['-H', 'Accept: application/fhir+ndjson'];

/** `$everything` against COPY of the same bodies by psql and against a route that sends ready bytes, in the same run. */
export async function everythingBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-everything-'));
  const postgres = await startPostgres({ fsync: 'on' });
  try {
    const small = join(folder, 'small.zip');
    await writeRecordArchive({ seed: 1, years: 40, visitsPerYear: 11, endsOn: '2026-01-01' }, small);
    const archives = [small, (await archiveIn(folder)).archive];
    for (const engine of ['postgresql', 'embedded'] as const) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const place = { databaseUrl, dataDirectory: join(folder, engine), port: await freePort() };
      await measure(place, { archives, folder });
    }
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The server that reads has not imported, so that its memory tells of the reading. */
async function measure(
  place: Place,
  { archives, folder }: { archives: string[]; folder: string },
): Promise<void> {
  const importer = await startServer(place);
  const records: { token: string; patientId: string }[] = [];
  for (const archive of archives) records.push(await imported(importer, archive));
  await importer.stop();
  for (const record of records) {
    const server = await startServer(place);
    const reading = { ...record, server, bytes: 0 };
    const file = join(folder, 'whole.ndjson');
    const bearer = `Authorization: Bearer ${reading.token}`;
    await run('curl', ['-sS', '--fail', ...NDJSON, '-o', file, '-H', bearer, everything(reading)]);
    reading.bytes = statSync(file).size;
    const port = await freePort();
    const floor = resolve(import.meta.dirname, 'floors/ready-bytes.ts');
    const ready = await startProcess(floor, { port, args: [String(port), file] });
    const counted = everything(reading, '?_count=0').slice(server.url.length);
    const { total } = await ask(server, counted, reading);
    const engine = place.databaseUrl === undefined ? 'embedded' : 'postgresql';
    say(`${engine}: ${String(total)} resources, ${(reading.bytes / 1e6).toFixed(1)} MB`);
    for (const readers of READERS) await rowsOf(place, { reading, readers, ready: ready.url });
    await deepPage(reading);
    await ready.stop();
    await server.stop();
  }
}

/** MB a second: all readers' bytes over the time until the last is done; medians of interleaved rounds. */
async function rowsOf(
  { databaseUrl }: Place,
  { reading, readers, ready }: { reading: Reading; readers: number; ready: string },
): Promise<void> {
  const contenders = new Map<string, () => Promise<unknown>>([
    ['whole (NDJSON)', () => seconds(everything(reading), reading.token, NDJSON)],
    ...COUNTS.map((count) => [`pages of ${count}`, () => traverse(reading, count)] as const),
    ['ready bytes', () => seconds(ready, '')],
  ]);
  if (databaseUrl !== undefined) contenders.set('COPY by psql', () => copy(databaseUrl, reading.patientId));
  const speeds = new Map<string, number[]>();
  const before = memoryOf(reading.server.process, 'VmRSS');
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, read] of contenders) {
      const start = performance.now();
      await Promise.all(Array.from({ length: readers }, read));
      const mbs = (reading.bytes * readers) / 1e3 / (performance.now() - start);
      speeds.set(name, [...(speeds.get(name) ?? []), mbs]);
    }
  const peak = memoryOf(reading.server.process, 'VmHWM');
  const floor = median(speeds.get('COPY by psql') ?? speeds.get('ready bytes') ?? []);
  for (const [name, values] of speeds)
    say(
      `  ${readers} ${readers === 1 ? 'reader' : 'readers'}, ${name}: ${median(values).toFixed(0)} MB/s, ${(median(values) / floor).toFixed(2)} of the floor`,
    );
  if (peak !== null && before !== null)
    say(`  resident memory: ${before} MB before, ${peak} MB at its highest since the start`);
}

/** By the `next` links, which stand at the end: the reader should not be what is measured. */
async function traverse({ server, token, ...reading }: Reading, count: number): Promise<void> {
  let url: string | undefined = everything({ server, token, ...reading }, `?_count=${count}`);
  while (url !== undefined) {
    const answer: Response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    if (!answer.ok) throw new Error(`${answer.status}`);
    const end = Buffer.from(await answer.arrayBuffer())
      .subarray(-4000)
      .toString();
    url = /"relation":"next","url":"([^"]+)"/.exec(end)?.[1];
  }
}

/** The first page and the hundredth by their links, in turn. */
async function deepPage(reading: Reading): Promise<void> {
  const { server } = reading;
  let url = everything(reading, '?_count=100').slice(server.url.length);
  const first = url;
  for (let page = 1; page < 100; page++) {
    const { link } = (await ask(server, url, reading)) as { link: { relation: string; url: string }[] };
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
      times[name]?.push(await seconds(server.url + path, reading.token));
  const [one, deep] = [median(times['first'] ?? []), median(times['deep'] ?? [])];
  say(
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

async function imported(server: Server, archive: string): Promise<{ token: string; patientId: string }> {
  const { id: patientId, token } = await newPatient(server);
  const form = new FormData();
  form.append('file', new Blob([execFileSync('cat', [archive], { maxBuffer: 1e9 })]), 'archive.zip');
  const { batchId } = await ask(server, `/v1/patients/${patientId}/upload-documents`, { token, body: form });
  for (;;) {
    const batch = await ask(server, `/v1/patients/${patientId}/upload-documents/${String(batchId)}`, {
      token,
    });
    if (batch['completedAt'] !== null) break;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return { token, patientId };
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);
