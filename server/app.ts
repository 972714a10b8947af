import path from 'node:path';
import type { Registry } from 'prom-client';
import type { Caller } from '../contract/audience.ts';
import { ENDPOINTS } from '../contract/endpoints.ts';
import type { ConsentRecordId, PatientId, ProjectId } from '../contract/ids.ts';
import { accountRoutes } from './accounts/accounts.route.ts';
import { passkeyRoutes } from './accounts/passkeys/passkeys.route.ts';
import { signedIn } from './accounts/session.ts';
import { accessLogRoutes } from './audit/access-log.route.ts';
import { auditLog } from './audit/append.ts';
import { accessTokens } from './auth/access-token.ts';
import { loginThrottle } from './auth/login-throttle.ts';
import { signingKeys } from './auth/signing-keys.ts';
import { tokenRoutes } from './auth/token.route.ts';
import { backgroundWorker } from './background.ts';
import type { Config } from './config.ts';
import { consentRoutes } from './consent/decide-consent.route.ts';
import type { FetchRecords } from './consent/write-decision.ts';
import { myConsentRoutes } from './consent/my-consents.route.ts';
import { consentRecordRoutes } from './consent/consent-records/consent-records.route.ts';
import { mailReceipt, type ToldDecision } from './consent/receipts/receipt-mail.ts';
import { receiptRoute } from './consent/receipts/receipt.route.ts';
import { signedReceipt } from './consent/receipts/receipt.ts';
import { fhirRoutes } from './fhir/fhir.route.ts';
import { egress, type Egress } from './egress/egress.ts';
import { keptEgress, type KeptEgress } from './egress/kept-egress.ts';
import type { App } from './http/app.ts';
import type { Routes } from './http/serve.ts';
import { measureRequests } from './http/metrics.ts';
import { operationsRoutes } from './http/operations.route.ts';
import { hashOfPage, pageRoute } from './http/pages.route.ts';
import { createServer } from './http/server.ts';
import { visitors } from './http/visitor.ts';
import { refuseWrongMethods } from './http/wrong-method.ts';
import type { JobWorker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { mcpRoutes } from './mcp/mcp.route.ts';
import { myDataRoutes } from './my-data/my-data.route.ts';
import { authorizationServer, endGrants, grantLookup } from './oauth/authorization-server.ts';
import type { RecordSources } from './oauth/requests/record-sources.ts';
import { ownProject } from './organizations/projects.ts';
import { projectRoutes } from './organizations/projects.route.ts';
import { verifyApiKey } from './organizations/verify-api-key.ts';
import { enrollmentRoute } from './patients/enrollment.route.ts';
import { testPatientRoutes } from './patients/test-patients.route.ts';
import { verifyPatientPassword } from './patients/verify-password.ts';
import { queueMetrics } from './queue-metrics.ts';
import { connectedSources } from './sources/connected-sources.ts';
import { SOURCE_LIMITS, type SourceLimits } from './sources/limits.ts';
import { patientSourceRoutes } from './sources/patient-sources.route.ts';
import { requestSyncsOf } from './sources/request-sync.ts';
import { sourceRoutes } from './sources/sources.route.ts';
import type { Db, Tx } from './storage/db.ts';
import { sql } from './storage/sql.ts';
import { documentRoutes } from './uploads/documents.route.ts';
import { uploadsInFlight } from './uploads/uploads-in-flight.ts';
import { uploadRoutes } from './uploads/uploads.route.ts';
import { MOST_DELIVERIES, webhookDeliveries, type Deliveries } from './webhooks/delivery/deliveries.ts';
import { deliveryMetrics } from './webhooks/delivery/delivery-metrics.ts';
import { emitter } from './webhooks/events/emit.ts';
import { webhookRoutes } from './webhooks/registration/webhooks.route.ts';

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
  egress?: Egress;
  /** Requests to the endpoints of webhooks. */
  webhookEgress?: KeptEgress;
  /** Servers that a patient's record is fetched from after consent. */
  connectedSources?: RecordSources['connected'];
  /** What connected servers may cost; tests do not wait for as long, or for as much. */
  sourceLimits?: Partial<SourceLimits>;
}

/** The composition root: every room gets what it needs here and nowhere else. */
export function createService(options: ServiceOptions): Service {
  const { config, db, clock } = options;
  const app = createServer({ ...config, endpoints: ENDPOINTS });
  const metrics = measureRequests(app);
  queueMetrics(metrics, options);
  const shared = sharedOf(options, app, metrics);
  const { worker, routes } = shared;
  organizationRooms(routes, shared);
  patientRooms(routes, shared);
  agentRooms(routes, shared);
  uploadRoutes(routes, { db, clock, jobs: worker });
  documentRoutes(routes, { db });
  pageRoute(app, { at: '/consent', folder: CONSENT_PAGE });
  operationsRoutes(routes, { registry: metrics, ping: () => db.query(sql`select 1`) });
  refuseWrongMethods(
    app,
    ENDPOINTS.filter(({ dialect }) => dialect !== 'fhir'),
  );
  return { app, worker, metrics };
}

type Shared = ReturnType<typeof sharedOf>;

/** What more than one room needs. */
function sharedOf(options: ServiceOptions, app: App, metrics: Registry) {
  const { config, db, clock } = options;
  const { consentAppUrl, baseUrl } = config;
  const audit = auditLog({ db, clock });
  const keys = signingKeys({ db, clock });
  const tokens = accessTokens({ keys, clock, baseUrl, grantIsUsable: grantLookup(db) });
  const sources: RecordSources = {
    uploadsInFlight: (patientId) => uploadsInFlight(db, patientId),
    connected: options.connectedSources ?? connectedSources(db),
  };
  const outside = {
    egress: options.egress ?? egress(),
    allowPrivate: config.sourcesAllowPrivate,
    limits: { ...SOURCE_LIMITS, ...options.sourceLimits },
  };
  const onError = (error: unknown, kind: string): void =>
    app.log.error({ err: error, job: kind }, 'job failed');
  const deliveries = deliveriesOf(options, { metrics, onError });
  const emit = emitter(deliveries.wake);
  const told = { emit, deliveries, audit, onError };
  const worker = backgroundWorker({ ...outside, ...told, config, db, clock, keys, sources });
  const routes: Routes = { app, authenticate: tokens.verify, visitors: visitors(config) };
  const receipts = { db, clock, audit, keys, baseUrl, consentAppUrl };
  return {
    ...receipts,
    ...outside,
    config,
    routes,
    tokens,
    sources,
    worker,
    deliveries,
    jobs: worker,
    throttle: loginThrottle(db),
    uiHash: hashOfPage(CONSENT_PAGE),
    endGrants,
    emit,
    fetchRecords: ((tx, permitted) =>
      requestSyncsOf(tx, { jobs: worker, clock }, permitted)) satisfies FetchRecords,
    mailReceipt: (tx: Tx, told: ToldDecision) => mailReceipt(tx, worker, told),
    receiptOf: (patientId: PatientId, consentRecordId: ConsentRecordId) =>
      signedReceipt(receipts, { patientId, consentRecordId }),
    signedIn: (session: string | null) => signedIn({ db, clock }, session),
    ownProject: (caller: Caller, projectId: ProjectId) => ownProject(db, caller, projectId),
  };
}

/** What sends events to the endpoints of webhooks. */
const deliveriesOf = (
  { config, db, clock, webhookEgress }: ServiceOptions,
  { metrics, onError }: { metrics: Registry; onError(error: unknown, kind: string): void },
): Deliveries =>
  webhookDeliveries({
    db,
    clock,
    egress: webhookEgress ?? keptEgress({ connections: MOST_DELIVERIES }),
    allowPrivate: config.webhookAllowPrivate,
    retryDelays: config.webhookRetryDelays,
    onError: (error) => onError(error, 'webhook.delivery'),
    attempted: deliveryMetrics(metrics).attempted,
  });

/** What organizations call. */
function organizationRooms(routes: Routes, shared: Shared): void {
  tokenRoutes(routes, { ...shared, credentials: credentialsIn(shared.db) });
  projectRoutes(routes, shared);
  testPatientRoutes(routes, shared);
  enrollmentRoute(routes, shared);
  consentRecordRoutes(routes, shared);
  receiptRoute(routes, shared);
  fhirRoutes(routes, shared);
  sourceRoutes(routes, shared);
  webhookRoutes(routes, { ...shared, allowPrivate: shared.config.webhookAllowPrivate });
}

/** What patients call, and their pages. */
function patientRooms(routes: Routes, shared: Shared): void {
  accountRoutes(routes, shared);
  passkeyRoutes(routes, shared);
  consentRoutes(routes, shared);
  myConsentRoutes(routes, shared);
  myDataRoutes(routes, shared);
  patientSourceRoutes(routes, shared);
  accessLogRoutes(routes, shared);
}

/** What agents call. */
function agentRooms(routes: Routes, shared: Shared): void {
  authorizationServer(routes, { ...shared, settings: shared.config });
  mcpRoutes(routes, { ...shared, rateLimit: shared.config.mcpRateLimit });
}

const credentialsIn = (db: Db) => ({
  apiKey: (apiKey: string, apiSecret: string) => verifyApiKey(db, apiKey, apiSecret),
  patient: (login: Parameters<typeof verifyPatientPassword>[1]) => verifyPatientPassword(db, login),
});
