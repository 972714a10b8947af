import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import type { Db, Tx } from '../storage/db.ts';
import * as statements from './jobs.sql.ts';

/** A sort of background work. It runs at least once per job, so it must be repeatable. */
export interface JobKind<Payload = unknown> {
  kind: string;
  maxAttempts: number;
  /** Seconds until the next try after `attempt` (from 1) failed. */
  delaySeconds(attempt: number): number;
  /** `signal` is aborted when the process stops or the lease is lost: end soon by throwing its reason. */
  run(payload: Payload, signal: AbortSignal): Promise<void>;
  /** After the last attempt failed: tell whoever waits. */
  parked?(payload: Payload): Promise<void>;
}

/** Thrown by `run` when the time has not come: the job is given back and tried again after `ms`, without counting. */
export class RunLater extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('not yet');
    this.name = 'RunLater';
    this.ms = ms;
  }
}

export interface NewJob<Payload> {
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

interface Deps {
  db: Db;
  clock: Clock;
  kinds: readonly JobKind<never>[];
  onError(error: unknown, kind: string): void;
  concurrency?: number;
}

const POLL_MS = 1_000;
const LEASE_MS = 30_000;

/** Every node polls each second and is woken by its own commits; no LISTEN/NOTIFY (STORAGE §7 says why). */
export function jobWorker({ db, clock, kinds, onError, concurrency = 2 }: Deps): JobWorker {
  const worker = newId();
  const byKind = new Map(kinds.map((kind) => [kind.kind, kind as JobKind]));
  const running = new Map<string, { done: Promise<void>; stop: AbortController }>();
  let timer: NodeJS.Timeout | undefined;
  let stopping = false;
  let claiming: Promise<number> = Promise.resolve(0);

  async function claim(): Promise<number> {
    const most = concurrency - running.size;
    if (stopping || most <= 0) return 0;
    const now = clock.now();
    const leaseUntil = new Date(now.getTime() + LEASE_MS);
    const jobs = await db.query(statements.claimJobs({ worker, kinds: [...byKind.keys()], now, leaseUntil, most }));
    for (const job of jobs) launch(job);
    return jobs.length;
  }

  function launch(job: statements.JobRow): void {
    const stop = new AbortController();
    const done = attempt(job, stop).finally(() => {
      running.delete(job.job_id);
      wake();
    });
    running.set(job.job_id, { done, stop });
  }

  /** One attempt, its lease kept alive meanwhile. */
  async function attempt(job: statements.JobRow, stop: AbortController): Promise<void> {
    const kind = byKind.get(job.kind) as JobKind;
    const mine = { jobId: job.job_id, worker };
    const heartbeat = setInterval(() => {
      const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
      db.query(statements.extendLease({ ...mine, leaseUntil })).then(
        (rows) => rows.length === 0 && stop.abort(new Error('the lease was lost')),
        (error: unknown) => onError(error, job.kind),
      );
    }, LEASE_MS / 3);
    const payload: unknown = JSON.parse(job.payload);
    try {
      await kind.run(payload, stop.signal);
      await db.query(statements.finishJob(mine));
    } catch (error) {
      await settle({ job, kind, payload, stop, error }).catch((failure: unknown) => onError(failure, job.kind));
    } finally {
      clearInterval(heartbeat);
    }
  }

  async function settle(failed: { job: statements.JobRow; kind: JobKind; payload: unknown; stop: AbortController; error: unknown }): Promise<void> {
    const { job, kind, payload, stop, error } = failed;
    const mine = { jobId: job.job_id, worker };
    const now = clock.now();
    if (stop.signal.aborted) return void (await db.query(statements.releaseJob({ ...mine, runAt: now })));
    if (error instanceof RunLater) {
      return void (await db.query(statements.releaseJob({ ...mine, runAt: new Date(now.getTime() + error.ms) })));
    }
    onError(error, job.kind);
    // Only the error's kind is kept: messages of drivers and parsers quote data.
    const name = error instanceof Error ? error.name : 'Error';
    if (job.attempts < kind.maxAttempts) {
      const runAt = new Date(now.getTime() + kind.delaySeconds(job.attempts) * 1000);
      return void (await db.query(statements.retryJob({ ...mine, runAt, error: name })));
    }
    await db.query(statements.parkJob({ ...mine, error: name }));
    await kind.parked?.(payload);
  }

  function wake(): void {
    if (stopping) return;
    claiming = claiming.then(claim, claim);
    claiming.catch((error: unknown) => onError(error, 'claim'));
  }

  return {
    async enqueue(tx, job) {
      const now = clock.now();
      await tx.query(statements.insertJob({ ...job, jobId: newId(), runAt: now, now }));
      if (timer) tx.afterCommit(wake);
    },
    async start() {
      if (db.engine === 'embedded') await db.query(statements.releaseAllJobs(clock.now()));
      timer = setInterval(wake, POLL_MS);
      wake();
    },
    async drain() {
      while ((await claim()) > 0 || running.size > 0) await Promise.all([...running.values()].map(({ done }) => done));
    },
    async stop() {
      stopping = true;
      clearInterval(timer);
      await claiming.catch(() => 0);
      for (const { stop } of running.values()) stop.abort(new Error('the process is stopping'));
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}
