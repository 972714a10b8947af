import type { PatientId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import { deleteObjectsOfPatient } from '../../platform/objects/refer-to-objects.ts';
import { anonymizePastEnrollments, insertPastEnrollments } from './progress.sql.ts';
import { deletePatientFrom, PATIENT_TABLES } from './delete-patient.sql.ts';

/** The evidence of what a patient permitted, which the organizations must be able to show after the patient has gone. */
const EVIDENCE_TABLES: ReadonlySet<string> = new Set([
  'past_enrollment',
  'consent',
  'consent_record',
  'consent_screenshot',
  'consent_record_patient',
  // What is left of them is the images.
  'stored_object',
]);

/** Deletes a patient's rows from every table, and what they have in the object store; `keepEvidence` keeps their consent records with the images, and that they took part. */
export async function deletePatient(
  tx: Tx,
  patientId: PatientId,
  { keepEvidence, now }: { keepEvidence: boolean; now: Date },
): Promise<void> {
  if (keepEvidence) {
    await tx.query(anonymizePastEnrollments(patientId, now));
    await tx.query(insertPastEnrollments(patientId, null, { state: 'deleted', now }));
  }
  await deleteObjectsOfPatient(tx, patientId, { keepEvidence, now });
  for (const table of PATIENT_TABLES)
    if (!keepEvidence || !EVIDENCE_TABLES.has(table)) await tx.query(deletePatientFrom(table, patientId));
}
