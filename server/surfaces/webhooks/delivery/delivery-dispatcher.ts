import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { createWorkerPool, type Queue, type WorkerPool } from '../../../platform/jobs/worker-pool.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
import type { Usage } from '../../../platform/usage/usage.ts';
import { attemptDelivery, type AttemptDeps, type AttemptResult } from './attempt.ts';
import * as statements from './claims.sql.ts';
import {
  createConcurrencyWindows,
  INITIAL_WINDOW,
  MIN_WINDOW,
  SlotTimeout,
  type EndpointFeedback,
  type ConcurrencyWindows,
} from './concurrency-windows.ts';
import { createLeases, type Leases } from './leases.ts';
import { onWorkerCrash, buildResult } from './outcome.ts';
import { createResultWriter } from './results.ts';
import type { AttemptRow } from './results.sql.ts';

/** Deliveries under way on a node; most of them wait for an answer. */
export const MAX_CONCURRENT_DELIVERIES = 512;

/** Crashes of the process during a delivery that are tolerated before they count as a failed attempt. */
const MAX_CRASHES = 20;

export interface DeliveryDeps extends AttemptDeps {
  db: Db;
  outbound: OutboundClient & { close(): Promise<void> };
  /** Of this node. */
  processes: number;
  /** Seconds. */
  retryDelays: readonly number[];
  onError(error: unknown): void;
  /** Counts an attempt; `firstAttemptSeconds` is the time from the event to its first attempt, null for later ones. */
  onAttempt(outcome: AttemptRow['fault'] | 'delivered', firstAttemptSeconds: number | null): void;
  usage: Pick<Usage, 'count'>;
  /** See `createClockGuard`; absent: whatever the clocks say. */
  mayClaim: (() => Promise<boolean>) | undefined;
}

export interface DeliveryDispatcher {
  pool: WorkerPool;
  /** Looks for due deliveries soon. */
  wake(): void;
  /** Attempts one delivery now, also of a webhook that is not active; returns null when it is under way or settled. */
  sendNow(key: statements.DeliveryKey): Promise<AttemptRow | null>;
}

/** Creates what sends events to the endpoints of webhooks. */
export function createDeliveryDispatcher(deps: DeliveryDeps): DeliveryDispatcher {
  const sender = createSender(deps);
  const queue = createDeliveryQueue(sender);
  const { onError, mayClaim } = deps;
  const pool = createWorkerPool(queue, { concurrency: MAX_CONCURRENT_DELIVERIES, onError, mayClaim });
  return { pool, wake: () => pool.wake(), sendNow: (key) => sendNow(sender, key) };
}

interface Sender {
  deps: DeliveryDeps;
  windows: ConcurrencyWindows;
  leases: Leases;
  recordAttempt: ReturnType<typeof createAttemptRecorder>;
}

function createSender(deps: DeliveryDeps): Sender {
  const worker: string = generateId();
  return {
    deps,
    windows: createConcurrencyWindows(deps.processes),
    leases: createLeases(deps, worker),
    recordAttempt: createAttemptRecorder(deps, worker),
  };
}

/** The deliveries of all webhooks, as a queue for the worker pool of this node. */
function createDeliveryQueue(sender: Sender): Queue<statements.ClaimedRow> {
  const { deps, leases } = sender;
  return {
    buildDueCondition: (now) => statements.hasDueDeliveries(now),
    mayLeaveDue: true,
    // The embedded store has no other process.
    looksAgain: deps.db.engine === 'postgresql',
    claim: (limit) => claim(sender, limit),
    // The pool may have been woken by a request, of which a delivery is no part.
    attempt: (delivery, stop) =>
      deps.telemetry === null
        ? attempt(sender, delivery, stop.signal)
        : deps.telemetry.runDetached(() => attempt(sender, delivery, stop.signal)),
    async release(deliveries) {
      await leases.release(deliveries);
      for (const delivery of deliveries) finishAttempt(sender, delivery, 'unknown');
    },
    releaseAll: async () => void (await deps.db.query(statements.releaseAllDeliveries())),
    onStopped: () => deps.outbound.close(),
  };
}

async function sendNow(
  { deps, leases, recordAttempt }: Sender,
  key: statements.DeliveryKey,
): Promise<AttemptRow | null> {
  const delivery = await maybeOne(deps.db, statements.claimDelivery(key, leases.issue()));
  if (!delivery) return null;
  leases.track(delivery);
  try {
    return await recordAttempt(delivery, () => attemptDelivery(deps, delivery));
  } finally {
    leases.untrack(delivery);
  }
}

async function claim({ deps, windows, leases }: Sender, limit: number): Promise<statements.ClaimedRow[]> {
  const lease = leases.issue();
  const nowMs = lease.now.getTime();
  const statement = statements.claimDeliveries({
    ...lease,
    limit,
    // The other half of the workers is for endpoints that answer.
    maxFailing: Math.max(0, Math.floor(MAX_CONCURRENT_DELIVERIES / 2) - leases.countFailing()),
    known: windows.getFreeSlots(nowMs),
    unknown: { free: INITIAL_WINDOW, freeFailing: MIN_WINDOW },
    processes: deps.processes,
  });
  // Statements of a transaction are planned anew: a cached plan does not know how few rows are wanted, and reads whole tables.
  const claimed = await deps.db.tx((tx) => tx.query(statement));
  // While the store was unavailable our own leases may have expired with attempts still under way.
  const deliveries = claimed.filter((delivery) => !leases.isTracked(delivery));
  for (const delivery of deliveries) {
    leases.track(delivery);
    windows.onClaimed(delivery.webhook_id, delivery.max_per_second, nowMs);
  }
  return deliveries;
}

async function attempt(
  sender: Sender,
  delivery: statements.ClaimedRow,
  stopping: AbortSignal,
): Promise<void> {
  const { deps, windows, leases, recordAttempt } = sender;
  let feedback: EndpointFeedback = 'unknown';
  try {
    const attemptRow = await recordAttempt(delivery, () =>
      windows.send(delivery.webhook_id, () => {
        stopping.throwIfAborted();
        return attemptDelivery(deps, delivery, stopping);
      }),
    );
    if (attemptRow) feedback = toFeedback(attemptRow);
  } catch (error) {
    // After an error of our own the delivery waits until its lease expires; that counts as a crash.
    if (stopping.aborted || error instanceof SlotTimeout)
      await leases.release([delivery]).catch(deps.onError);
    else deps.onError(error);
  } finally {
    finishAttempt(sender, delivery, feedback);
  }
}

function finishAttempt(
  { leases, windows }: Sender,
  delivery: statements.ClaimedRow,
  feedback: EndpointFeedback,
): void {
  leases.untrack(delivery);
  windows.onSettled(delivery.webhook_id, feedback);
}

/** Deliveries to an endpoint that takes longer would only queue up on this node. */
const QUICK_MS = 250;

function toFeedback({ fault, duration_ms: ms }: AttemptRow): EndpointFeedback {
  if (fault !== null) return 'failed';
  return ms <= QUICK_MS ? 'quick' : 'slow';
}

/** Creates the function that makes an attempt and stores its result; it returns null when no attempt is made any more. */
function createAttemptRecorder(deps: DeliveryDeps, worker: string) {
  const { db, clock, retryDelays, onAttempt, onError } = deps;
  const results = createResultWriter({ db, worker });
  return async (
    delivery: statements.ClaimedRow,
    attempt: () => Promise<AttemptResult>,
  ): Promise<AttemptRow | null> => {
    if (delivery.claims > MAX_CRASHES) {
      onError(new Error('workers died over a delivery'));
      await results.write(onWorkerCrash(delivery, { retryDelays, now: clock.now() }));
      return null;
    }
    const outcome = await attempt();
    const result = buildResult(delivery, outcome, { retryDelays, now: clock.now() });
    await results.write(result);
    const isFirstAttempt = delivery.fresh && delivery.attempts === 0 && delivery.claims === 1;
    const waitMs = outcome.at.getTime() - delivery.created_at.getTime();
    onAttempt(outcome.fault ?? 'delivered', isFirstAttempt ? waitMs / 1000 : null);
    countAttempt(deps.usage, delivery, result.attempt);
    return result.attempt;
  };
}

/** Counts an attempt as its organization's use, by the type of the event. */
function countAttempt(
  usage: Pick<Usage, 'count'>,
  delivery: statements.ClaimedRow,
  attempt: AttemptRow | null,
): void {
  if (attempt === null) return;
  usage.count({
    organizationId: delivery.organization_id,
    projectId: delivery.project_id,
    kind: 'delivery',
    name: delivery.type,
    outcome: attempt.fault === null ? 'success' : 'failed',
    durationMs: attempt.duration_ms,
  });
}
