import type { OrganizationReach } from '../../contract/audience.ts';
import type { ProjectId } from '../../contract/brands.ts';
import type { Emit } from '../consent/decisions/new-event.ts';
import { createRecurringJob } from '../platform/jobs/recurring-job.ts';
import type { WorkerPool } from '../platform/jobs/worker-pool.ts';
import { createPooledClient, type PooledClient } from '../platform/outbound/outbound-client.ts';
import type { Platform } from '../platform/platform.ts';
import type { Wing } from '../platform/wing.ts';
import {
  createDeliveryDispatcher,
  MAX_CONCURRENT_DELIVERIES,
} from './webhooks/delivery/delivery-dispatcher.ts';
import { createDeliveryMetrics, registerDeliveryGauges } from './webhooks/delivery/delivery-metrics.ts';
import { createEmitter } from './webhooks/events/create-emitter.ts';
import { announceFailing } from './webhooks/maintenance/announce-failing.ts';
import { createWebhookAttention, createWebhookFirstStep } from './webhooks/maintenance/find-attention.ts';
import { pruneWebhookHistory } from './webhooks/maintenance/prune-history.ts';
import { sumWebhookDays } from './webhooks/maintenance/sum-days.ts';
import { sumWebhookHours } from './webhooks/maintenance/sum-hours.ts';
import { createPurgeWebhookJob } from './webhooks/registration/delete-webhook.ts';
import { countWebhooksByProject } from './webhooks/webhooks.sql.ts';
import { createWebhookSecrets } from './webhooks/registration/stored-secrets.ts';
import { registerWebhookRoutes } from './webhooks/registration/webhooks.route.ts';

const WATCH_MS = 60_000;
const SUM_MS = 10 * 60_000;

export interface WebhooksConfig {
  /** Endpoints may be in private networks and on this machine. */
  allowPrivate: boolean;
  /** Of this node. */
  processes: number;
  /** Seconds before each retry. */
  retryDelays: readonly number[];
  /** Months that events are kept for; null: for good. */
  retentionMonths: number | null;
}

export interface Webhooks extends Wing {
  emit: Emit;
  /** Counts the active webhooks by the projects whose events they are sent; null: every project. */
  countByProject(reach: OrganizationReach): Promise<{ project_id: ProjectId | null; count: number }[]>;
  /** Sends what is due; runs beside the pools of jobs. */
  deliveryPool: WorkerPool;
}

/** Events to the endpoints of organizations: the outbox, deliveries, registration, maintenance. */
export function openWebhooks(
  platform: Platform,
  { allowPrivate, retryDelays, processes, retentionMonths }: WebhooksConfig,
  outbound: PooledClient = createPooledClient({ maxConnections: MAX_CONCURRENT_DELIVERIES }),
): Webhooks {
  const { db, clock, jobs, audit, secrets, metrics, usage, telemetry, baseUrl, onJobError, mayClaim } =
    platform;
  registerDeliveryGauges(metrics, { db, clock });
  const deliveries = createDeliveryDispatcher({
    db,
    clock,
    secrets,
    outbound,
    allowPrivate,
    userAgent: `Chartgate-Webhooks/1.0 (+${baseUrl}/docs/webhooks)`,
    retryDelays,
    processes,
    onError: (error) => onJobError(error, 'webhook.delivery'),
    onAttempt: createDeliveryMetrics(metrics).onAttempt,
    usage,
    telemetry,
    mayClaim,
  });
  return {
    emit: createEmitter(deliveries.wake),
    countByProject: (reach) => db.query(countWebhooksByProject(reach)),
    deliveryPool: deliveries.pool,
    registerRoutes: (routes) =>
      registerWebhookRoutes(routes, { db, clock, jobs, audit, secrets, deliveries, allowPrivate }),
    // What was a webhook's may be millions of rows.
    pools: [{ kinds: [createPurgeWebhookJob({ db })], concurrency: 1 }],
    recurringJobs: [
      createRecurringJob('webhook.watch', WATCH_MS, (signal) =>
        announceFailing({ db, clock, jobs, audit, baseUrl, retryDelays }, signal),
      ),
      createRecurringJob('webhook.sum', SUM_MS, async (signal) => {
        await sumWebhookHours({ db, clock }, signal);
        await sumWebhookDays({ db }, signal);
      }),
    ],
    secretStores: [createWebhookSecrets(db)],
    attentionChecks: [createWebhookAttention(db)],
    firstStepChecks: [createWebhookFirstStep(db)],
    purge: async (signal) => {
      if (retentionMonths !== null) await pruneWebhookHistory({ db, clock }, retentionMonths, signal);
    },
  };
}
