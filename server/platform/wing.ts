import type { AttentionCheck } from './attention/attention.ts';
import type { FirstStepCheck } from './attention/first-steps.ts';
import type { Routes } from './http/serve.ts';
import type { JobKind } from './jobs/job-kind.ts';
import type { SecretStore } from './keys/stored-secrets.ts';
import type { WorkerPoolPlan } from './jobs/worker.ts';

/** What a part of the service adds to it, besides the functions that other parts need. */
export interface Wing {
  registerRoutes?(routes: Routes): void;
  /** Jobs that end within seconds: they share one pool, so that a mail waits behind nothing that takes long. */
  quickJobs?: readonly JobKind<never>[];
  /** Jobs that take long or wait long, in pools of their own; those of them that recur are enqueued at the start too. */
  pools?: readonly WorkerPoolPlan[];
  /** Jobs that reschedule themselves; each is enqueued once, when the service starts. */
  recurringJobs?: readonly JobKind<object>[];
  /** Secrets that it has in the store: they are sealed every hour, where they are not. */
  secretStores?: readonly SecretStore[];
  /** What of it may need somebody of an organization. */
  attentionChecks?: readonly AttentionCheck[];
  /** What of it an organization does at its beginning. */
  firstStepChecks?: readonly FirstStepCheck[];
  /** Makes in small turns what first requests would wait for; none needs it done. */
  prepare?(): Promise<void>;
  /** Deletes what has expired; runs every hour on one of the nodes. */
  purge?(signal: AbortSignal): Promise<void>;
  /** Releases what jobs used, after the last of them has ended. */
  close?(): Promise<void>;
}
