import { newId } from '../kernel/ids.ts';
import { one, type Tx } from '../storage/db.ts';
import type { WorkerDeps } from './attempt.ts';
import { crewOf, type Crew } from './crew.ts';
import { jobQueue } from './job-queue.ts';
import * as statements from './jobs.sql.ts';
import type { JobKind } from './kinds.ts';

interface NewJob<Payload> {
  kind: string;
  /** At most one job of a kind waits or runs for a key. */
  uniqueKey: string;
  payload: Payload;
}

export interface Jobs {
  /** Adds a job in the transaction of what makes it necessary; it starts once that is committed. */
  enqueue<Payload>(tx: Tx, job: NewJob<Payload>): Promise<void>;
}

export interface JobWorker extends Jobs {
  start(): Promise<void>;
  /** Runs what is due now and resolves when all of it has ended: for tests and for commands. */
  drain(): Promise<void>;
  /** Claims nothing more, asks what runs to end, and gives back what did not. */
  stop(): Promise<void>;
}

export interface CrewPlan {
  /** A kind belongs to one crew. */
  kinds: readonly JobKind<never>[];
  /** Jobs at a time. */
  concurrency: number;
}

const POLL_MS = 1_000;

/**
 * All background work of a node: crews for jobs, and for other queues `beside`. The node looks each second, with one
 * statement for all of them, and is woken by its own commits; no LISTEN/NOTIFY, which takes a lock of the whole database
 * at commit.
 */
export function jobWorker(
  deps: WorkerDeps,
  plans: readonly CrewPlan[],
  beside: readonly Crew[] = [],
): JobWorker {
  const { db, clock, onError } = deps;
  const staffed = plans.map(({ kinds, concurrency }) => ({
    kinds: kinds.map(({ kind }) => kind),
    crew: crewOf(jobQueue(deps, kinds), { hands: concurrency, onError: (error) => onError(error, 'claim') }),
  }));
  const byKind = new Map(staffed.flatMap(({ kinds, crew }) => kinds.map((kind) => [kind, crew] as const)));
  const crews = [...staffed.map(({ crew }) => crew), ...beside];
  const look = lookAt(deps, crews);
  let timer: NodeJS.Timeout | undefined;

  return {
    async enqueue(tx, job) {
      const crew = byKind.get(job.kind);
      if (!crew) throw new Error(`nobody works on ${job.kind}`);
      const now = clock.now();
      await tx.query(statements.insertJob({ ...job, jobId: newId(), runAt: now, now }));
      tx.afterCommit(() => crew.wake());
    },
    async start() {
      for (const crew of crews) await crew.begin(db.engine === 'embedded');
      timer = setInterval(look, POLL_MS);
    },
    async drain() {
      for (;;) {
        await Promise.all(crews.map((crew) => crew.settled()));
        const before = launchedBy(crews);
        for (const crew of crews) await crew.claim();
        // An item that ran meanwhile, whoever claimed it, may have made another.
        if (launchedBy(crews) === before && !crews.some((crew) => crew.busy())) return;
      }
    },
    async stop() {
      clearInterval(timer);
      await Promise.all(crews.map((crew) => crew.stop()));
    },
  };
}

const launchedBy = (crews: readonly Crew[]): number => crews.reduce((sum, crew) => sum + crew.launched(), 0);

/** Wakes the crews that something is due for; one look at a time. */
function lookAt({ db, clock, onError }: WorkerDeps, crews: readonly Crew[]): () => void {
  let looking = false;
  return () => {
    if (looking) return;
    looking = true;
    one(db, statements.whichAreDue(crews.map((crew) => crew.due(clock.now()))))
      .then(({ due }) => crews.forEach((crew, index) => due[index] && crew.wake()))
      .catch((error: unknown) => onError(error, 'look'))
      .finally(() => (looking = false));
  };
}
