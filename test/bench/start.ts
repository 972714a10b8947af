import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '../harness/postgres.ts';
import { startBenchPostgres } from './start-postgres.ts';
import type { Engine } from '../harness/store.ts';
import { readMemory } from '../harness/process-memory.ts';
import { startServer } from './bench-service.ts';
import { waitUntilAtRest } from './cpu-time.ts';
import { median } from './load.ts';
import { toProgram } from './server-process.ts';

const ROUNDS = Number(process.env['CHARTGATE_BENCH_ROUNDS'] ?? 5);
const POLL_MS = 5;

interface Start {
  ms: number;
  /** Of the process at rest, where the system says. */
  megabytes: number | null;
}

interface Contender {
  name: string;
  args: readonly string[];
  environment: Record<string, string>;
  /** Answers 200 when it is ready. */
  target: string;
}

/**
 * How long a node takes from its start until `/readyz` says so, with a store that has been used before, and what memory it
 * takes at rest; against a process that only listens.
 */
export async function benchStart(engines: readonly Engine[] = ['postgresql', 'embedded']): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chartgate-start-'));
  const postgres = await startBenchPostgres();
  try {
    const contenders: Contender[] = [
      {
        name: 'an empty Fastify route',
        args: ['test/bench/floors/empty-route.ts'],
        environment: {},
        target: '/',
      },
    ];
    for (const engine of engines) {
      const databaseUrl = engine === 'postgresql' ? postgres.url : undefined;
      const dataDirectory = path.join(folder, engine);
      const server = await startServer({ databaseUrl, dataDirectory });
      await server.stop();
      contenders.push({
        name: `chartgate, ${engine}`,
        // As `npm start` does.
        args: ['--max-semi-space-size=16', ...toProgram(['serve'])],
        environment: {
          CHARTGATE_DATA_DIR: dataDirectory,
          CHARTGATE_LOG_LEVEL: 'error',
          MALLOC_ARENA_MAX: '1',
          ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
        },
        target: '/readyz',
      });
    }
    await compare(contenders);
  } finally {
    await postgres.stop();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(contenders: readonly Contender[]): Promise<void> {
  const starts = contenders.map((): Start[] => []);
  for (let round = 0; round <= ROUNDS; round++)
    for (const [index, contender] of contenders.entries()) {
      const start = await measureStart(contender);
      // The first round fills the compile cache.
      if (round > 0) starts[index]?.push(start);
    }
  const [floor = Number.NaN] = starts.map((each) => median(each.map(({ ms }) => ms)));
  for (const [index, each] of starts.entries()) {
    const ms = median(each.map((start) => start.ms));
    const memory = each.flatMap(({ megabytes }) => megabytes ?? []);
    process.stdout.write(
      `start ${contenders[index]?.name}: ready after ${ms.toFixed(0)} ms, ${(ms / floor).toFixed(1)} times the floor; ${memory.length === 0 ? 'memory unknown' : `${median(memory).toFixed(0)} MB at rest`}\n`,
    );
  }
  process.stdout.write('\n');
}

async function measureStart({ args, environment, target }: Contender): Promise<Start> {
  const port = await findFreePort();
  const started = performance.now();
  const child = spawn(process.execPath, [...args, ...(target === '/' ? [String(port), '100'] : [])], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PORT: String(port), ...environment },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
      const answer = await fetch(`http://127.0.0.1:${port}${target}`, {
        signal: AbortSignal.timeout(1_000),
      }).catch(() => null);
      if (answer?.ok === true || (answer !== null && target === '/')) break;
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    const ms = performance.now() - started;
    await waitUntilAtRest([child.pid]);
    return { ms, megabytes: readMemory(child, 'VmRSS') };
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
