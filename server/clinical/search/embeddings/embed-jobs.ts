import type { Counter } from 'prom-client';
import type { PatientId } from '../../../../contract/brands.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { Reschedule, type JobKind } from '../../../platform/jobs/job-kind.ts';
import { createRecurringJob } from '../../../platform/jobs/recurring-job.ts';
import type { Jobs } from '../../../platform/jobs/worker.ts';
import { listRecordsAfter } from '../../store/records.sql.ts';
import { EmbeddingsFault, type Embedder } from './embedder.ts';
import { selectUnembedded, selectUnembeddedPatients, updateEmbeddings } from './embeddings.sql.ts';

export const EMBED_JOB = 'record.embed';

interface EmbedJob {
  patientId: PatientId;
}

interface Deps {
  db: Db;
  embedder: Embedder;
  failures: Counter<'purpose'>;
}

/** Passages in one request: what a processor without a graphics card embeds in some seconds. */
const BATCH = 32;
const TIMEOUT_MS = 60_000;
const RETRY_MS = 60_000;

/**
 * Creates the job that has vectors made of a record's passages, a batch at a time, each stored before the next is asked for:
 * killed, it goes on where it was. While the endpoint fails, it tries again each minute, and search does without.
 */
export const createEmbedJob = ({ db, embedder, failures }: Deps): JobKind<EmbedJob> => ({
  kind: EMBED_JOB,
  maxAttempts: 5,
  delaySeconds: (attempt) => 10 * 2 ** attempt,
  async run({ patientId }, signal) {
    for (;;) {
      signal.throwIfAborted();
      const passages = await db.query(selectUnembedded(patientId, embedder.model, BATCH));
      if (passages.length === 0) return;
      const texts = passages.map(({ text }) => text);
      const vectors = await embedder.embed(texts, { timeoutMs: TIMEOUT_MS, signal }).catch((error) => {
        if (!(error instanceof EmbeddingsFault)) throw error;
        failures.inc({ purpose: 'passages' });
        throw new Reschedule(RETRY_MS);
      });
      const embedded = vectors.map((vector, index) => ({
        hash: passages[index]?.passage_hash ?? '',
        vector,
      }));
      await db.query(updateEmbeddings(patientId, embedded));
    }
  },
});

/** Enqueues it, unless it waits already. */
export const enqueueEmbedding = (tx: Tx, jobs: Jobs, patientId: PatientId): Promise<void> =>
  jobs.enqueue<EmbedJob>(tx, { kind: EMBED_JOB, uniqueKey: patientId, payload: { patientId } });

const HOUR_MS = 3_600_000;
const PAGE = 200;
const FIRST = '00000000-0000-0000-0000-000000000000' as PatientId;

/** Creates what finds records without vectors of the present model each hour: after a reindex, and after a change of model. */
export const createEmbedAllJob = ({ db, jobs, embedder }: Pick<Deps, 'db' | 'embedder'> & { jobs: Jobs }) =>
  createRecurringJob('record.embed_all', HOUR_MS, async (signal) => {
    for (let after: PatientId | undefined = FIRST; after !== undefined;) {
      signal.throwIfAborted();
      const page: { patient_id: PatientId }[] = await db.query(listRecordsAfter(after, PAGE));
      const ids = page.map(({ patient_id }) => patient_id);
      await db.tx(async (tx) => {
        for (const { patient_id: patientId } of await tx.query(selectUnembeddedPatients(ids, embedder.model)))
          await enqueueEmbedding(tx, jobs, patientId);
      });
      after = ids.at(-1);
    }
  });
