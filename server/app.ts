import path from 'node:path';
import type { Registry } from 'prom-client';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { accountRoutes } from './accounts/accounts.route.ts';
import { signedIn } from './accounts/session.ts';
import { auditLog } from './audit/append.ts';
import { accessTokens } from './auth/access-token.ts';
import { loginThrottle } from './auth/login-throttle.ts';
import { signingKeys } from './auth/signing-keys.ts';
import { tokenRoutes } from './auth/token.route.ts';
import { backgroundWorker } from './background.ts';
import type { Config } from './config.ts';
import { consentRoutes } from './consent/decide-consent.route.ts';
import { myConsentRoutes } from './consent/my-consents.route.ts';
import { egress, type Egress } from './egress/egress.ts';
import type { App } from './http/app.ts';
import { measureRequests } from './http/metrics.ts';
import { operationsRoutes } from './http/operations.route.ts';
import { hashOfPage, pageRoute } from './http/pages.route.ts';
import { createServer } from './http/server.ts';
import { visitors } from './http/visitor.ts';
import { refuseWrongMethods } from './http/wrong-method.ts';
import type { JobWorker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { mcpRoutes } from './mcp/mcp.route.ts';
import { authorizationServer, endGrants, grantLookup } from './oauth/authorization-server.ts';
import type { RecordSources } from './oauth/requests/record-sources.ts';
import { ownProject } from './organizations/projects.ts';
import { verifyApiKey } from './organizations/verify-api-key.ts';
import { enrollmentRoute } from './patients/enrollment.route.ts';
import { testPatientRoutes } from './patients/test-patients.route.ts';
import { verifyPatientPassword } from './patients/verify-password.ts';
import type { Db } from './storage/db.ts';
import { sql } from './storage/sql.ts';
import { uploadsInFlight } from './uploads/uploads-in-flight.ts';
import { uploadRoutes } from './uploads/uploads.route.ts';

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
  /** Servers that a patient's record is fetched from after consent. */
  connectedSources?: RecordSources['connected'];
}

/** The composition root: every room gets what it needs here and nowhere else. */
export function createService(options: ServiceOptions): Service {
  const { config, db, clock } = options;
  const { consentAppUrl, baseUrl } = config;
  const app = createServer({ ...config, endpoints: ENDPOINTS });
  const metrics = measureRequests(app);
  const audit = auditLog({ db, clock });
  const keys = signingKeys({ db, clock });
  const tokens = accessTokens({ keys, clock, baseUrl, grantIsUsable: grantLookup(db) });
  const throttle = loginThrottle(db);
  const sources: RecordSources = {
    uploadsInFlight: (patientId) => uploadsInFlight(db, patientId),
    connected: options.connectedSources ?? (async () => []),
  };
  const onError = (error: unknown, kind: string): void =>
    app.log.error({ err: error, job: kind }, 'job failed');
  const worker = backgroundWorker({ config, db, clock, sources, onError });
  const routes = { app, authenticate: tokens.verify, visitors: visitors(config) };
  const basics = { db, clock, audit };
  const consent = { ...basics, endGrants };

  tokenRoutes(routes, { tokens, keys, throttle, credentials: credentialsIn(db) });
  testPatientRoutes(routes, basics);
  enrollmentRoute(routes, {
    ...basics,
    jobs: worker,
    consentAppUrl,
    ownProject: (caller, projectId) => ownProject(db, caller, projectId),
  });
  accountRoutes(routes, { db, clock, jobs: worker, throttle, consentAppUrl });
  consentRoutes(routes, consent);
  const whoIs = (session: string | null) => signedIn({ db, clock }, session);
  myConsentRoutes(routes, { ...consent, signedIn: whoIs });
  authorizationServer(routes, {
    ...consent,
    jobs: worker,
    tokens,
    egress: options.egress ?? egress(),
    sources,
    signedIn: whoIs,
    settings: config,
    uiHash: hashOfPage(CONSENT_PAGE),
  });
  uploadRoutes(routes, { db, clock, jobs: worker });
  mcpRoutes(routes, { ...basics, consentAppUrl, baseUrl, rateLimit: config.mcpRateLimit });
  pageRoute(app, { at: '/consent', folder: CONSENT_PAGE });
  operationsRoutes(routes, { registry: metrics, ping: () => db.query(sql`select 1`) });
  refuseWrongMethods(app, ENDPOINTS);
  return { app, worker, metrics };
}

const credentialsIn = (db: Db) => ({
  apiKey: (apiKey: string, apiSecret: string) => verifyApiKey(db, apiKey, apiSecret),
  patient: (login: Parameters<typeof verifyPatientPassword>[1]) => verifyPatientPassword(db, login),
});
