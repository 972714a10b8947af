import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { deriveObjectId, releaseObjects } from '../../../platform/objects/refer-to-objects.ts';
import { deleteBlob, deleteChunks } from './blobs.sql.ts';
import { deleteBatchDocuments, deleteDocuments, passDocuments, selectContents } from './documents.sql.ts';

interface Removal {
  patientId: PatientId;
  batchId: BatchId;
  now: Date;
}

/** Documents, and bytes of theirs (about a megabyte each), in one transaction. */
const PAGE = { documents: 100, chunks: 8 };

/** Leaves the originals that other batches brought too to these. */
export async function leaveDocuments(tx: Tx, { patientId, batchId }: Removal): Promise<void> {
  await tx.query(passDocuments(patientId, batchId));
  await tx.query(deleteBatchDocuments(patientId, batchId));
}

/** Deletes some of the originals that a batch alone has brought, wherever their bytes are; returns their ids: none are left where there are none. */
export async function removeDocuments(tx: Tx, { patientId, batchId, now }: Removal): Promise<string[]> {
  const documents = await tx.query(deleteDocuments(patientId, batchId, PAGE.documents));
  const hashes = documents.map(({ sha256 }) => sha256);
  const toObjectId = (sha256: Buffer): string => deriveObjectId(patientId, 'original', sha256);
  const released = { patientId, objectIds: hashes.map(toObjectId), uses: ['original'], now } as const;
  // The same bytes may be an original under another path.
  await releaseObjects(tx, released, async () =>
    (await tx.query(selectContents(patientId, hashes))).map(({ sha256 }) => toObjectId(sha256)),
  );
  return documents.map(({ document_id: documentId }) => documentId);
}

/** Deletes bytes that no row names any more, some at a time: those of an archive of a gigabyte held the embedded engine for seconds. */
export async function removeBytes(db: Db, patientId: PatientId, blobIds: readonly string[]): Promise<void> {
  while ((await db.query(deleteChunks(patientId, blobIds, PAGE.chunks))).length > 0);
}

/** Deletes an archive that has been read, or is not to be. */
export async function deleteArchive(tx: Tx, { patientId, batchId, now }: Removal): Promise<void> {
  await tx.query(deleteBlob(patientId, batchId));
  await releaseObjects(tx, { patientId, objectIds: [batchId], uses: ['archive'], now });
}
