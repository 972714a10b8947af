import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchId, PatientId } from '../../contract/ids.ts';
import type { Jobs } from '../jobs/worker.ts';
import type { Clock } from '../kernel/clock.ts';
import { newId } from '../kernel/ids.ts';
import { notFound, Refusal } from '../kernel/refusal.ts';
import type { Db } from '../storage/db.ts';
import { inspectArchive } from './archive.ts';
import { deleteBlob } from './blobs.sql.ts';
import { putFile } from './blobs.ts';
import { UPLOAD_JOB, type UploadJob } from './process-upload.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ArchiveRefused } from './unreadable.ts';
import * as statements from './uploads.sql.ts';

export interface Deps {
  db: Db;
  clock: Clock;
  jobs: Jobs;
}

/** The one file of an upload form, as a stream; throws when there is none or more than one. */
export type Receive = (into: (bytes: Readable) => Promise<void>) => Promise<void>;

/**
 * Takes an archive: looked over, kept in the shared store, and put in line to be read, in one transaction with its
 * batch. When this returns, the upload survives any crash; when it throws, nothing of it is left.
 */
export async function receiveUpload(deps: Deps, patientId: PatientId, receive: Receive): Promise<BatchId> {
  const folder = await temporaryFolder('receive');
  const file = path.join(folder, 'archive.zip');
  try {
    await receive((bytes) => pipeline(bytes, createWriteStream(file)));
    await inspectArchive(file).catch(refused);
    return await queue(deps, patientId, file);
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

function refused(error: unknown): never {
  if (error instanceof ArchiveRefused) throw new Refusal(422, error.code, { detail: error.message });
  throw error;
}

async function queue({ db, clock, jobs }: Deps, patientId: PatientId, file: string): Promise<BatchId> {
  const batchId = newId<BatchId>();
  try {
    await putFile(db, { patientId, blobId: batchId }, file);
    await db.tx(async (tx) => {
      if ((await tx.query(statements.recordOf(patientId))).length === 0) throw notFound('The patient');
      await tx.query(statements.insertBatch(patientId, batchId, clock.now()));
      await jobs.enqueue<UploadJob>(tx, {
        kind: UPLOAD_JOB,
        uniqueKey: batchId,
        payload: { patientId, batchId },
      });
    });
    return batchId;
  } catch (error) {
    await db.query(deleteBlob(patientId, batchId));
    throw error;
  }
}
