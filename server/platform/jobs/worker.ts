import { generateId } from '../kernel/ids.ts';
import { one, type Tx } from '../db/db.ts';
import { createWorkerPool, type WorkerPool } from './worker-pool.ts';
import type { FairShare } from './fair-shares.ts';
import { createJobQueue, type WorkerDeps } from './job-queue.ts';
import * as statements from './jobs.sql.ts';
import { addTraceparent } from './trace-jobs.ts';
import type { JobKind } from './job-kind.ts';

interface NewJob<Payload> extends statements.JobKey {
  payload: Payload;
  /** Now, unless something else makes it due before. */
  runAt?: Date;
}

export interface Jobs {
  /** Adds a job in the transaction of what makes it necessary, unless its key has one; it starts after the commit. */
  enqueue<Payload>(tx: Tx, job: NewJob<Payload>): Promise<void>;
  /** Looks at once for jobs of a kind that another thread may have made due. */
  wake(kind: string): void;
}

export interface JobWorker extends Jobs {
  start(): Promise<void>;
  /** Runs all due jobs and resolves when they have ended: for tests and for commands. */
  drain(): Promise<void>;
  /** Claims nothing more, asks running jobs to end, and releases those that did not finish. */
  stop(): Promise<void>;
}

export interface WorkerPoolPlan {
  /** A kind belongs to one pool. */
  kinds: readonly JobKind<never>[];
  /** Jobs at a time. */
  concurrency: number;
  /** So many of them for one value of their payloads at most, for each of these keys. */
  fairShares?: readonly FairShare[];
}

const POLL_MS = 1_000;

/**
 * Creates all background work of a node: worker pools for jobs, and `extraPools` for other queues. The node polls each
 * second, with one statement for all of them, and is woken by its own commits; no LISTEN/NOTIFY, which takes a lock of the
 * whole database at commit.
 */
export function createJobWorker(
  deps: WorkerDeps,
  plans: readonly WorkerPoolPlan[],
  extraPools: readonly WorkerPool[] = [],
): JobWorker {
  const { db, clock, onError } = deps;
  const jobPools = plans.map(({ kinds, concurrency, fairShares }) => ({
    kinds: kinds.map(({ kind }) => kind),
    pool: createWorkerPool(createJobQueue(deps, kinds, fairShares), {
      concurrency,
      onError: (error) => onError(error, 'claim'),
      mayClaim: deps.mayClaim,
    }),
  }));
  const byKind = new Map(jobPools.flatMap(({ kinds, pool }) => kinds.map((kind) => [kind, pool] as const)));
  const pools = [...jobPools.map(({ pool }) => pool), ...extraPools];
  const poll = createPoll(deps, pools);
  let timer: NodeJS.Timeout | undefined;

  return {
    async enqueue(tx, job) {
      const pool = byKind.get(job.kind);
      if (!pool) throw new Error(`no worker pool for ${job.kind}`);
      const now = clock.now();
      const payload = deps.telemetry ? addTraceparent(deps.telemetry, job.payload) : job.payload;
      await tx.query(statements.insertJob({ runAt: now, ...job, payload, jobId: generateId(), now }));
      tx.afterCommit(() => pool.wake());
    },
    wake: (kind) => byKind.get(kind)?.wake(),
    async start() {
      for (const pool of pools) await pool.begin(db.engine === 'embedded');
      timer = setInterval(poll, POLL_MS);
    },
    async drain() {
      for (;;) {
        await Promise.all(pools.map((pool) => pool.onIdle()));
        const before = countStarted(pools);
        for (const pool of pools) await pool.claim();
        // An item that ran meanwhile, whoever claimed it, may have enqueued another.
        if (countStarted(pools) === before && !pools.some((pool) => pool.isBusy())) return;
      }
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(pools.map((pool) => pool.stop()));
    },
  };
}

const countStarted = (pools: readonly WorkerPool[]): number =>
  pools.reduce((sum, pool) => sum + pool.startedCount(), 0);

/** Wakes the pools that something is due for; one poll at a time. */
function createPoll({ db, clock, onError }: WorkerDeps, pools: readonly WorkerPool[]): () => void {
  let isPolling = false;
  return () => {
    if (isPolling) return;
    isPolling = true;
    one(db, statements.findDueQueues(pools.map((pool) => pool.buildDueCondition(clock.now()))))
      .then(({ due }) => pools.forEach((pool, index) => due[index] && pool.wake()))
      .catch((error: unknown) => onError(error, 'look'))
      .finally(() => (isPolling = false));
  };
}
