import { newId } from '../kernel/ids.ts';
import type { Tx } from '../storage/db.ts';
import { attemptJob, LEASE_MS, type AttemptDeps } from './attempt.ts';
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

export type WorkerDeps = Omit<AttemptDeps, 'worker'>;

interface Deps extends WorkerDeps {
  kinds: readonly JobKind<never>[];
  /** Jobs at a time. */
  concurrency?: number;
}

const POLL_MS = 1_000;

/** Every node polls each second and is woken by its own commits; no LISTEN/NOTIFY, which takes a lock of the whole database at commit. */
export function jobWorker(deps: Deps): JobWorker {
  const { db, clock, onError } = deps;
  const kinds = deps.kinds.map(({ kind }) => kind);
  const crew = jobCrew(deps);
  let timer: NodeJS.Timeout | undefined;
  let claiming: Promise<number> = Promise.resolve(0);

  const next = (): Promise<number> => (claiming = claiming.then(crew.claim, crew.claim));
  const wake = (): void => void next().catch((error: unknown) => onError(error, 'claim'));
  crew.onIdle(wake);

  return {
    async enqueue(tx, job) {
      const now = clock.now();
      await tx.query(statements.insertJob({ ...job, jobId: newId(), runAt: now, now }));
      if (timer) tx.afterCommit(wake);
    },
    async start() {
      if (db.engine === 'embedded') await db.query(statements.releaseAllJobs(kinds, clock.now()));
      timer = setInterval(wake, POLL_MS);
      wake();
    },
    async drain() {
      for (;;) {
        await crew.settled();
        const before = crew.launched();
        // In line with the other claims: two at once would take more than there are hands.
        await next();
        // A job that ran meanwhile, whoever claimed it, may have made another.
        if (crew.launched() === before && !crew.busy()) return;
      }
    },
    async stop() {
      clearInterval(timer);
      crew.dismiss();
      await claiming.catch(() => 0);
      await crew.settled();
    },
  };
}

interface Crew {
  /** Takes as many due jobs as there are hands free and starts them; how many it took. */
  claim(): Promise<number>;
  busy(): boolean;
  /** Jobs started so far. */
  launched(): number;
  /** When everything that runs now has ended. */
  settled(): Promise<unknown>;
  /** What to do whenever a hand gets free. */
  onIdle(action: () => void): void;
  /** No more claims; what runs is asked to end. */
  dismiss(): void;
}

function jobCrew({ kinds, concurrency = 2, ...deps }: Deps): Crew {
  const worker: string = newId();
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind as JobKind]));
  const running = new Map<string, { done: Promise<void>; stop: AbortController }>();
  let dismissed = false;
  let launched = 0;
  let idle = (): void => {};

  const launch = (job: statements.JobRow): void => {
    const stop = new AbortController();
    const done = attemptJob(
      { ...deps, worker },
      { job, kind: byKind.get(job.kind) as JobKind, stop },
    ).finally(() => {
      running.delete(job.job_id);
      if (!dismissed) idle();
    });
    running.set(job.job_id, { done, stop });
    launched++;
  };

  /** The process began to stop while these were on their way. */
  const giveBack = async (jobs: readonly statements.JobRow[]): Promise<number> => {
    const runAt = deps.clock.now();
    for (const { job_id: jobId } of jobs)
      await deps.db.query(statements.releaseJob({ jobId, worker, runAt }));
    return 0;
  };

  return {
    async claim() {
      const most = concurrency - running.size;
      if (dismissed || most <= 0) return 0;
      const now = deps.clock.now();
      const leaseUntil = new Date(now.getTime() + LEASE_MS);
      const jobs = await deps.db.query(
        statements.claimJobs({ worker, kinds: [...byKind.keys()], now, leaseUntil, most }),
      );
      if (dismissed) return giveBack(jobs);
      for (const job of jobs) launch(job);
      return jobs.length;
    },
    busy: () => running.size > 0,
    launched: () => launched,
    settled: () => Promise.all([...running.values()].map(({ done }) => done)),
    onIdle: (action) => void (idle = action),
    dismiss() {
      dismissed = true;
      for (const { stop } of running.values()) stop.abort(new Error('the process is stopping'));
    },
  };
}
