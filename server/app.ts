import { Worker } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import { openClinical } from './clinical/clinical.ts';
import { createRecords } from './clinical/store/create-records.ts';
import type { SourceLimits } from './clinical/sources/limits.ts';
import { requestProjectSyncs } from './clinical/sources/request-sync.ts';
import type { Config } from './config.ts';
import { isAtSource } from './clinical/sources/syncs.sql.ts';
import { openConsent } from './consent/consent.ts';
import { enqueueAskAgain } from './consent/records/ask-again.ts';
import { findStandings } from './consent/records/standings.ts';
import { createGrantLookup } from './consent/grants/grant-lookup.ts';
import { openIdentity } from './identity/identity.ts';
import type { Db } from './platform/db/db.ts';
import { traceStatements } from './platform/db/trace-statements.ts';
import type { App } from './platform/http/app.ts';
import { createBaseUrlResolver } from './platform/http/base-url.ts';
import { createBrowserCookies } from './platform/http/browser-context.ts';
import type { Routes } from './platform/http/serve.ts';
import type { StartThread } from './platform/jobs/job-threads.ts';
import type { Jobs } from './platform/jobs/worker.ts';
import type { Clock } from './platform/kernel/clock.ts';
import type { PooledClient } from './platform/outbound/outbound-client.ts';
import { openPlatform, type PlatformOptions } from './platform/platform.ts';
import type { Wing } from './platform/wing.ts';
import type { Telemetry } from './platform/telemetry/telemetry.ts';
import { denyRequests } from './surfaces/oauth/authorization-server.ts';
import type { RecordSources } from './surfaces/oauth/requests/prepare-records.ts';
import { openSurfaces } from './surfaces/surfaces.ts';
import { openWebhooks } from './surfaces/webhooks.ts';
import { createServiceWorker, type ServiceWorker } from './worker.ts';

export interface Service {
  app: App;
  worker: ServiceWorker;
  metrics: Registry;
}

/** What a test may put in the place of the world outside, besides. */
export interface ServiceOptions extends Partial<
  Pick<PlatformOptions, 'outbound' | 'logStream' | 'bodyLimits'>
> {
  config: Config;
  db: Db;
  clock: Clock;
  /** Requests to the endpoints of webhooks. */
  webhookOutbound?: PooledClient;
  /** Servers that a patient's record is fetched from after consent. */
  connectedSources?: RecordSources['listConnected'];
  /** What connected servers may cost; tests do not wait for as long, or for as much. */
  sourceLimits?: Partial<SourceLimits>;
  /** Where traces and metrics go; null, or absent: nowhere. */
  telemetry?: Telemetry | null;
  /** A thread that uploads are read in; tests have some that outlive a service. */
  startImportThread?: StartThread;
}

const startOwnThread: StartThread = (options) =>
  new Worker(new URL('./import-thread.ts', import.meta.url), options);

/** The composition root: opens the wings in their order, and hands an earlier one the functions of a later one that it needs. */
export function createService(options: ServiceOptions): Service {
  const { config, clock, outbound, sourceLimits, logStream, bodyLimits, telemetry = null } = options;
  const db = telemetry === null ? options.db : traceStatements(options.db, telemetry);
  // Wings enqueue jobs for the worker that is put together from them.
  const jobs: Jobs = {
    enqueue: (tx, job) => worker.enqueue(tx, job),
    wake: (kind) => worker.wake(kind),
  };
  const platform = openPlatform({ config, logStream, bodyLimits, db, clock, jobs, outbound, telemetry });
  const webhooks = openWebhooks(platform, config.webhooks, options.webhookOutbound);
  const identity = openIdentity(platform, {
    config,
    isGrantUsable: createGrantLookup(db),
    createRecords,
    onNewVersion: (tx, projectId) => enqueueAskAgain(tx, jobs, { projectId, now: clock.now() }),
    findStandings,
    isAtSource,
  });
  const consent = openConsent(platform, identity, {
    emit: webhooks.emit,
    denyRequests,
    fetchRecords: (tx, permitted) => requestProjectSyncs(tx, { jobs, clock }, permitted),
  });
  const { startImportThread = startOwnThread } = options;
  const clinical = openClinical(platform, { config, sourceLimits, emit: webhooks.emit, startImportThread });
  const inner = [platform, identity, consent, clinical, webhooks];
  const surfaces = openSurfaces(platform, {
    identity,
    consent,
    clinical,
    config,
    connectedSources: options.connectedSources,
    ...gatherParts(inner),
    countWebhooks: webhooks.countByProject,
  });
  const wings = [...inner, surfaces];
  const worker = createServiceWorker(platform, wings, [webhooks.deliveryPool]);
  const routes: Routes = {
    app: platform.app,
    resolveBaseUrl: createBaseUrlResolver(config.http.baseUrl),
    authenticate: identity.tokens.verify,
    resolveSession: identity.resolveSession,
    browserCookies: createBrowserCookies(config.http),
    usage: platform.usage,
    requireCapacity: (use) => db.capacity.require(use),
    runAs: (owner, work) => db.runAs(owner, work),
  };
  for (const wing of wings) wing.registerRoutes?.(routes);
  return { app: platform.app, worker, metrics: platform.metrics };
}

/** What the wings before the surfaces add to what these show of the whole. */
const gatherParts = (wings: readonly Wing[]) => ({
  secretStores: wings.flatMap((wing) => wing.secretStores ?? []),
  attentionChecks: wings.flatMap((wing) => wing.attentionChecks ?? []),
  firstStepChecks: wings.flatMap((wing) => wing.firstStepChecks ?? []),
});
