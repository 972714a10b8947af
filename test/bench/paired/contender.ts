import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startBenchPostgres } from '../start-postgres.ts';
import type { Engine } from '../../harness/store.ts';
import { waitUntilAtRest } from '../cpu-time.ts';
import { startServer, type BenchServerOptions, type Server } from '../bench-service.ts';
import type { Side } from './costs.ts';

/** One of the two versions with an empty store of its own. */
export interface Contender {
  side: Side;
  engine: Engine;
  /** The checkout that runs. */
  root: string;
  /** For files; removed with the contender. */
  folder: string;
  /** Of the database server, if there is one. */
  databasePid: number | undefined;
  options: BenchServerOptions;
  /** Starts the service with the contender's store; it is stopped with the contender. */
  start(environment?: Record<string, string>): Promise<Server>;
  /** Waits until the service has nothing left to do; the planner knows then what is in the tables. */
  settle(server: Server): Promise<void>;
  /** Has something stopped with the contender. */
  onStop(stop: () => Promise<unknown>): void;
  stop(): Promise<void>;
}

/** The limits are for those who attack; a bench calls as often as it can. */
const WITHOUT_LIMITS = { CHARTGATE_MCP_RATE_LIMIT: '100000000', CHARTGATE_OAUTH_RATE_LIMIT: '100000000' };

export async function createContender({
  side,
  engine,
  root,
}: Pick<Contender, 'side' | 'engine' | 'root'>): Promise<Contender> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), `chartgate-paired-${side}-`));
  const stops: (() => Promise<unknown>)[] = [async () => fs.rmSync(folder, { recursive: true, force: true })];
  const postgres = engine === 'embedded' ? null : await startBenchPostgres();
  if (postgres) stops.push(() => postgres.stop());
  const options = {
    databaseUrl: postgres?.url,
    dataDirectory: path.join(folder, 'data'),
    environment: WITHOUT_LIMITS,
    root,
  };
  return {
    side,
    engine,
    root,
    folder,
    databasePid: postgres?.pid,
    options,
    async start(environment = {}) {
      const server = await startServer({ ...options, environment: { ...WITHOUT_LIMITS, ...environment } });
      stops.push(server.stop);
      return server;
    },
    async settle(server) {
      if (postgres) await vacuum(postgres.url);
      await waitUntilAtRest([server.process.pid, postgres?.pid]);
    },
    onStop: (stop) => void stops.push(stop),
    async stop() {
      for (const stop of stops.toReversed()) await stop();
    },
  };
}

/** Now, and not when autovacuum comes by: both versions are measured with the same knowledge. */
async function vacuum(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('vacuum (analyze)');
  await client.end();
}
