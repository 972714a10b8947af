import type { Tx } from '../../platform/db/db.ts';
import { releaseObjects } from '../../platform/objects/refer-to-objects.ts';
import { selectContents, type GoneScreenRow } from './draft.sql.ts';
import { derivePictureId } from './pictures.ts';

/** Deletes the objects of pictures whose rows were deleted, unless another draft has the same one. Evidence stays. */
export async function releasePictures(tx: Tx, rows: readonly GoneScreenRow[], now: Date): Promise<void> {
  const objects = rows.filter((row) => row.is_object);
  const byPatient = [...Map.groupBy(objects, (row) => row.patient_id)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [patientId, pictures] of byPatient) {
    const hashes = pictures.map(({ sha256 }) => sha256);
    const toId = (sha256: Buffer): string => derivePictureId(patientId, sha256);
    await releaseObjects(tx, { patientId, objectIds: hashes.map(toId), uses: ['draft'], now }, async () =>
      (await tx.query(selectContents(patientId, hashes))).map((row) => toId(row.sha256)),
    );
  }
}
