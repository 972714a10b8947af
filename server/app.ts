import path from 'node:path';
import type { Registry } from 'prom-client';
import type { Caller } from '../contract/audience.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../contract/brands.ts';
import { registerAccountRoutes } from './identity/accounts/accounts.route.ts';
import { registerPasskeyRoutes } from './identity/accounts/passkeys/passkeys.route.ts';
import { resolveSession } from './identity/accounts/session.ts';
import { registerAccessLogRoutes } from './surfaces/portal/access-log.route.ts';
import { createAuditLog } from './platform/audit/append.ts';
import { createAccessTokens } from './identity/tokens/access-token.ts';
import { createLoginThrottle } from './identity/tokens/login-throttle.ts';
import { createSigningKeys } from './platform/keys/signing-keys.ts';
import { registerTokenRoutes } from './identity/tokens/token.route.ts';
import { createBackgroundWorker } from './worker.ts';
import type { Config } from './config.ts';
import { registerConsentRoutes } from './consent/decisions/decide-consent.route.ts';
import type { FetchRecords } from './consent/decisions/write-decision.ts';
import { registerMyConsentRoutes } from './surfaces/portal/my-consents.route.ts';
import { registerConsentRecordRoutes } from './consent/records/consent-records.route.ts';
import { enqueueReceiptMail, type DecisionNotice } from './consent/receipts/receipt-mail.ts';
import { registerReceiptRoute } from './consent/receipts/receipt.route.ts';
import { signReceipt } from './consent/receipts/receipt.ts';
import { registerFhirRoutes } from './surfaces/fhir/fhir.route.ts';
import { createOutboundClient, type OutboundClient } from './platform/outbound/outbound-client.ts';
import { createPooledClient, type PooledClient } from './platform/outbound/pooled-client.ts';
import type { App } from './platform/http/app.ts';
import type { Routes } from './platform/http/serve.ts';
import { measureRequests } from './platform/http/metrics.ts';
import { registerOperationsRoutes } from './platform/http/operations.route.ts';
import { hashPage, servePage } from './platform/http/pages.route.ts';
import { createServer } from './platform/http/server.ts';
import { createBrowserCookies } from './platform/http/browser-context.ts';
import { registerMethodNotAllowed } from './platform/http/method-not-allowed.ts';
import type { JobWorker } from './platform/jobs/worker.ts';
import type { Clock } from './platform/kernel/clock.ts';
import { registerMcpRoutes } from './surfaces/mcp/protocol/mcp.route.ts';
import { registerMyDataRoutes } from './surfaces/portal/my-data.route.ts';
import {
  registerAuthorizationServer,
  revokeGrants,
  createGrantLookup,
} from './surfaces/oauth/authorization-server.ts';
import type { RecordSources } from './surfaces/oauth/requests/record-sources.ts';
import { requireOwnProject } from './identity/organizations/projects.ts';
import { registerProjectRoutes } from './identity/organizations/projects.route.ts';
import { verifyApiKey } from './identity/organizations/verify-api-key.ts';
import { registerEnrollmentRoute } from './identity/patients/enrollment.route.ts';
import { registerTestPatientRoutes } from './identity/patients/test-patients.route.ts';
import { verifyPatientPassword } from './identity/patients/verify-password.ts';
import { registerQueueMetrics } from './queue-metrics.ts';
import { findConnectedSources } from './clinical/sources/connected-sources.ts';
import { SOURCE_LIMITS, type SourceLimits } from './clinical/sources/limits.ts';
import { registerPatientSourceRoutes } from './clinical/sources/patient-sources.route.ts';
import { requestProjectSyncs } from './clinical/sources/request-sync.ts';
import { registerSourceRoutes } from './clinical/sources/sources.route.ts';
import type { Db, Tx } from './platform/db/db.ts';
import { sql } from './platform/db/sql.ts';
import { registerDocumentRoutes } from './clinical/ingest/originals/documents.route.ts';
import { hasUploadsInFlight } from './clinical/ingest/batches/uploads-in-flight.ts';
import { registerUploadRoutes } from './clinical/ingest/batches/uploads.route.ts';
import {
  MAX_CONCURRENT_DELIVERIES,
  createDeliveryDispatcher,
  type DeliveryDispatcher,
} from './surfaces/webhooks/delivery/delivery-dispatcher.ts';
import { createDeliveryMetrics } from './surfaces/webhooks/delivery/delivery-metrics.ts';
import { createEmitter } from './surfaces/webhooks/events/emit.ts';
import { registerWebhookRoutes } from './surfaces/webhooks/registration/webhooks.route.ts';

/** What Vite built of web/consent. */
const CONSENT_PAGE = path.resolve(import.meta.dirname, '../web/consent/dist');

export interface Service {
  app: App;
  worker: JobWorker;
  metrics: Registry;
}

export interface ServiceOptions {
  config: Config;
  db: Db;
  clock: Clock;
  /** Requests to addresses that others name; tests lead them to themselves. */
  outbound?: OutboundClient;
  /** Requests to the endpoints of webhooks. */
  webhookOutbound?: PooledClient;
  /** Servers that a patient's record is fetched from after consent. */
  connectedSources?: RecordSources['listConnected'];
  /** What connected servers may cost; tests do not wait for as long, or for as much. */
  sourceLimits?: Partial<SourceLimits>;
}

/** The composition root: every room gets what it needs here and nowhere else. */
export function createService(options: ServiceOptions): Service {
  const { config, db, clock } = options;
  const app = createServer({ ...config, endpoints: ENDPOINTS });
  const metrics = measureRequests(app);
  registerQueueMetrics(metrics, options);
  const shared = createSharedDeps(options, app, metrics);
  const { worker, routes } = shared;
  registerOrganizationRoutes(routes, shared);
  registerPatientRoutes(routes, shared);
  registerAgentRoutes(routes, shared);
  registerUploadRoutes(routes, { db, clock, jobs: worker });
  registerDocumentRoutes(routes, { db });
  servePage(app, { basePath: '/consent', folder: CONSENT_PAGE });
  registerOperationsRoutes(routes, { registry: metrics, ping: () => db.query(sql`select 1`) });
  registerMethodNotAllowed(
    app,
    ENDPOINTS.filter(({ dialect }) => dialect !== 'fhir'),
  );
  return { app, worker, metrics };
}

type SharedDeps = ReturnType<typeof createSharedDeps>;

/** What more than one room needs. */
function createSharedDeps(options: ServiceOptions, app: App, metrics: Registry) {
  const { config, db, clock } = options;
  const { consentAppUrl, baseUrl } = config;
  const audit = createAuditLog({ db, clock });
  const keys = createSigningKeys({ db, clock });
  const tokens = createAccessTokens({ keys, clock, baseUrl, isGrantUsable: createGrantLookup(db) });
  const sources: RecordSources = {
    hasUploadsInFlight: (patientId) => hasUploadsInFlight(db, patientId),
    listConnected: options.connectedSources ?? findConnectedSources(db),
  };
  const outboundDeps = {
    outbound: options.outbound ?? createOutboundClient(),
    allowPrivate: config.sourcesAllowPrivate,
    limits: { ...SOURCE_LIMITS, ...options.sourceLimits },
  };
  const onError = (error: unknown, kind: string): void =>
    app.log.error({ err: error, job: kind }, 'job failed');
  const deliveries = createDeliveries(options, { metrics, onError });
  const emit = createEmitter(deliveries.wake);
  const workerDeps = { emit, deliveries, audit, onError };
  const worker = createBackgroundWorker({ ...outboundDeps, ...workerDeps, config, db, clock, keys, sources });
  const routes: Routes = { app, authenticate: tokens.verify, browserCookies: createBrowserCookies(config) };
  const receipts = { db, clock, audit, keys, baseUrl, consentAppUrl };
  return {
    ...receipts,
    ...outboundDeps,
    config,
    routes,
    tokens,
    sources,
    worker,
    deliveries,
    jobs: worker,
    throttle: createLoginThrottle(db),
    uiHash: hashPage(CONSENT_PAGE),
    revokeGrants,
    emit,
    fetchRecords: ((tx, permitted) =>
      requestProjectSyncs(tx, { jobs: worker, clock }, permitted)) satisfies FetchRecords,
    mailReceipt: (tx: Tx, decision: DecisionNotice) => enqueueReceiptMail(tx, worker, decision),
    signReceipt: (patientId: PatientId, consentRecordId: ConsentRecordId) =>
      signReceipt(receipts, { patientId, consentRecordId }),
    resolveSession: (session: string | null) => resolveSession({ db, clock }, session),
    requireOwnProject: (caller: Caller, projectId: ProjectId) => requireOwnProject(db, caller, projectId),
  };
}

/** What sends events to the endpoints of webhooks. */
const createDeliveries = (
  { config, db, clock, webhookOutbound }: ServiceOptions,
  { metrics, onError }: { metrics: Registry; onError(error: unknown, kind: string): void },
): DeliveryDispatcher =>
  createDeliveryDispatcher({
    db,
    clock,
    outbound: webhookOutbound ?? createPooledClient({ maxConnections: MAX_CONCURRENT_DELIVERIES }),
    allowPrivate: config.webhookAllowPrivate,
    retryDelays: config.webhookRetryDelays,
    onError: (error) => onError(error, 'webhook.delivery'),
    onAttempt: createDeliveryMetrics(metrics).onAttempt,
  });

/** What organizations call. */
function registerOrganizationRoutes(routes: Routes, shared: SharedDeps): void {
  registerTokenRoutes(routes, { ...shared, credentials: createCredentials(shared.db) });
  registerProjectRoutes(routes, shared);
  registerTestPatientRoutes(routes, shared);
  registerEnrollmentRoute(routes, shared);
  registerConsentRecordRoutes(routes, shared);
  registerReceiptRoute(routes, shared);
  registerFhirRoutes(routes, shared);
  registerSourceRoutes(routes, shared);
  registerWebhookRoutes(routes, { ...shared, allowPrivate: shared.config.webhookAllowPrivate });
}

/** What patients call, and their pages. */
function registerPatientRoutes(routes: Routes, shared: SharedDeps): void {
  registerAccountRoutes(routes, shared);
  registerPasskeyRoutes(routes, shared);
  registerConsentRoutes(routes, shared);
  registerMyConsentRoutes(routes, shared);
  registerMyDataRoutes(routes, shared);
  registerPatientSourceRoutes(routes, shared);
  registerAccessLogRoutes(routes, shared);
}

/** What agents call. */
function registerAgentRoutes(routes: Routes, shared: SharedDeps): void {
  registerAuthorizationServer(routes, { ...shared, settings: shared.config });
  registerMcpRoutes(routes, { ...shared, rateLimit: shared.config.mcpRateLimit });
}

const createCredentials = (db: Db) => ({
  apiKey: (apiKey: string, apiSecret: string) => verifyApiKey(db, apiKey, apiSecret),
  patient: (login: Parameters<typeof verifyPatientPassword>[1]) => verifyPatientPassword(db, login),
});
