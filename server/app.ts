import { Worker } from 'node:worker_threads';
import type { Registry } from 'prom-client';
import { openClinical } from './clinical/clinical.ts';
import { createPersonAnnouncer } from './clinical/store/announce-person.ts';
import { createRecords } from './clinical/store/create-records.ts';
import { requestProjectSyncs } from './clinical/sources/request-sync.ts';
import { isAtSource } from './clinical/sources/syncs.sql.ts';
import { openConsent } from './consent/consent.ts';
import { createRecordsUpdatedEmitter } from './consent/decisions/records-updated-event.ts';
import { endConsents } from './consent/decisions/end-consents.ts';
import { enqueueAskAgain } from './consent/records/ask-again.ts';
import { findStandings } from './consent/records/standings.ts';
import { createGrantLookup } from './consent/grants/grant-lookup.ts';
import { openIdentity } from './identity/identity.ts';
import { traceStatements } from './platform/db/trace-statements.ts';
import type { App } from './platform/http/app.ts';
import type { StartThread } from './platform/jobs/job-threads.ts';
import type { Jobs } from './platform/jobs/worker.ts';
import { openPlatform } from './platform/platform.ts';
import type { Wing } from './platform/wing.ts';
import { createRoutes } from './routes.ts';
import type { ServiceOptions } from './service-options.ts';
import { denyRequests } from './surfaces/oauth/authorization-server.ts';
import { openSurfaces } from './surfaces/surfaces.ts';
import { openWebhooks } from './surfaces/webhooks.ts';
import { createServiceWorker, type ServiceWorker } from './worker.ts';

export interface Service {
  app: App;
  worker: ServiceWorker;
  metrics: Registry;
}

const startOwnThread: StartThread = (options) =>
  new Worker(new URL('./import-thread.ts', import.meta.url), options);

/** The composition root: opens the wings in their order, and hands an earlier one the functions of a later one that it needs. */
export function createService(options: ServiceOptions): Service {
  const { config, clock, sourceLimits, telemetry = null } = options;
  const db = telemetry === null ? options.db : traceStatements(options.db, telemetry);
  // Wings enqueue jobs for the worker that is put together from them.
  const jobs: Jobs = {
    enqueue: (tx, job) => worker.enqueue(tx, job),
    wake: (kind) => worker.wake(kind),
  };
  const platform = openPlatform({ ...options, db, jobs, telemetry });
  const webhooks = openWebhooks(platform, config.webhooks, options.webhookOutbound);
  const emitUpdate = createRecordsUpdatedEmitter(webhooks.emit);
  const identity = openIdentity(platform, {
    config,
    isGrantUsable: createGrantLookup({ db, clock }),
    createRecords,
    onPersonChanged: createPersonAnnouncer({ clock, emitUpdate }),
    onNewVersion: (tx, projectId) => enqueueAskAgain(tx, jobs, { projectId, now: clock.now() }),
    findStandings,
    isAtSource,
    endConsents: (tx, caller, patientId) =>
      endConsents(tx, consent.decisions, { caller, patientId, projectId: null }),
  });
  const consent = openConsent(platform, identity, {
    emit: webhooks.emit,
    denyRequests,
    fetchRecords: (tx, permitted) => requestProjectSyncs(tx, { jobs, clock }, permitted),
  });
  const { startImportThread = startOwnThread } = options;
  const clinical = openClinical(platform, { config, sourceLimits, emit: webhooks.emit, startImportThread });
  const inner: Wing[] = [platform, identity, consent, clinical, webhooks];
  const surfaces = openSurfaces(platform, {
    identity,
    consent,
    clinical,
    config,
    connectedSources: options.connectedSources,
    wings: inner,
    countWebhooks: webhooks.countByProject,
  });
  const wings = [...inner, surfaces];
  const worker = createServiceWorker(platform, wings, [webhooks.deliveryPool]);
  const routes = createRoutes(platform, identity, config);
  for (const wing of wings) wing.registerRoutes?.(routes);
  return { app: platform.app, worker, metrics: platform.metrics };
}
