import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Tx } from '../../../platform/db/db.ts';
import { deriveObjectId, releaseObjects } from '../../../platform/objects/refer-to-objects.ts';
import { deleteBlob, deleteBlobs } from './blobs.sql.ts';
import { deleteBatchDocuments, deleteDocuments, passDocuments, selectContents } from './documents.sql.ts';

interface Removal {
  patientId: PatientId;
  batchId: BatchId;
  now: Date;
}

/** Deletes the originals that a batch alone has brought, and its archive, wherever their bytes are. */
export async function removeDocuments(tx: Tx, { patientId, batchId, now }: Removal): Promise<void> {
  await tx.query(passDocuments(patientId, batchId));
  await tx.query(deleteBatchDocuments(patientId, batchId));
  const documents = await tx.query(deleteDocuments(patientId, batchId));
  const blobIds = documents.map(({ document_id: documentId }) => documentId);
  if (blobIds.length > 0) await tx.query(deleteBlobs(patientId, blobIds));
  const hashes = documents.map(({ sha256 }) => sha256);
  const toObjectId = (sha256: Buffer): string => deriveObjectId(patientId, 'original', sha256);
  const released = { patientId, objectIds: hashes.map(toObjectId), uses: ['original'], now } as const;
  // The same bytes may be an original under another path.
  await releaseObjects(tx, released, async () =>
    (await tx.query(selectContents(patientId, hashes))).map(({ sha256 }) => toObjectId(sha256)),
  );
  await deleteArchive(tx, { patientId, batchId, now });
}

/** Deletes an archive that has been read, or is not to be. */
export async function deleteArchive(tx: Tx, { patientId, batchId, now }: Removal): Promise<void> {
  await tx.query(deleteBlob(patientId, batchId));
  await releaseObjects(tx, { patientId, objectIds: [batchId], uses: ['archive'], now });
}
