import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { callTool, getToolText, type TestPatient, type TestService } from '../harness/service.ts';
import { startBenchPostgres } from './start-postgres.ts';
import { writeRecordArchive } from '../../tools/synthetic-record/record-archive.ts';
import { startService } from './mcp.ts';
import type { ServerProcess } from './server-process.ts';

/** Lay words, classes, brands, shorthand, three languages, times, several things, words alone, and nothing to find. */
const QUERIES = [
  'diabetes',
  'heart attack',
  'high blood pressure',
  'water pill',
  'blood thinner',
  'Lipitor',
  'a1c',
  'presión alta',
  'Blutdruck',
  'metfromin',
  'what was my last cholesterol test',
  'visits in 2019',
  'family history of cancer',
  'pain medication for back pain',
  'glucose',
  'patient follow up',
  'allergies',
  'goals',
  'zebra stripes',
  'kidney function before my surgery',
] as const;

/** A generated record of 26,500 resources. */
const PLAN = { seed: 3, years: 40, visitsPerYear: 36 };

/** `search` one call after another on a large record: median and 95th percentile of all calls but the first round. */
export async function benchSearch({ rounds = 5 } = {}): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-bench-'));
  const postgres = await startBenchPostgres({ autovacuum_naptime: '1s' });
  const stops: (() => Promise<void>)[] = [postgres.stop];
  try {
    const archive = path.join(folder, 'record.zip');
    const endsOn = new Date().toISOString().slice(0, 10);
    const { resources } = await writeRecordArchive({ ...PLAN, endsOn }, archive);
    for (const engine of ['postgresql', 'embedded']) {
      const databaseUrl = postgres.url;
      const dataDirectory = path.join(folder, engine);
      const started = performance.now();
      const { server, patient } = await startService({ engine, databaseUrl, dataDirectory, archive });
      const seconds = (performance.now() - started) / 1000;
      stops.unshift(server.stop);
      const times = await measureQueries(server, patient, rounds);
      const at = (share: number): string => (times[Math.floor(times.length * share)] as number).toFixed(0);
      process.stdout.write(
        `search ${engine}: ${resources} resources, ready after ${seconds.toFixed(0)} s; ${QUERIES.length} queries, median ${at(0.5)} ms, 95 % within ${at(0.95)} ms\n`,
      );
    }
  } finally {
    for (const stop of stops) await stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** All times but the first round's, ascending. */
async function measureQueries(
  server: ServerProcess,
  patient: TestPatient,
  rounds: number,
): Promise<number[]> {
  const times: number[] = [];
  const service = { baseUrl: server.url } as TestService;
  for (let round = 0; round <= rounds; round++)
    for (const query of QUERIES) {
      const started = performance.now();
      getToolText(await callTool(service, patient, 'search', { query }));
      if (round > 0) times.push(performance.now() - started);
    }
  return times.sort((one, other) => one - other);
}
