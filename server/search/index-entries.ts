import type { PatientId } from '../../contract/ids.ts';
import type { PlacedEntry } from '../records/entries.sql.ts';
import type { Tx } from '../storage/db.ts';
import { deletePassageUses, insertPassages } from './passages.sql.ts';
import { placedPassages } from './passages.ts';

/** Brings the index of some resources up to what their entries say now. */
export async function indexEntries(
  tx: Tx,
  patientId: PatientId,
  { seqs, entries }: { seqs: readonly number[]; entries: readonly PlacedEntry[] },
): Promise<void> {
  await tx.query(deletePassageUses(patientId, seqs));
  const passages = placedPassages(entries);
  if (passages.length > 0) await tx.query(insertPassages(patientId, passages));
}
