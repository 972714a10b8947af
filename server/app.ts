import type { Registry } from 'prom-client';
import { ENDPOINTS } from '../contract/endpoints.ts';
import { auditLog } from './audit/append.ts';
import { accessTokens } from './auth/access-token.ts';
import { loginThrottle } from './auth/login-throttle.ts';
import { signingKeys } from './auth/signing-keys.ts';
import { tokenRoutes } from './auth/token.route.ts';
import type { Config } from './config.ts';
import { testPatientConsentRoute } from './consent/test-patient-consent.route.ts';
import type { App } from './http/app.ts';
import { measureRequests } from './http/metrics.ts';
import { createServer } from './http/server.ts';
import { operationsRoutes } from './http/operations.route.ts';
import { visitors } from './http/visitor.ts';
import { refuseWrongMethods } from './http/wrong-method.ts';
import { jobWorker, type JobWorker } from './jobs/worker.ts';
import type { Clock } from './kernel/clock.ts';
import { mailJob } from './mail/mail.ts';
import { mcpRoutes } from './mcp/mcp.route.ts';
import { ownProject } from './organizations/projects.ts';
import { verifyApiKey } from './organizations/verify-api-key.ts';
import { enrollmentRoute } from './patients/enrollment.route.ts';
import { testPatientRoutes } from './patients/test-patients.route.ts';
import { verifyPatientPassword } from './patients/verify-password.ts';
import { indexEntries } from './search/index-entries.ts';
import type { Db } from './storage/db.ts';
import { sql } from './storage/sql.ts';
import { uploadJob } from './uploads/process-upload.ts';
import { uploadRoutes } from './uploads/uploads.route.ts';

export interface Service {
  app: App;
  worker: JobWorker;
  metrics: Registry;
}

/** The composition root: every room gets what it needs here and nowhere else. */
export function createService({ config, db, clock }: { config: Config; db: Db; clock: Clock }): Service {
  const app = createServer({
    logLevel: config.logLevel,
    allowedHosts: config.allowedHosts,
    trustedProxies: config.trustedProxies,
    endpoints: ENDPOINTS,
  });
  const metrics = measureRequests(app);
  const audit = auditLog({ db, clock });
  const keys = signingKeys({ db, clock });
  const tokens = accessTokens({ keys, clock, baseUrl: config.baseUrl });
  const worker = jobWorker({
    db,
    clock,
    kinds: [
      mailJob({ smtpUrl: config.smtpUrl, outbox: `${config.dataDirectory}/outbox`, from: config.mailFrom }),
      uploadJob({ db, clock, index: indexEntries }),
    ],
    onError: (error, kind) => app.log.error({ err: error, job: kind }, 'job failed'),
  });
  const routes = { app, authenticate: tokens.verify, visitors: visitors(config) };
  const credentials = {
    apiKey: (apiKey: string, apiSecret: string) => verifyApiKey(db, apiKey, apiSecret),
    patient: (login: Parameters<typeof verifyPatientPassword>[1]) => verifyPatientPassword(db, login),
  };

  tokenRoutes(routes, { tokens, keys, credentials, throttle: loginThrottle(db) });
  testPatientRoutes(routes, { db, clock, audit });
  enrollmentRoute(routes, {
    db,
    clock,
    audit,
    jobs: worker,
    consentAppUrl: config.consentAppUrl,
    ownProject: (caller, projectId) => ownProject(db, caller, projectId),
  });
  testPatientConsentRoute(routes, { db, clock, audit });
  uploadRoutes(routes, { db, clock, jobs: worker });
  mcpRoutes(routes, {
    db,
    clock,
    audit,
    consentAppUrl: config.consentAppUrl,
    baseUrl: config.baseUrl,
    rateLimit: config.mcpRateLimit,
  });
  operationsRoutes(routes, { registry: metrics, ping: () => db.query(sql`select 1`) });
  refuseWrongMethods(app, ENDPOINTS);
  return { app, worker, metrics };
}
