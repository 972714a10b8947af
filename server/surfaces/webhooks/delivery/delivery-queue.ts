import { maybeOne, type Db } from '../../../platform/db/db.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import type { Queue } from '../../../platform/jobs/worker-pool.ts';
import { generateId } from '../../../platform/kernel/ids.ts';
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

/** How often the process may die over a delivery until that counts as an attempt that failed. */
const MAX_CRASHES = 20;

/** After so long a stop does not wait for an answer: the delivery is made again, here or elsewhere. */
const STOP_GRACE_MS = 5_000;

export interface DeliveryDeps extends AttemptDeps {
  db: Db;
  outbound: OutboundClient & { close(): Promise<void> };
  /** Seconds. */
  retryDelays: readonly number[];
  onError(error: unknown): void;
  /** Counts an attempt; the seconds are from the event to its first one. */
  onAttempt(outcome: AttemptRow['fault'] | 'delivered', firstAttemptSeconds: number | null): void;
}

export interface DeliveryQueue extends Queue<statements.ClaimedRow> {
  /** An attempt of one delivery now, also of a webhook that is not active; null when it is under way or settled. */
  sendNow(key: statements.DeliveryKey): Promise<AttemptRow | null>;
}

/** The deliveries of all webhooks, for a crew of this node with so many hands. */
export function createDeliveryQueue(deps: DeliveryDeps, concurrency: number): DeliveryQueue {
  const { db } = deps;
  const worker: string = generateId();
  const sender: Sender = {
    deps,
    concurrency,
    windows: createConcurrencyWindows(),
    leases: createLeases(deps, worker),
    recordAttempt: createAttemptRecorder(deps, worker),
  };
  const { leases, recordAttempt } = sender;
  return {
    getId: ({ webhook_id: webhookId, event_id: eventId }) => webhookId + eventId,
    buildDueCondition: (now) => statements.hasDueDeliveries(now),
    mayLeaveDue: true,
    claim: (limit) => claim(sender, limit),
    attempt: (delivery, stop) => attempt(sender, delivery, stop.signal),
    async release(deliveries) {
      await leases.release(deliveries);
      for (const delivery of deliveries) finishAttempt(sender, delivery, 'unknown');
    },
    releaseAll: async () => void (await db.query(statements.releaseAllDeliveries())),
    onStopped: () => deps.outbound.close(),
    async sendNow(key) {
      const delivery = await maybeOne(db, statements.claimDelivery(key, leases.issue()));
      if (!delivery) return null;
      leases.track(delivery);
      try {
        return await recordAttempt(delivery, () =>
          attemptDelivery(deps, delivery, new AbortController().signal),
        );
      } finally {
        leases.untrack(delivery);
      }
    },
  };
}

interface Sender {
  deps: DeliveryDeps;
  concurrency: number;
  windows: ConcurrencyWindows;
  leases: Leases;
  recordAttempt: ReturnType<typeof createAttemptRecorder>;
}

async function claim(
  { deps, concurrency, windows, leases }: Sender,
  limit: number,
): Promise<statements.ClaimedRow[]> {
  const lease = leases.issue();
  const nowMs = lease.now.getTime();
  const statement = statements.claimDeliveries({
    ...lease,
    limit,
    // The other half of the hands is for those that answer.
    maxFailing: Math.max(0, Math.floor(concurrency / 2) - leases.countFailing()),
    known: windows.getFreeSlots(nowMs),
    unknown: { free: INITIAL_WINDOW, freeFailing: MIN_WINDOW },
  });
  // A transaction, for its plan is made anew: one that was kept does not know how few are wanted, and reads whole tables.
  const claimed = await deps.db.tx((tx) => tx.query(statement));
  // After a time without the store our own leases may have ended, with attempts still under way.
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
        return attemptDelivery(deps, delivery, delayAbort(stopping, STOP_GRACE_MS));
      }),
    );
    if (attemptRow) feedback = toFeedback(attemptRow);
  } catch (error) {
    // A fault of ours waits for the end of its lease, and is one of so many deaths.
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

/** Of an endpoint that takes longer many deliveries would only wait here. */
const QUICK_MS = 250;

function toFeedback({ fault, duration_ms: ms }: AttemptRow): EndpointFeedback {
  if (fault !== null) return 'failed';
  return ms <= QUICK_MS ? 'quick' : 'slow';
}

/** Makes an attempt and keeps what came of it; null: none is made any more. */
function createAttemptRecorder({ db, clock, retryDelays, onAttempt, onError }: DeliveryDeps, worker: string) {
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
    return result.attempt;
  };
}

/** A signal that is aborted some time after another. */
function delayAbort(signal: AbortSignal, ms: number): AbortSignal {
  const stop = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => stop.abort(signal.reason), ms).unref(), {
    once: true,
  });
  return stop.signal;
}
