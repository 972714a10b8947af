import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { parseMessage } from './messages.ts';
import { createSummedMetrics, type SummedMetrics } from './summed-metrics.ts';

export interface Supervision {
  /** Where the processes listen, `http://127.0.0.1:3000`. */
  address: string;
  metrics: SummedMetrics;
  /** Puts a new process in the place of each, one after another: there are never fewer. Rejects when a new one does not start. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

interface SuperviseOptions {
  count: number;
  /** Takes a sentence for the operator. */
  report(line: string): void;
}

/** Requests and jobs that are under way end in seconds; what takes longer is taken up by another process. */
const STOP_WITHIN_MS = 120_000;
const MAX_WAIT_MS = 30_000;

/**
 * Starts processes that run this same program and share its port, and keeps up their number. They count rate limits here.
 * Rejects when the first one does not start. When this process dies, they end.
 */
export async function superviseProcesses({ count, report }: SuperviseOptions): Promise<Supervision> {
  const serving = new Set<Worker>();
  let isStopping = false;
  const metrics = createSummedMetrics(() => serving);
  new RateLimiterClusterMaster();
  cluster.on('message', (process, message) => void answer(metrics, process, message));

  async function add(): Promise<string> {
    const process = cluster.fork();
    const address = await waitUntilReady(process);
    serving.add(process);
    process.once('exit', (code: number | null, signal: string | null) => {
      if (!serving.delete(process) || isStopping) return;
      report(`process ${process.process.pid} ended (${signal ?? code}), another takes its place`);
      void metrics.keep(process).then(addUntilThere);
    });
    report(`process ${process.process.pid} serves`);
    return address;
  }

  async function addUntilThere(): Promise<void> {
    for (let failures = 0; !isStopping; failures++) {
      await sleep(Math.min(failures * 1000, MAX_WAIT_MS), undefined, { ref: false });
      try {
        await add();
        return;
      } catch (error) {
        report((error as Error).message);
      }
    }
  }

  async function replace(process: Worker): Promise<void> {
    if (isStopping || !serving.has(process)) return;
    await add();
    await metrics.ask(process);
    if (!serving.delete(process)) return;
    await metrics.keep(process);
    await end(process);
  }

  const address = await add();
  await Promise.all(Array.from({ length: count - 1 }, addUntilThere));
  const restart = createGroupCommit<undefined>(async () => {
    for (const process of [...serving]) await replace(process);
  });
  return {
    address,
    metrics,
    restart: () => restart(undefined),
    async stop() {
      isStopping = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((process) => process && end(process)));
    },
  };
}

/** Resolves with where it listens; rejects when it ends before. */
function waitUntilReady(process: Worker): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  process.on('message', (received) => {
    const message = parseMessage(received);
    if (message?.chartgate === 'ready') resolve(message.address);
  });
  process.once('exit', (code: number | null, signal: string | null) =>
    reject(new Error(`process ${process.process.pid} ended (${signal ?? code}) before it served`)),
  );
  return promise;
}

/** Lets it end in good order. */
async function end(process: Worker): Promise<void> {
  if (process.isDead()) return;
  const ended = once(process, 'exit');
  process.process.kill('SIGTERM');
  const timer = setTimeout(() => process.process.kill('SIGKILL'), STOP_WITHIN_MS);
  await ended;
  clearTimeout(timer);
}

async function answer(metrics: SummedMetrics, process: Worker, received: unknown): Promise<void> {
  const message = parseMessage(received);
  if (message?.chartgate !== 'metrics_wanted') return;
  const text = await metrics.metrics();
  if (process.isConnected()) process.send({ chartgate: 'summed_metrics', id: message.id, text });
}
