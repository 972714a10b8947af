/** A kind of background work. It runs at least once per job, so it must be repeatable. */
export interface JobKind<Payload = unknown> {
  kind: string;
  maxAttempts: number;
  /** Seconds until the next try after `attempt` (from 1) failed. */
  delaySeconds(attempt: number): number;
  /** `signal` is aborted when the process stops or the lease is lost: the run must end soon, by throwing its reason. */
  run(payload: Payload, signal: AbortSignal): Promise<void>;
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
