import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { newTestPatient, type TestService } from '../harness/service.ts';
import type { Engine } from '../harness/store.ts';
import { requestJson, startServer, type BenchServerOptions, type Server } from './bench-service.ts';
import { median } from './load.ts';

/** Uploads that are measured, after one that starts the thread they are read in. */
const UPLOADS = 20;
const POLL_MS = 20;

/** From the 202 of a record of 1,500 resources until a tool says the first fact of it, one patient after the other. */
export async function benchFirstFact(engines: readonly Engine[] = ['postgresql', 'embedded']): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'chartgate-first-fact-'));
  const postgres = await startBenchPostgres();
  try {
    const archive = join(folder, 'record.zip');
    const { resources } = await writeRecordArchive({ seed: 5, years: 13, endsOn: '2026-01-01' }, archive);
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const times = await measureTimes(archive, { databaseUrl, dataDirectory: join(folder, engine) });
      const sorted = times.toSorted((one, other) => one - other);
      const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] as number;
      process.stdout.write(
        `first fact ${engine}: ${resources} resources; median ${Math.round(median(times))} ms, p95 ${Math.round(p95)} ms from 202\n`,
      );
    }
    process.stdout.write('\n');
  } finally {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureTimes(archive: string, options: BenchServerOptions): Promise<number[]> {
  const server = await startServer({ ...options, environment: { CHARTGATE_MCP_RATE_LIMIT: '100000000' } });
  try {
    const times: number[] = [];
    for (let upload = 0; upload <= UPLOADS; upload++) {
      const ms = await measureUpload(server, archive);
      if (upload > 0) times.push(ms);
    }
    return times;
  } finally {
    await server.stop();
  }
}

async function measureUpload(server: Server, archive: string): Promise<number> {
  const { url: baseUrl, organization } = server;
  const { id, token } = await newTestPatient({ baseUrl, organization } as TestService);
  const form = new FormData();
  form.append('file', new Blob([readFileSync(archive)]), 'archive.zip');
  const batches = `/v1/patients/${id}/upload-documents`;
  const { batchId } = await requestJson(server, batches, { token, body: form });
  const start = performance.now();
  while (!FACT.test(await readVisits(server, token))) await sleep(POLL_MS);
  const ms = performance.now() - start;
  // The next patient's is not read beside it.
  while (['queued', 'processing'].includes(await readStatus(server, `${batches}/${String(batchId)}`, token)))
    await sleep(POLL_MS);
  return ms;
}

/** The reference at the end of a fact. */
const FACT = /\bEncounter\/[\w-]{4,}/;

async function readVisits(server: Server, token: string): Promise<string> {
  const answer = await fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'get_visits', arguments: {} },
    }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${answer.status} ${text}`);
  return text;
}

const readStatus = async (server: Server, path: string, token: string): Promise<string> =>
  (await requestJson(server, path, { token }))['status'] as string;
