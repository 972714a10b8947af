import type { Queryable } from '../db/db.ts';
import { isStoreFull } from '../db/store-error.ts';
import { ObjectStoreAway } from '../kernel/object-store-away.ts';

/** A kind of background work. It runs at least once per job, so it must be repeatable. */
export interface JobKind<Payload = unknown> {
  kind: string;
  maxAttempts: number;
  /** Seconds until the next try after `attempt` (from 1) failed. */
  delaySeconds(attempt: number): number;
  /** `signal` is aborted when the process stops or the lease is lost: the run must end soon, by throwing its reason. */
  run(payload: Payload, signal: AbortSignal): Promise<void>;
  /** It reschedules itself: a run is caused by nothing but the time. */
  isRecurring?: true;
  /** Whether it has work, of a recurring one: then a start does not wait for the turn that is set, maybe by an older program. */
  hasWork?(on: Queryable): Promise<boolean>;
  /** It is enqueued for later, to end what a process does by itself, should that be killed. */
  isStandby?: true;
  /** Runs after the last attempt failed, to inform those who wait. */
  onDeadLetter?(payload: Payload): Promise<void>;
}

/** Thrown by `run` when it is too early: the job is released and tried again after `ms`, without counting the attempt. */
export class Reschedule extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('not yet');
    this.name = 'Reschedule';
    this.ms = ms;
  }
}

/** How long a job waits for space on the disk of the store, or of the temporary folder, or for the object store. */
const FULL_RETRY_MS = 30_000;

/** Returns when to try again what is merely too early; null for a failure. A full disk, or a store that is away, is no fault of the job. */
export function toReschedule(error: unknown): Reschedule | null {
  if (error instanceof Reschedule) return error;
  return isStoreFull(error) || error instanceof ObjectStoreAway ? new Reschedule(FULL_RETRY_MS) : null;
}
