import { Registry } from 'prom-client';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { createAuditLog, type Audit, type AuditDeps } from './audit/append.ts';
import { reportAuditEntry } from './audit/report-entry.ts';
import { createSettingsAttention } from './attention/settings-attention.ts';
import { createAuditAttention } from './audit/find-attention.ts';
import { dropAuditMonths, type DropDeps } from './audit/drop-months.ts';
import { sealAll } from './audit/seal.ts';
import { verifyIncrements } from './audit/verify-increments.ts';
import type { Db } from './db/db.ts';
import { addMonths } from './db/months.ts';
import { measureClockDifference } from './db/store-clock.ts';
import type { App } from './http/app.ts';
import type { BodyLimits } from './http/body-deadline.ts';
import { createActivityReport, type ReportActivity } from './http/activity.ts';
import { measureRequests } from './http/metrics.ts';
import { areServed, type MetricsConfig } from './http/metrics-server.ts';
import { registerOperationsRoutes } from './http/operations.route.ts';
import type { Routes } from './http/serve.ts';
import { createServer } from './http/server.ts';
import { createClockGuard } from './jobs/clock-guard.ts';
import { registerJobMetrics } from './jobs/job-metrics.ts';
import type { JobKind } from './jobs/job-kind.ts';
import { createRecurringJob } from './jobs/recurring-job.ts';
import type { Jobs } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { createSecretSeal, type SecretSeal } from './keys/secret-seal.ts';
import { createSigningKeys, type SigningKeys } from './keys/signing-keys.ts';
import { registerQueriedGauges } from './kernel/queried-gauges.ts';
import { createMailJob, createMailTransport, type SendMail } from './mail/mail.ts';
import { purgeOutbox } from './mail/outbox.ts';
import type { ObjectStoreConfig } from './objects/config.ts';
import type { Objects } from './objects/objects.ts';
import { openObjects } from './objects/open-objects.ts';
import { createOutboundClient, type OutboundClient } from './outbound/outbound-client.ts';
import { isOneOfSeveral, readSummedMetrics } from './processes/served-process.ts';
import { watchExports } from './telemetry/watch-exports.ts';
import type { Telemetry } from './telemetry/telemetry.ts';
import { createUsage, type Usage } from './usage/usage.ts';
import type { Wing } from './wing.ts';

export interface HttpConfig {
  host: string;
  port: number;
  /** Where clients reach the service; issuer and audience of its tokens. */
  baseUrl: string;
  /** Whether an operator has said so: else it is a guess, of HOST and PORT. */
  isBaseUrlGiven: boolean;
  consentAppUrl: string;
  /** `host[:port]` values that a request may be addressed to. */
  allowedHosts: readonly string[];
  /** Addresses and networks of proxies whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[];
}

export interface MailConfig {
  /** undefined: mails become files in `outbox`. */
  smtpUrl: string | undefined;
  outbox: string;
  from: string;
}

export interface SecretsConfig {
  /** What stored secrets are sealed under: the first key seals, each opens; none: they are stored as they are. */
  keys: readonly Uint8Array[];
}

export interface AuditConfig {
  /** Months that entries are kept for at least; null: for good. */
  retentionMonths: number | null;
}

export interface PlatformConfig {
  audit: AuditConfig;
  http: HttpConfig;
  mail: MailConfig;
  metrics: MetricsConfig;
  logLevel: string;
  secrets: SecretsConfig;
  objectStore: ObjectStoreConfig | null;
}

export interface PlatformOptions {
  config: PlatformConfig;
  /** Where log lines go instead of the standard output. */
  logStream?: { write(line: string): void } | undefined;
  bodyLimits?: BodyLimits | undefined;
  db: Db;
  clock: Clock;
  jobs: Jobs;
  outbound?: OutboundClient | undefined;
  telemetry: Telemetry | null;
  /** No background work begins while the clocks of node and store differ; tests move theirs. */
  guardsClock?: boolean | undefined;
}

/** What every other part of the service stands on. */
export interface Platform extends Wing {
  app: App;
  metrics: Registry;
  db: Db;
  clock: Clock;
  jobs: Jobs;
  audit: Audit;
  keys: SigningKeys;
  secrets: SecretSeal;
  objects: Objects;
  outbound: OutboundClient;
  send: SendMail;
  baseUrl: string;
  consentAppUrl: string;
  report: ReportActivity;
  usage: Usage;
  /** null: nobody wants to know. */
  telemetry: Telemetry | null;
  onJobError(error: unknown, kind: string): void;
  /** Whether background work may begin; absent: always. */
  mayClaim: (() => Promise<boolean>) | undefined;
}

const DAY_MS = 24 * 3600 * 1000;

const SEAL_MS = 2000;
/** After a round that sealed nothing: an idle service queries less often. */
const SEAL_IDLE_MS = 6000;

export function openPlatform(options: PlatformOptions): Platform {
  const { config, db, clock, jobs, logStream, bodyLimits, telemetry } = options;
  const { http, logLevel } = config;
  const { baseUrl, consentAppUrl, allowedHosts, trustedProxies } = http;
  const serving = { allowedHosts, trustedProxies, endpoints: ENDPOINTS };
  const app = createServer({ logLevel, logStream, bodyLimits, telemetry, ...serving });
  const metrics = createMetrics(app, { db, clock, telemetry, config: config.metrics });
  const keys = createSigningKeys({ db, clock });
  const report = createActivityReport(metrics, app.log);
  const onJobError = (error: unknown, kind: string): void =>
    app.log.error({ err: error, job: kind }, 'job failed');
  const usage = createUsage({ db, clock, onError: (error) => onJobError(error, 'usage') });
  const { objects, ...stored } = openObjects(config.objectStore, { db, clock, metrics });
  const send = createMailTransport({ ...config.mail, clock, report, usage });
  const audit = openAuditLog({ db, clock, keptMonths: config.audit.retentionMonths }, report);
  return {
    app,
    metrics,
    db,
    clock,
    jobs,
    audit,
    keys,
    secrets: createSecretSeal(config.secrets.keys),
    objects,
    outbound: options.outbound ?? createOutboundClient(),
    send,
    report,
    usage,
    telemetry,
    baseUrl,
    consentAppUrl,
    onJobError,
    mayClaim: openClockGuard(options, onJobError),
    registerRoutes: (routes) => registerOperations(routes, { metrics, db, clock, config: config.metrics }),
    quickJobs: [createMailJob(send)],
    recurringJobs: [
      ...createStoreJobs({ db, clock, keys, baseUrl, audit }, config.audit),
      ...stored.recurringJobs,
    ],
    attentionChecks: [createAuditAttention(db), createSettingsAttention(config), ...stored.attentionChecks],
    purge: () => purgeOutbox(config.mail.outbox, clock.now()),
    async close() {
      await usage.flush();
      await stored.close();
    },
  };
}

/** What says how the service is. */
function registerOperations(
  routes: Routes,
  { metrics, db, clock, config }: Pick<Platform, 'metrics' | 'db' | 'clock'> & { config: MetricsConfig },
): void {
  registerOperationsRoutes(routes, {
    metricsType: metrics.contentType,
    readMetrics: isOneOfSeveral ? readSummedMetrics : () => metrics.metrics(),
    measureClockDifference: () => measureClockDifference({ db, clock }),
    metrics: config,
    engine: db.engine,
  });
}

const openClockGuard = (
  { guardsClock = false, db, clock }: PlatformOptions,
  onJobError: Platform['onJobError'],
): Platform['mayClaim'] =>
  guardsClock ? createClockGuard({ db, clock, onError: (error) => onJobError(error, 'claim') }) : undefined;

const openAuditLog = (deps: AuditDeps, report: ReportActivity): Audit =>
  createAuditLog({ ...deps, onWritten: (entry) => reportAuditEntry(report, entry) });

/**
 * Creates the work on the audit log (new entries are sealed, and what was sealed is verified) and on the months of all that grows:
 * the next ones are made, and those of the log are dropped that need not be kept.
 */
const createStoreJobs = (deps: DropDeps, { retentionMonths }: AuditConfig): JobKind<object>[] => [
  createRecurringJob('audit.seal', SEAL_MS, async (signal) =>
    (await sealAll(deps, signal)) > 0 ? SEAL_MS : SEAL_IDLE_MS,
  ),
  createRecurringJob('audit.verify', DAY_MS, (signal) => verifyIncrements(deps, signal)),
  createRecurringJob('store.months', DAY_MS, async (signal) => {
    await addMonths(deps.db, deps.clock.now());
    if (retentionMonths !== null) await dropAuditMonths(deps, retentionMonths, signal);
  }),
];

function createMetrics(
  app: App,
  {
    db,
    clock,
    telemetry,
    config,
  }: Pick<PlatformOptions, 'db' | 'clock' | 'telemetry'> & { config: MetricsConfig },
): Registry {
  // What nobody can read would wake an idle process a hundred times a second, and cost each request a little.
  const metrics = isOneOfSeveral || areServed(config) ? measureRequests(app) : new Registry();
  if (telemetry) watchExports(telemetry, metrics, app.log);
  registerJobMetrics(metrics, { db, clock });
  registerQueriedGauges(metrics, [
    {
      name: 'chartgate_clock_difference_seconds',
      help: "How far the store's clock is ahead of this node's",
      fill: async (gauge) => gauge.set((await measureClockDifference({ db, clock })) / 1000),
    },
    {
      name: 'chartgate_store_capacity',
      help: 'What the disk of the store takes: 2 everything, 1 no uploads, 0 no reads and nothing that leads to them',
      aggregator: 'min',
      fill: async (gauge) => gauge.set({ ample: 2, low: 1, full: 0 }[db.capacity.level()]),
    },
  ]);
  return metrics;
}
