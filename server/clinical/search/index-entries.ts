import type { PatientId } from '../../../contract/brands.ts';
import type { NewEntry } from '../entries/entries.sql.ts';
import type { Tx } from '../../platform/db/db.ts';
import { deletePassageUses, insertPassages } from './passages.sql.ts';
import { buildPassageRows } from './passages.ts';

/** Replaces the passages of some resources by those of their present entries. */
export async function indexEntries(
  tx: Tx,
  patientId: PatientId,
  { seqs, entries }: { seqs: readonly number[]; entries: readonly NewEntry[] },
): Promise<void> {
  await tx.query(deletePassageUses(patientId, seqs));
  const passages = buildPassageRows(entries);
  if (passages.length > 0) await tx.query(insertPassages(patientId, passages));
}
