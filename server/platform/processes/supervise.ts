import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import { createGroupCommit } from '../kernel/group-commit.ts';
import { parseMessage, type StartFacts } from './messages.ts';
import { createSummedMetrics, type SummedMetrics } from './summed-metrics.ts';

export interface Supervision {
  /** Of the first process: it opened the store before the others. */
  facts: StartFacts;
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

/** A process stops within 28 seconds by itself; whoever stops this one kills all after 30. */
const STOP_WITHIN_MS = 29_000;
const MAX_WAIT_MS = 30_000;

interface Processes extends SuperviseOptions {
  /** Those that serve. */
  serving: Set<Worker>;
  metrics: SummedMetrics;
  stopping: AbortSignal;
}

/**
 * Starts processes that run this same program and share its port, and keeps up their number. They count rate limits here.
 * Rejects when the first one does not start. When this process dies, they end.
 */
export async function superviseProcesses(options: SuperviseOptions): Promise<Supervision> {
  const serving = new Set<Worker>();
  const stop = new AbortController();
  const metrics = createSummedMetrics(() => serving);
  const processes: Processes = { ...options, serving, metrics, stopping: stop.signal };
  void new RateLimiterClusterMaster();
  cluster.on('message', (process, message) => void answer(metrics, process, message));
  const facts = await add(processes);
  await Promise.all(Array.from({ length: options.count - 1 }, () => addUntilThere(processes)));
  const restart = createGroupCommit<undefined>(async () => {
    const before = Array.from(serving);
    for (const process of before) await replace(processes, process);
  });
  return {
    facts,
    metrics,
    restart: () => restart(undefined),
    async stop() {
      stop.abort();
      const alive = Object.values(cluster.workers ?? {}).filter((process) => process !== undefined);
      await Promise.all(alive.map(end));
    },
  };
}

/** Resolves with what it found as it started. */
async function add(processes: Processes): Promise<StartFacts> {
  const { serving, metrics, stopping, report } = processes;
  const process = cluster.fork();
  closeHandedWhenEnded(process);
  const facts = await waitUntilReady(process);
  serving.add(process);
  process.once('exit', (code: number | null, signal: string | null) => {
    if (!serving.delete(process) || stopping.aborted) return;
    report(`process ${process.process.pid} ended (${signal ?? code}), another takes its place`);
    void metrics.keep(process).then(() => addUntilThere(processes));
  });
  report(`process ${process.process.pid} serves`);
  return facts;
}

/**
 * Closes the connection that a process was being handed when it was killed: `node:cluster` waits for an answer, and the client
 * waited with it, for ever. Reset, it may ask again. It hands one at a time to each process, and has closed those that were taken.
 */
function closeHandedWhenEnded({ process: child }: Worker): void {
  let handed: { close?(): void } | undefined;
  const send = child.send.bind(child) as (...message: unknown[]) => boolean;
  child.send = (...message: unknown[]) => {
    if (message[1]) handed = message[1];
    return send(...message);
  };
  child.once('exit', () => handed?.close?.());
}

async function addUntilThere(processes: Processes): Promise<void> {
  for (let failures = 0; !processes.stopping.aborted; failures++) {
    await sleep(Math.min(failures * 1000, MAX_WAIT_MS), undefined, { ref: false });
    try {
      await add(processes);
      return;
    } catch (error) {
      processes.report((error as Error).message);
    }
  }
}

/** Does nothing where it has ended, since another has taken its place. */
async function replace(processes: Processes, process: Worker): Promise<void> {
  const { serving, metrics, stopping } = processes;
  if (stopping.aborted || !serving.has(process)) return;
  await add(processes);
  await metrics.ask(process);
  if (!serving.delete(process)) return;
  await metrics.keep(process);
  await end(process);
}

/** Resolves with what it found as it started; rejects when it ends before. */
function waitUntilReady(process: Worker): Promise<StartFacts> {
  const { promise, resolve, reject } = Promise.withResolvers<StartFacts>();
  process.on('message', (received) => {
    const message = parseMessage(received);
    if (message?.chartgate === 'ready') resolve(message.facts);
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
