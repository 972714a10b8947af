import { maybeOne, type Db } from '../storage/db.ts';
import type { Egress } from '../egress/egress.ts';
import type { Queue } from '../jobs/crew.ts';
import { newId } from '../kernel/ids.ts';
import { attemptDelivery, type AttemptDeps } from './attempt.ts';
import * as statements from './claims.sql.ts';
import { endpointWindows, FIRST, LEAST } from './endpoint-windows.ts';
import { givenUp, resultOf } from './outcome.ts';
import { resultWriter } from './results.ts';
import type { AttemptRow } from './results.sql.ts';

/** Longer than an attempt takes, with its result. */
const LEASE_MS = 15_000;

/** How often the process may die over a delivery until that is held to be the cause. */
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
  const { db, clock, onError } = deps;
  const worker: string = newId();
  const windows = endpointWindows();
  const results = resultWriter({ db, worker });
  const held = heldUnderLease(deps, worker);

  const lease = () => {
    const now = clock.now();
    return { worker, now, leaseUntil: new Date(now.getTime() + LEASE_MS) };
  };
  const release = (deliveries: readonly statements.ClaimedRow[]): Promise<unknown> =>
    db.query(statements.releaseDeliveries({ worker, deliveries }, clock.now()));
  const took = (delivery: statements.ClaimedRow): void => {
    held.add(delivery);
    windows.took(delivery.webhook_id, delivery.max_per_second, clock.now().getTime());
  };

  async function made(delivery: statements.ClaimedRow, signal: AbortSignal): Promise<AttemptRow | null> {
    if (delivery.claims > MOST_DEATHS) {
      await results.write(givenUp(delivery, clock.now()));
      return null;
    }
    const attempted = await attemptDelivery(deps, delivery, signal);
    const result = resultOf(delivery, attempted, { retryDelays: deps.retryDelays, now: clock.now() });
    await results.write(result);
    const first = delivery.attempts === 0 && delivery.claims === 1;
    const waited = attempted.at.getTime() - delivery.created_at.getTime();
    deps.attempted(attempted.fault ?? 'delivered', first ? waited / 1000 : null);
    return result.attempt;
  }

  return {
    idOf: ({ webhook_id: webhookId, event_id: eventId }) => webhookId + eventId,
    due: (now) => statements.deliveriesDue(now),
    async claim(most) {
      const deliveries = await db.query(
        statements.claimDeliveries({
          ...lease(),
          most,
          // The other half of the hands is for those that answer.
          mostFailing: Math.max(0, Math.floor(hands / 2) - held.failing()),
          known: windows.free(clock.now().getTime()),
          unknown: { free: FIRST, freeFailing: LEAST },
        }),
      );
      deliveries.forEach(took);
      return deliveries;
    },
    async attempt(delivery, stop) {
      let acknowledged: boolean | null = null;
      try {
        await windows.send(delivery.webhook_id, async () => {
          stop.signal.throwIfAborted();
          const attempt = await made(delivery, later(stop.signal, PATIENCE_MS));
          acknowledged = attempt && attempt.fault === null;
        });
      } catch (error) {
        // A fault of ours waits for the end of its lease, and is one of so many deaths.
        if (stop.signal.aborted) await release([delivery]).catch(onError);
        else onError(error);
      } finally {
        held.remove(delivery);
        windows.ended(delivery.webhook_id, acknowledged);
      }
    },
    async giveBack(deliveries) {
      await release(deliveries);
      for (const delivery of deliveries) {
        held.remove(delivery);
        windows.ended(delivery.webhook_id, null);
      }
    },
    releaseAll: async () => void (await db.query(statements.releaseAllDeliveries(clock.now()))),
    stopped: () => deps.egress.close(),
    async sendNow(key) {
      const delivery = await maybeOne(db, statements.claimDelivery(key, lease()));
      if (!delivery) return null;
      held.add(delivery);
      try {
        return await made(delivery, new AbortController().signal);
      } finally {
        held.remove(delivery);
      }
    },
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

/** What this node is at: one heartbeat keeps all its leases alive. */
function heldUnderLease({ db, clock, onError }: DeliveryDeps, worker: string) {
  const deliveries = new Set<statements.ClaimedRow>();
  let timer: NodeJS.Timeout | undefined;
  const extend = (): void => {
    const leaseUntil = new Date(clock.now().getTime() + LEASE_MS);
    db.query(statements.extendLeases({ worker, deliveries: [...deliveries] }, leaseUntil)).catch(onError);
  };
  return {
    failing: () => [...deliveries].filter(({ failing }) => failing).length,
    add(delivery: statements.ClaimedRow) {
      deliveries.add(delivery);
      timer ??= setInterval(extend, LEASE_MS / 3);
    },
    remove(delivery: statements.ClaimedRow) {
      deliveries.delete(delivery);
      if (deliveries.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    },
  };
}
