import { Gauge, type Registry } from 'prom-client';
import { countJobs } from './platform/jobs/jobs.sql.ts';
import type { Clock } from './platform/kernel/clock.ts';
import { one, type Db } from './platform/db/db.ts';
import { countDeliveries, findOldestDueDelivery } from './surfaces/webhooks/delivery/claims.sql.ts';

/** A store that does not answer must not keep back the figures of the process, least of all then. */
const QUERY_TIMEOUT_MS = 2000;

/** What waits in the store for any node, counted when it is asked for: each node tells the same. */
export function registerQueueMetrics(registry: Registry, deps: { db: Db; clock: Clock }): void {
  for (const { fill, ...gaugeOptions } of [...createJobGauges(deps), ...createDeliveryGauges(deps)])
    registry.registerMetric(
      new Gauge({
        ...gaugeOptions,
        registers: [],
        async collect() {
          // Nothing is told of what could not be counted, or is there no more.
          this.reset();
          if (!gaugeOptions.labelNames) this.remove();
          await withTimeout(QUERY_TIMEOUT_MS, fill(this)).catch(() => {});
        },
      }),
    );
}

interface GaugeDefinition {
  name: string;
  help: string;
  labelNames?: string[];
  fill(gauge: Gauge): Promise<void>;
}

function createJobGauges({ db, clock }: { db: Db; clock: Clock }): GaugeDefinition[] {
  const loadCounts = coalesce(() => db.query(countJobs()));
  return [
    {
      name: 'chartgate_jobs',
      help: 'Jobs in the store: due (now, later, or at work) and parked (given up)',
      labelNames: ['kind', 'state'],
      async fill(gauge) {
        for (const { kind, state, jobs } of await loadCounts()) gauge.set({ kind, state }, jobs);
      },
    },
    {
      name: 'chartgate_jobs_oldest_due_seconds',
      help: 'How long the oldest due job has waited to be taken',
      async fill(gauge) {
        const due = (await loadCounts()).filter(({ state }) => state === 'due');
        gauge.set(Math.max(0, ...due.map(({ oldest }) => getSecondsSince(clock, oldest))));
      },
    },
  ];
}

const createDeliveryGauges = ({ db, clock }: { db: Db; clock: Clock }): GaugeDefinition[] => [
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
      const { due_at: oldest } = await one(db, findOldestDueDelivery(clock.now()));
      gauge.set(oldest ? getSecondsSince(clock, oldest) : 0);
    },
  },
];

const getSecondsSince = (clock: Clock, at: Date): number =>
  Math.max(0, (clock.now().getTime() - at.getTime()) / 1000);

/** Asks once for all who want to know at the same time. */
function coalesce<T>(load: () => Promise<T>): () => Promise<T> {
  let pending: Promise<T> | null = null;
  return () => (pending ??= load().finally(() => (pending = null)));
}

/** Rejects when it takes longer. */
async function withTimeout(ms: number, work: Promise<void>): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => reject(new Error('no answer')), ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
