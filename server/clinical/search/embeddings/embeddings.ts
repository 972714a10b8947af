import { Counter, type Registry } from 'prom-client';
import type { PatientId } from '../../../../contract/brands.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { JobKind } from '../../../platform/jobs/job-kind.ts';
import type { Jobs, WorkerPoolPlan } from '../../../platform/jobs/worker.ts';
import type { OutboundClient } from '../../../platform/outbound/outbound-client.ts';
import { createEmbedAllJob, createEmbedJob, enqueueEmbedding } from './embed-jobs.ts';
import { createQuestionEmbedder, type EmbedQuestion } from './embed-question.ts';
import { createEmbedder, type EmbeddingsConfig } from './embedder.ts';

interface EmbeddingsDeps {
  db: Db;
  jobs: Jobs;
  outbound: OutboundClient;
  metrics: Registry;
}

/** Search by vectors beside concepts and words, where the operator names a model; else none of it runs. */
export interface Embeddings {
  embedQuestion: EmbedQuestion;
  /** To be called when a record's passages have changed; should the process die before, the hourly job finds them. */
  requestVectors(patientId: PatientId): Promise<void>;
  /** Its own pool, since it waits for the endpoint; none where nothing is configured. */
  pools: readonly WorkerPoolPlan[];
  recurringJobs: readonly JobKind<object>[];
}

export function openEmbeddings(
  { db, jobs, outbound, metrics }: EmbeddingsDeps,
  config: EmbeddingsConfig | null,
): Embeddings {
  const embedder = config && createEmbedder(outbound, config);
  const failures = new Counter({
    name: 'chartgate_embeddings_failures_total',
    help: 'Requests for embeddings that failed: search answered by concepts and words alone',
    labelNames: ['purpose'],
    registers: embedder ? [metrics] : [],
  });
  return {
    embedQuestion: createQuestionEmbedder({ embedder, failures }),
    requestVectors: async (patientId) => {
      if (embedder) await db.tx((tx) => enqueueEmbedding(tx, jobs, patientId));
    },
    pools: embedder ? [{ kinds: [createEmbedJob({ db, embedder, failures })], concurrency: 1 }] : [],
    recurringJobs: embedder ? [createEmbedAllJob({ db, jobs, embedder })] : [],
  };
}
