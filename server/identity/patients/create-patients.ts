import type { PatientId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import * as statements from './patients.sql.ts';

/** Creates the empty records of new patients, in the transaction that creates them; `clinical/store` owns the table. */
export type CreateRecords = (tx: Tx, patientIds: readonly PatientId[]) => Promise<unknown>;

/** Creates those candidates whose e-mail address nobody has yet, each with an empty record. */
export async function createPatients(
  tx: Tx,
  createRecords: CreateRecords,
  { candidates, now }: { candidates: readonly statements.NewPatient[]; now: Date },
): Promise<void> {
  const rows = await tx.query(statements.claimEmails(candidates));
  const claimed = new Set(rows.map(({ patient_id }) => patient_id));
  const created = candidates.filter(({ patientId }) => claimed.has(patientId));
  await tx.query(statements.insertPatients(created, now));
  await createRecords(
    tx,
    created.map(({ patientId }) => patientId),
  );
}
