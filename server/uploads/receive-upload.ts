import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BatchId, PatientId } from '../../contract/ids.ts';
import { Refusal } from '../kernel/refusal.ts';
import { inspectArchive } from './archive.ts';
import { queueBatch, type BatchDeps } from './queue-batch.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { ArchiveRefused } from './unreadable.ts';

/** The one file of an upload form, as a stream; throws when there is none or more than one. */
export type Receive = (into: (bytes: Readable) => Promise<void>) => Promise<void>;

/** Takes an archive: looked over, and put in line to be read. When this throws, nothing of it is left. */
export async function receiveUpload(
  deps: BatchDeps,
  patientId: PatientId,
  receive: Receive,
): Promise<BatchId> {
  const folder = await temporaryFolder('receive');
  const file = path.join(folder, 'archive.zip');
  try {
    await receive((bytes) => pipeline(bytes, createWriteStream(file)));
    await inspectArchive(file).catch(refused);
    return await queueBatch(deps, { patientId, file, source: null });
  } finally {
    await fs.rm(folder, { recursive: true, force: true });
  }
}

function refused(error: unknown): never {
  if (error instanceof ArchiveRefused) throw new Refusal(422, error.code, { detail: error.message });
  throw error;
}
