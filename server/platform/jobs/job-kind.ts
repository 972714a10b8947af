/** A sort of background work. It runs at least once per job, so it must be repeatable. */
export interface JobKind<Payload = unknown> {
  kind: string;
  maxAttempts: number;
  /** Seconds until the next try after `attempt` (from 1) failed. */
  delaySeconds(attempt: number): number;
  /** `signal` is aborted when the process stops or the lease is lost: end soon by throwing its reason. */
  run(payload: Payload, signal: AbortSignal): Promise<void>;
  /** After the last attempt failed: tell whoever waits. */
  onDeadLetter?(payload: Payload): Promise<void>;
}

/** Thrown by `run` when the time has not come: the job is given back and tried again after `ms`, without counting. */
export class Reschedule extends Error {
  readonly ms: number;

  constructor(ms: number) {
    super('not yet');
    this.name = 'Reschedule';
    this.ms = ms;
  }
}
