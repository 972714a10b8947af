import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import { isStoreFull, StoreError } from '../../../platform/db/store-error.ts';
import { Refusal } from '../../../platform/kernel/refusal.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { inspectArchive } from '../archive/archive.ts';
import { nameByArchive } from './archive-paths.ts';
import { writeConfirmation } from './confirm-batch.ts';
import { enqueueBatch, type BatchDeps } from './enqueue-batch.ts';
import type { UploadQuotas } from './quotas.ts';
import { createTemporaryFolder } from '../archive/temporary-folder.ts';
import { ArchiveError } from '../archive/archive-errors.ts';

/** Passes on the one file of an upload form as a stream, with its name; throws when there is none or more than one. */
export type FileReceiver = (into: (bytes: Readable, name?: string) => Promise<void>) => Promise<void>;

interface Upload {
  patientId: PatientId;
  /** The patient has said that it is about them. */
  isConfirmed?: boolean;
  /** The patient chose the archive: it is named by its own name. */
  isChosen?: boolean;
  /** Called in the transaction of the batch. */
  onEnqueued?(tx: Tx, batchId: BatchId): Promise<void>;
}

/** Receives an archive, inspects it and enqueues it to be read. When this throws, nothing of it is left. */
export async function receiveUpload(
  deps: ReceiveDeps,
  { patientId, isConfirmed = false, isChosen = false, onEnqueued }: Upload,
  receive: FileReceiver,
): Promise<BatchId> {
  // Before a byte of it is read: nobody sends 100 MiB for a refusal.
  await requireQuota(deps, patientId, 0);
  return deps.quotas.whileReceiving(patientId, async () => {
    const folder = await createTemporaryFolder('receive');
    const file = path.join(folder, 'archive.zip');
    try {
      let name: string | undefined;
      const write = (bytes: Readable, given?: string): Promise<void> => {
        name = given;
        return pipeline(bytes, createWriteStream(file));
      };
      await receive(write).catch(rethrowFull);
      const found = await inspectArchive(file).catch(rethrowAsRefusal);
      const paths = nameByArchive(found, isChosen ? name : undefined);
      await requireQuota(deps, patientId, (await fs.stat(file)).size);
      const confirm = (tx: Tx, batchId: BatchId): Promise<void> =>
        writeConfirmation(tx, deps, { patientId, batchId });
      const upload = { patientId, file, source: null, paths, ...(onEnqueued && { onEnqueued }) };
      return await enqueueBatch(deps, isConfirmed ? { ...upload, confirm } : upload);
    } finally {
      await fs.rm(folder, { recursive: true, force: true });
    }
  });
}

export type ReceiveDeps = BatchDeps & { quotas: UploadQuotas; audit: Audit };

const requireQuota = (
  { db, clock, quotas }: ReceiveDeps,
  patientId: PatientId,
  bytes: number,
): Promise<void> => quotas.requireAllowed(db, { patientId, bytes, now: clock.now() });

/** The disk of the temporary folder may be another one than the store's. */
function rethrowFull(error: unknown): never {
  throw isStoreFull(error) ? new StoreError('full', error) : error;
}

function rethrowAsRefusal(error: unknown): never {
  if (error instanceof ArchiveError) throw new Refusal(422, error.code, { detail: error.message });
  throw error;
}
