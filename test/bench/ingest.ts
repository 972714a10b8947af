import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDb } from '../../server/platform/db/open.ts';
import { sql } from '../../server/platform/db/sql.ts';
import { startBenchPostgres } from './start-postgres.ts';
import type { Engine } from '../harness/store.ts';
import {
  prepareArchive,
  requestJson,
  newPatient,
  readOnlyMember,
  startServer,
  type BenchServerOptions,
  type Server,
} from './bench-service.ts';
import { waitUntilAtRest } from './cpu-time.ts';
import { readMemory } from '../harness/process-memory.ts';

export interface IngestMeasure {
  engine: Engine;
  /** "stress" or "generated". */
  source: string;
  jsonBytes: number;
  resources: number;
  /** From the first byte of the upload request until the batch is done; the first since the start of the service. */
  ms: number;
  /** The same record of another patient after it: by then the program has been compiled for it. */
  warmMs: number;
  /** JSON.parse of the same file and its bodies into a table, 500 rows a statement, on the same database. */
  floorMs: number;
  ratio: number;
  warmRatio: number;
  /** What the server process's resident memory grew by at its peak; null where /proc does not say. */
  rssGrowthMB: number | null;
}

/** One record of 60 MB through the whole service, in a process of its own, on both engines; fsync is on. */
export async function benchIngest(
  engines: readonly Engine[] = ['postgresql', 'embedded'],
): Promise<IngestMeasure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-ingest-'));
  const postgres = await startBenchPostgres();
  try {
    const { archive, source } = await prepareArchive(folder);
    const text = await readOnlyMember(archive);
    const measures: IngestMeasure[] = [];
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const floor = await measureFloor(text, { databaseUrl, dataDirectory: join(folder, 'floor') });
      const ours = await ingest(archive, { databaseUrl, dataDirectory: join(folder, 'ours') });
      const again = await measureFloor(text, { databaseUrl, dataDirectory: join(folder, 'floor') });
      // Before and after: what else runs on the machine changes from second to second.
      const floorMs = Math.round((floor.ms + again.ms) / 2);
      if (ours.resources !== floor.resources)
        throw new Error(`${engine}: ${ours.resources} of ${floor.resources} resources were created`);
      const ratios = { ratio: ours.ms / floorMs, warmRatio: ours.warmMs / floorMs };
      measures.push({ engine, source, jsonBytes: text.length, ...ours, floorMs, ...ratios });
    }
    return measures;
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureFloor(
  bytes: Buffer,
  options: BenchServerOptions,
): Promise<{ ms: number; resources: number }> {
  const db = await openDb({
    ...options,
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
  options: BenchServerOptions,
): Promise<Pick<IngestMeasure, 'ms' | 'warmMs' | 'resources' | 'rssGrowthMB'>> {
  const server = await startServer(options);
  try {
    const first = await uploadAtRest(server, archive);
    const second = await uploadAtRest(server, archive);
    return { ...first, warmMs: second.ms };
  } finally {
    await server.stop();
  }
}

/** The upload of a new patient, when the process has ended what a start, or the upload before, left to do. */
async function uploadAtRest(
  server: Server,
  archive: string,
): Promise<Pick<IngestMeasure, 'ms' | 'resources' | 'rssGrowthMB'>> {
  const { id, token } = await newPatient(server);
  await waitUntilAtRest([server.process.pid]);
  const before = readMemory(server.process, 'VmRSS');
  const form = new FormData();
  form.append('file', new Blob([readFileSync(archive)]), 'archive.zip');
  const start = performance.now();
  const { batchId } = await requestJson(server, `/v1/patients/${id}/upload-documents`, { token, body: form });
  for (;;) {
    const batch = await requestJson(server, `/v1/patients/${id}/upload-documents/${String(batchId)}`, {
      token,
    });
    const ms = Math.round(performance.now() - start);
    const peak = readMemory(server.process, 'VmHWM');
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
}
