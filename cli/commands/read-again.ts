import type { Command } from 'commander';
import { BatchId } from '../../contract/brands.ts';
import { NOT_READ_IN_TIME, readAgain } from '../../server/clinical/ingest/batches/read-again.ts';
import { findBatchesByRejection } from '../../server/clinical/ingest/batches/uploads.sql.ts';
import { insertJob } from '../../server/platform/jobs/jobs.sql.ts';
import { systemClock } from '../../server/platform/kernel/clock.ts';
import { generateId } from '../../server/platform/kernel/ids.ts';
import { notFound, Refusal } from '../../server/platform/kernel/refusal.ts';
import type { Db } from '../../server/platform/db/db.ts';
import type { Config } from '../../server/config.ts';
import { printResult, withDb, withObjects } from '../with-db.ts';

interface Options {
  json?: boolean;
}

/** `chartgate read-again [BATCH]`: lists uploads with documents that were not read in time, or reads those of one again. */
export function configureReadAgainCommand(command: Command): void {
  command
    .argument('[batch]', 'the upload whose documents are read again; without it they are listed')
    .option('--json', 'print one JSON object')
    .action((batch: string | undefined, options: Options) =>
      withDb((db, config) =>
        batch === undefined ? listBatches(db, options) : readBatchAgain({ db, config }, batch, options),
      ),
    );
}

async function listBatches(db: Db, options: Options): Promise<void> {
  const batches = (await db.query(findBatchesByRejection(NOT_READ_IN_TIME, null))).map((row) => ({
    batchId: row.batch_id,
    patientId: row.patient_id,
    documents: row.documents,
    receivedAt: row.received_at.toISOString(),
  }));
  printResult(options, { batches }, [
    batches.length === 0
      ? 'Every document was read in time.'
      : `Uploads with documents that were not read in time: ${batches.length}`,
    ...batches.map(
      ({ batchId, documents, receivedAt }) => `  ${batchId}  ${documents} documents, of ${receivedAt}`,
    ),
  ]);
}

/** The operator's own doing: it counts for no quota of the patient. */
async function readBatchAgain(
  { db, config }: { db: Db; config: Config },
  batch: string,
  options: Options,
): Promise<void> {
  const { success, data: batchId } = BatchId.safeParse(batch);
  if (!success) throw new Refusal(400, 'invalid_input', { detail: 'The id of an upload is a UUID.' });
  const [found] = await db.query(findBatchesByRejection(NOT_READ_IN_TIME, batchId));
  if (found === undefined) throw notFound('An upload of this id with documents that were not read in time');
  const enqueue: Parameters<typeof readAgain>[0]['jobs']['enqueue'] = async (tx, job) => {
    const now = systemClock.now();
    await tx.query(insertJob({ runAt: now, ...job, jobId: generateId(), now }));
  };
  const again = await withObjects(config, db, (objects) =>
    readAgain(
      { db, clock: systemClock, objects, jobs: { enqueue } },
      { patientId: found.patient_id, batchId },
    ),
  );
  printResult(options, { batchId: again }, [
    `They are upload ${again} now. A node that runs takes it within a second.`,
  ]);
}
