import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import yauzl from 'yauzl';
import { ZipFile } from 'yazl';
import { writeRecordArchive } from '../../cli/generate/record-archive.ts';
import { openStore } from '../../server/storage/open.ts';
import { sql } from '../../server/storage/sql.ts';
import type { CreatedOrganization } from '../../server/organizations/create-organization.ts';
import { freePort, startPostgres } from '../harness/postgres.ts';
import type { Engine } from '../harness/store.ts';

export interface IngestMeasure {
  engine: Engine;
  /** "stress" or "generated". */
  source: string;
  jsonBytes: number;
  resources: number;
  /** From the first byte of the upload request until the batch is done. */
  ms: number;
  /** JSON.parse of the same file and its bodies into a table, 500 rows a statement, on the same database. */
  floorMs: number;
  ratio: number;
  /** What the server process's resident memory grew by at its peak; null where /proc does not tell. */
  rssGrowthMB: number | null;
}

const ROOT = resolve(import.meta.dirname, '../..');
const STRESS = resolve(ROOT, '../shared/data/stress');

/** One record of 60 MB through the whole service, in a process of its own, on both engines; fsync is on. */
export async function ingestBench(
  engines: readonly Engine[] = ['postgresql', 'embedded'],
): Promise<IngestMeasure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-ingest-'));
  const postgres = await startPostgres({ fsync: 'on' });
  try {
    const { archive, source } = await archiveIn(folder);
    const text = await onlyMember(archive);
    const measures: IngestMeasure[] = [];
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const floor = await floorOf(text, { databaseUrl, dataDirectory: join(folder, 'floor') });
      const ours = await ingest(archive, { databaseUrl, dataDirectory: join(folder, 'ours') });
      const again = await floorOf(text, { databaseUrl, dataDirectory: join(folder, 'floor') });
      // Before and after: what else runs on the machine changes from second to second.
      const floorMs = Math.round((floor.ms + again.ms) / 2);
      if (ours.resources !== floor.resources)
        throw new Error(`${engine}: ${ours.resources} of ${floor.resources} resources were created`);
      measures.push({ engine, source, jsonBytes: text.length, ...ours, floorMs, ratio: ours.ms / floorMs });
    }
    return measures;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Place {
  databaseUrl: string | undefined;
  dataDirectory: string;
}

async function archiveIn(folder: string): Promise<{ archive: string; source: string }> {
  const archive = join(folder, 'archive.zip');
  const [packed] = globSync('*.json.bz2', { cwd: STRESS });
  if (packed === undefined || !hasBzip2()) {
    await writeRecordArchive({ seed: 1, years: 40, visitsPerYear: 60, endsOn: '2026-01-01' }, archive);
    return { archive, source: 'generated' };
  }
  const unpacking = spawn('bzip2', ['-dc', join(STRESS, packed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const zip = new ZipFile();
  zip.addReadStream(unpacking.stdout, packed.slice(0, -'.bz2'.length));
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  return { archive, source: 'stress' };
}

function hasBzip2(): boolean {
  try {
    execFileSync('bzip2', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function onlyMember(archive: string): Promise<Buffer> {
  return new Promise((done, reject) => {
    yauzl.open(archive, { lazyEntries: true }, (error, zip) => {
      if (error) return reject(error);
      zip.once('entry', (entry: yauzl.Entry) => {
        zip.openReadStream(entry, (failure, stream) => {
          if (failure) return reject(failure);
          stream.toArray().then((chunks) => done(Buffer.concat(chunks as Buffer[])), reject);
        });
      });
      zip.readEntry();
    });
  });
}

async function floorOf(bytes: Buffer, place: Place): Promise<{ ms: number; resources: number }> {
  const db = await openStore({
    ...place,
    onFatal: (error) => {
      throw error;
    },
  });
  try {
    await db.tx((tx) =>
      tx.script(
        'drop table if exists bench_floor; create table bench_floor (seq bigint primary key, body text not null)',
      ),
    );
    const start = performance.now();
    const { entry } = JSON.parse(bytes.toString()) as { entry: { resource: unknown }[] };
    const bodies = entry.map(({ resource }) => JSON.stringify(resource));
    for (let first = 0; first < bodies.length; first += 500) {
      const page = bodies.slice(first, first + 500);
      await db.query(
        sql`insert into bench_floor select * from unnest(${page.map((_, index) => first + index)}::bigint[], ${page}::text[])`,
      );
    }
    return { ms: Math.round(performance.now() - start), resources: bodies.length };
  } finally {
    await db.close();
  }
}

async function ingest(
  archive: string,
  place: Place,
): Promise<{ ms: number; resources: number; rssGrowthMB: number | null }> {
  const server = await startServer(place);
  try {
    const { id, token } = await newPatient(server);
    const before = memoryOf(server.process, 'VmRSS');
    const form = new FormData();
    form.append('file', new Blob([readFileSync(archive)]), 'archive.zip');
    const start = performance.now();
    const { batchId } = await ask(server, `/v1/patients/${id}/upload-documents`, { token, body: form });
    for (;;) {
      const batch = await ask(server, `/v1/patients/${id}/upload-documents/${String(batchId)}`, { token });
      const ms = Math.round(performance.now() - start);
      const peak = memoryOf(server.process, 'VmHWM');
      const { created } = batch['resources'] as { created: number };
      if (batch['status'] === 'completed')
        return {
          ms,
          resources: created,
          rssGrowthMB: peak !== null && before !== null ? peak - before : null,
        };
      if (batch['status'] === 'failed') throw new Error(`the upload failed: ${JSON.stringify(batch)}`);
      await new Promise((wake) => setTimeout(wake, 50));
    }
  } finally {
    await server.stop();
  }
}

interface Server {
  url: string;
  process: ChildProcess;
  organization: CreatedOrganization;
  stop(): Promise<void>;
}

async function startServer({ databaseUrl, dataDirectory }: Place): Promise<Server> {
  const port = await freePort();
  const environment = {
    ...process.env,
    PORT: String(port),
    CHARTGATE_DATA_DIR: dataDirectory,
    CHARTGATE_LOG_LEVEL: 'error',
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
  const command = [
    join(ROOT, 'cli/main.ts'),
    'init',
    '--organization',
    'Bench',
    '--project',
    'Bench',
    '--json',
  ];
  const organization = JSON.parse(
    execFileSync(process.execPath, command, { env: environment }).toString(),
  ) as CreatedOrganization;
  const profiling = process.env['CHARTGATE_BENCH_PROFILE'];
  const flags = profiling === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profiling}`];
  const child = spawn(process.execPath, [...flags, join(ROOT, 'server/main.ts')], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt++) {
    if (child.exitCode !== null || attempt > 300)
      throw new Error(`the server does not start (exit code ${child.exitCode})`);
    if (await fetch(`${url}/healthz`).catch(() => null)) break;
    await new Promise((wake) => setTimeout(wake, 100));
  }
  return {
    url,
    process: child,
    organization,
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function newPatient(server: Server): Promise<{ id: string; token: string }> {
  const { organizationId, projectId, admin } = server.organization;
  const { token } = await ask(server, '/v1/auth/token', { json: admin });
  const created = await ask(server, `/v1/organizations/${organizationId}/test-patients`, {
    token: token as string,
    json: {},
  });
  const { id, email, firstName, lastName } = created['patient'] as Record<
    'id' | 'email' | 'firstName' | 'lastName',
    string
  >;
  const patients = [{ email, firstName, lastName }];
  await ask(server, `/v1/projects/${projectId}/patients`, {
    token: token as string,
    json: { patients, suppressNotifications: true },
  });
  const login = await ask(server, '/v1/auth/token', {
    json: { email, password: created['password'], projectId },
  });
  return { id, token: login['token'] as string };
}

async function ask(
  server: Server,
  path: string,
  { token, json, body }: { token?: string; json?: unknown; body?: FormData },
): Promise<Record<string, unknown>> {
  const sent = body ?? (json === undefined ? undefined : JSON.stringify(json));
  const answer = await fetch(server.url + path, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(json !== undefined && { 'content-type': 'application/json' }),
    },
    ...(sent !== undefined && { body: sent }),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

/** In MB; `VmRSS` is now, `VmHWM` the highest since the process began. */
function memoryOf({ pid }: ChildProcess, name: 'VmRSS' | 'VmHWM'): number | null {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return null;
  const [, kilobytes] = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(file, 'utf8')) ?? [];
  return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
}
