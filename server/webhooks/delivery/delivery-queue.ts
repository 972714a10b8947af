import { maybeOne, type Db } from '../../storage/db.ts';
import type { Egress } from '../../egress/egress.ts';
import type { Queue } from '../../jobs/crew.ts';
import { newId } from '../../kernel/ids.ts';
import { attemptDelivery, type AttemptDeps, type Attempted } from './attempt.ts';
import * as statements from './claims.sql.ts';
import {
  endpointWindows,
  FIRST,
  LEAST,
  NoTurn,
  type EndpointAnswer,
  type EndpointWindows,
} from './endpoint-windows.ts';
import { deliveryLeases, type Leases } from './leases.ts';
import { afterDeaths, resultOf } from './outcome.ts';
import { resultWriter } from './results.ts';
import type { AttemptRow } from './results.sql.ts';

/** How often the process may die over a delivery until that counts as an attempt that failed. */
const MOST_DEATHS = 20;

/** After so long a stop does not wait for an answer: the delivery is made again, here or elsewhere. */
const PATIENCE_MS = 5_000;

export interface DeliveryDeps extends AttemptDeps {
  db: Db;
  egress: Egress & { close(): Promise<void> };
  /** Seconds. */
  retryDelays: readonly number[];
  onError(error: unknown): void;
  /** Counts an attempt; the seconds are from the event to its first one. */
  attempted(outcome: AttemptRow['fault'] | 'delivered', firstAttemptSeconds: number | null): void;
}

export interface DeliveryQueue extends Queue<statements.ClaimedRow> {
  /** An attempt of one delivery now, also of a webhook that is not active; null when it is under way or settled. */
  sendNow(key: statements.DeliveryKey): Promise<AttemptRow | null>;
}

/** The deliveries of all webhooks, for a crew of this node with so many hands. */
export function deliveryQueue(deps: DeliveryDeps, hands: number): DeliveryQueue {
  const { db } = deps;
  const worker: string = newId();
  const sender: Sender = {
    deps,
    hands,
    windows: endpointWindows(),
    leases: deliveryLeases(deps, worker),
    keep: attemptKeeper(deps, worker),
  };
  const { leases, keep } = sender;
  return {
    idOf: ({ webhook_id: webhookId, event_id: eventId }) => webhookId + eventId,
    due: (now) => statements.deliveriesDue(now),
    choosy: true,
    claim: (most) => claim(sender, most),
    attempt: (delivery, stop) => attempt(sender, delivery, stop.signal),
    async giveBack(deliveries) {
      await leases.release(deliveries);
      for (const delivery of deliveries) ended(sender, delivery, 'unknown');
    },
    releaseAll: async () => void (await db.query(statements.releaseAllDeliveries())),
    stopped: () => deps.egress.close(),
    async sendNow(key) {
      const delivery = await maybeOne(db, statements.claimDelivery(key, leases.next()));
      if (!delivery) return null;
      leases.hold(delivery);
      try {
        return await keep(delivery, () => attemptDelivery(deps, delivery, new AbortController().signal));
      } finally {
        leases.letGo(delivery);
      }
    },
  };
}

interface Sender {
  deps: DeliveryDeps;
  hands: number;
  windows: EndpointWindows;
  leases: Leases;
  keep: ReturnType<typeof attemptKeeper>;
}

async function claim(
  { deps, hands, windows, leases }: Sender,
  most: number,
): Promise<statements.ClaimedRow[]> {
  const lease = leases.next();
  const nowMs = lease.now.getTime();
  const statement = statements.claimDeliveries({
    ...lease,
    most,
    // The other half of the hands is for those that answer.
    mostFailing: Math.max(0, Math.floor(hands / 2) - leases.failing()),
    known: windows.free(nowMs),
    unknown: { free: FIRST, freeFailing: LEAST },
  });
  // A transaction, for its plan is made anew: one that was kept does not know how few are wanted, and reads whole tables.
  const taken = await deps.db.tx((tx) => tx.query(statement));
  // After a time without the store our own leases may have ended, with attempts still under way.
  const deliveries = taken.filter((delivery) => !leases.holds(delivery));
  for (const delivery of deliveries) {
    leases.hold(delivery);
    windows.took(delivery.webhook_id, delivery.max_per_second, nowMs);
  }
  return deliveries;
}

async function attempt(
  sender: Sender,
  delivery: statements.ClaimedRow,
  stopping: AbortSignal,
): Promise<void> {
  const { deps, windows, leases, keep } = sender;
  let answer: EndpointAnswer = 'unknown';
  try {
    const made = await keep(delivery, () =>
      windows.send(delivery.webhook_id, () => {
        stopping.throwIfAborted();
        return attemptDelivery(deps, delivery, later(stopping, PATIENCE_MS));
      }),
    );
    if (made) answer = answerIn(made);
  } catch (error) {
    // A fault of ours waits for the end of its lease, and is one of so many deaths.
    if (stopping.aborted || error instanceof NoTurn) await leases.release([delivery]).catch(deps.onError);
    else deps.onError(error);
  } finally {
    ended(sender, delivery, answer);
  }
}

function ended({ leases, windows }: Sender, delivery: statements.ClaimedRow, answer: EndpointAnswer): void {
  leases.letGo(delivery);
  windows.ended(delivery.webhook_id, answer);
}

/** Of an endpoint that takes longer many deliveries would only wait here. */
const QUICK_MS = 250;

function answerIn({ fault, duration_ms: ms }: AttemptRow): EndpointAnswer {
  if (fault !== null) return 'failed';
  return ms <= QUICK_MS ? 'quick' : 'slow';
}

/** Makes an attempt and keeps what came of it; null: none is made any more. */
function attemptKeeper({ db, clock, retryDelays, attempted, onError }: DeliveryDeps, worker: string) {
  const results = resultWriter({ db, worker });
  return async (
    delivery: statements.ClaimedRow,
    attempt: () => Promise<Attempted>,
  ): Promise<AttemptRow | null> => {
    if (delivery.claims > MOST_DEATHS) {
      onError(new Error('workers died over a delivery'));
      await results.write(afterDeaths(delivery, { retryDelays, now: clock.now() }));
      return null;
    }
    const made = await attempt();
    const result = resultOf(delivery, made, { retryDelays, now: clock.now() });
    await results.write(result);
    const first = delivery.fresh && delivery.attempts === 0 && delivery.claims === 1;
    const waited = made.at.getTime() - delivery.created_at.getTime();
    attempted(made.fault ?? 'delivered', first ? waited / 1000 : null);
    return result.attempt;
  };
}

/** A signal that is aborted some time after another. */
function later(signal: AbortSignal, ms: number): AbortSignal {
  const stop = new AbortController();
  signal.addEventListener('abort', () => setTimeout(() => stop.abort(signal.reason), ms).unref(), {
    once: true,
  });
  return stop.signal;
}
