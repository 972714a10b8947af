import type { PatientId } from '../../contract/brands.ts';
import type { Emit } from '../consent/decisions/new-event.ts';
import { createRecordsUpdatedEmitter } from '../consent/decisions/records-updated-event.ts';
import type { JobThreads } from '../platform/jobs/job-threads.ts';
import type { WorkerPoolPlan } from '../platform/jobs/worker.ts';
import { createUploadAttention } from './ingest/batches/find-attention.ts';
import { createRecordFirstSteps } from './first-steps.ts';
import { createSourceAttention } from './sources/find-attention.ts';
import type { ObjectStoreConfig } from '../platform/objects/config.ts';
import type { Platform } from '../platform/platform.ts';
import type { Wing } from '../platform/wing.ts';
import { UPLOAD_JOB } from './ingest/batches/batch-line.ts';
import type { CompleteBatchDeps } from './ingest/batches/complete-batch.ts';
import { createRelabelJob } from './ingest/batches/relabel-job.ts';
import { createRereadJob } from './ingest/batches/reread-job.ts';
import { createRemovalJob } from './ingest/batches/removal-job.ts';
import { removeBatch } from './ingest/batches/remove-batch.ts';
import { createUploadJob } from './ingest/batches/upload-job.ts';
import { hasUploadsInFlight } from './ingest/batches/batches.ts';
import type { OpenSyntheticRecord } from './ingest/batches/generate-record.ts';
import { registerUploadRoutes } from './ingest/batches/uploads.route.ts';
import { createUploadQuotas, type UploadQuotas } from './ingest/batches/quotas.ts';
import type { StartThread } from '../platform/jobs/job-threads.ts';
import { createImportThreads } from './ingest/batches/import-threads.ts';
import { registerDocumentRoutes } from './ingest/originals/documents.route.ts';
import { purgeOrphans } from './ingest/originals/purge-orphans.ts';
import type { EmbeddingsConfig } from './search/embeddings/embedder.ts';
import type { EmbedQuestion } from './search/embeddings/embed-question.ts';
import { openEmbeddings } from './search/embeddings/embeddings.ts';
import { purgeKeptAnswers } from './store/kept-answers.ts';
import { purgeVersions } from './store/purge-versions.ts';
import { createTokenCache } from './sources/credentials.ts';
import { SOURCE_LIMITS, type SourceLimits } from './sources/limits.ts';
import { createPageInspectors } from './sources/page-inspector.ts';
import { registerPatientSourceRoutes } from './sources/patient-sources.route.ts';
import { registerSourceRoutes } from './sources/sources.route.ts';
import { createSourceSecrets } from './sources/stored-secrets.ts';
import { createSyncAllJob } from './sources/sync-all.ts';
import { createSyncJob } from './sources/sync-job.ts';

export interface SourcesConfig {
  /** Connected FHIR servers may be in private networks. */
  allowPrivate: boolean;
}

export interface ClinicalConfig {
  sources: SourcesConfig;
  /** The bytes that are kept of a patient at most. */
  quotaBytes: number;
  objectStore: ObjectStoreConfig | null;
  embeddings: EmbeddingsConfig | null;
}

export interface ClinicalOptions {
  config: ClinicalConfig;
  sourceLimits: Partial<SourceLimits> | undefined;
  emit: Emit;
  /** Starts the threads that uploads are read in. */
  startImportThread: StartThread;
}

export interface Clinical extends Wing {
  hasUploadsInFlight(patientId: PatientId): Promise<boolean>;
  /** For uploads by page, which count together with those by API. */
  uploadQuotas: UploadQuotas;
  embedQuestion: EmbedQuestion;
  /** Called in the transaction of a change of a record. */
  emitUpdate: CompleteBatchDeps['emitUpdate'];
}

/** A slow server has two syncs at a time, however many sources it is, and leaves three to the others of its organization. */
const SYNC_SHARES = [
  { key: 'organizationId', max: 5 },
  { key: 'server', max: 2 },
];

/** Patients' records: uploads, connected sources, and what becomes of both. */
export function openClinical(platform: Platform, options: ClinicalOptions): Clinical {
  const emitUpdate = createRecordsUpdatedEmitter(options.emit);
  const { db, clock, jobs, audit, report, objects } = platform;
  const { config } = options;
  const { quotaBytes } = config;
  const threads = createImportThreads({ db, clock, startThread: options.startImportThread, config });
  const uploadQuotas = createUploadQuotas({ keptBytes: quotaBytes, metrics: platform.metrics });
  const embeddings = openEmbeddings(platform, options.config.embeddings);
  const sources = selectSourceDeps(platform, options);
  const inspectors = createPageInspectors(sources.limits);
  return {
    uploadQuotas,
    embedQuestion: embeddings.embedQuestion,
    emitUpdate,
    hasUploadsInFlight: (patientId) => hasUploadsInFlight(db, patientId),
    registerRoutes(routes) {
      const uploads = { db, clock, objects, jobs, audit, report, emitUpdate, quotas: uploadQuotas };
      registerUploadRoutes(routes, { ...uploads, openSyntheticRecord });
      registerDocumentRoutes(routes, { db, objects });
      registerSourceRoutes(routes, sources);
      registerPatientSourceRoutes(routes, { db, clock, jobs });
    },
    pools: [
      createUploadPool(platform, { threads, emit: options.emit, onRead: embeddings.requestVectors }),
      // They wait for other people's servers, half an hour each if these are slow, and hold a page of theirs each.
      {
        kinds: [
          createSyncJob({ ...sources, inspectors, tokens: createTokenCache() }),
          createSyncAllJob({ db, clock, jobs }),
        ],
        concurrency: 8,
        fairShares: SYNC_SHARES,
      },
      ...embeddings.pools,
    ],
    quickJobs: [createRemovalJob((removal) => removeBatch({ db, clock, audit, jobs, emitUpdate }, removal))],
    recurringJobs: embeddings.recurringJobs,
    secretStores: [createSourceSecrets(db)],
    attentionChecks: [createSourceAttention(db), createUploadAttention(db)],
    firstStepChecks: createRecordFirstSteps({ db, clock }),
    async purge() {
      await purgeVersions({ db, clock });
      await purgeKeptAnswers({ db, clock });
      await purgeOrphans({ db, clock });
    },
    async close() {
      await Promise.all([threads.stop(), inspectors.stop()]);
    },
  };
}

const selectSourceDeps = (
  { db, clock, objects, jobs, audit, secrets, baseUrl, outbound }: Platform,
  { config, sourceLimits }: ClinicalOptions,
) => ({
  db,
  clock,
  objects,
  jobs,
  audit,
  secrets,
  baseUrl,
  outbound,
  limits: { ...SOURCE_LIMITS, ...sourceLimits },
  allowPrivate: config.sources.allowPrivate,
});

/** A tool beside the service, loaded when somebody has a record made up. */
const openSyntheticRecord: OpenSyntheticRecord = async (plan) =>
  (await import('../../tools/synthetic-record/record-archive.ts')).openRecordArchive(plan);

interface UploadPoolOptions {
  threads: JobThreads;
  emit: Emit;
  onRead(patientId: PatientId): Promise<void>;
}

const createUploadPool = (
  { db, clock, jobs, onJobError }: Platform,
  { threads, emit, onRead }: UploadPoolOptions,
): WorkerPoolPlan => ({
  kinds: [
    createUploadJob({
      db,
      clock,
      threads,
      emitUpdate: createRecordsUpdatedEmitter(emit),
      wake: () => jobs.wake(UPLOAD_JOB),
      onRead,
    }),
    createRelabelJob({ db, threads }),
    createRereadJob({ db, threads, onError: onJobError }),
  ],
  concurrency: 2,
});
