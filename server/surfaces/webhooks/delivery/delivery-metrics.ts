import { Counter, Histogram, type Registry } from 'prom-client';
import type { AttemptFault } from '../../../../contract/webhooks/webhook-deliveries.ts';
import { one, type Db } from '../../../platform/db/db.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { registerQueriedGauges } from '../../../platform/kernel/queried-gauges.ts';
import { countDeliveries, findOldestDueDelivery } from './claims.sql.ts';

export interface DeliveryMetrics {
  /** `firstAttemptSeconds`: the time from the event to the first attempt of its delivery; null for later attempts. */
  onAttempt(outcome: 'delivered' | AttemptFault, firstAttemptSeconds: number | null): void;
}

/** Registers the metrics of this node's attempts. */
export function createDeliveryMetrics(registry: Registry): DeliveryMetrics {
  const attempts = new Counter({
    name: 'chartgate_webhook_attempts_total',
    help: 'Attempts at webhook deliveries, by how they ended',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const firstAttemptDelay = new Histogram({
    name: 'chartgate_webhook_first_attempt_seconds',
    help: 'Time from an event to the first attempt to deliver it',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  });
  return {
    onAttempt(outcome, firstAttemptSeconds) {
      attempts.inc({ outcome });
      if (firstAttemptSeconds !== null) firstAttemptDelay.observe(firstAttemptSeconds);
    },
  };
}

/** Registers what waits in the store for any node. */
export function registerDeliveryGauges(registry: Registry, { db, clock }: { db: Db; clock: Clock }): void {
  registerQueriedGauges(registry, [
    {
      name: 'chartgate_webhook_deliveries',
      help: 'Webhook deliveries that were not acknowledged',
      labelNames: ['status'],
      async fill(gauge) {
        for (const { status, deliveries } of await db.query(countDeliveries()))
          gauge.set({ status }, deliveries);
      },
    },
    {
      name: 'chartgate_webhook_oldest_due_seconds',
      help: 'How long the oldest due delivery to an active webhook has waited to be taken',
      async fill(gauge) {
        const now = clock.now();
        const { due_at: oldest } = await one(db, findOldestDueDelivery(now));
        gauge.set(oldest ? Math.max(0, (now.getTime() - oldest.getTime()) / 1000) : 0);
      },
    },
  ]);
}
