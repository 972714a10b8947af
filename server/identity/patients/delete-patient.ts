import type { PatientId } from '../../../contract/brands.ts';
import type { Audit, AuditEntry } from '../../platform/audit/append.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { JobKind } from '../../platform/jobs/job-kind.ts';
import { cancelJob } from '../../platform/jobs/jobs.ts';
import type { Jobs } from '../../platform/jobs/worker.ts';
import { deleteObjectsOfPatient } from '../../platform/objects/refer-to-objects.ts';
import { INVITATION } from './adopt-enrollment.ts';
import {
  anonymizePastEnrollments,
  insertDeletedEnrollments,
  type DeletedEnrollmentRow,
} from './progress.sql.ts';
import {
  deletePatientFrom,
  deleteSomeFrom,
  PATIENT_TABLES,
  TABLES_OF_RECORDS,
} from './delete-patient.sql.ts';

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

const ERASE_JOB = 'patient.erase';

interface EraseJob {
  patientId: PatientId;
}

/** Until then whoever deletes has erased the record, or is gone. */
const LEFT_AFTER_MS = 60_000;

/** On PostgreSQL others run meanwhile, and what was deleted is looked at again by each statement that looks for more. */
const ROWS_AT_ONCE = 50_000;

interface Deletion {
  patientId: PatientId;
  keepEvidence: boolean;
  now: Date;
}

/**
 * Deletes a patient, with their access and what they have in the object store; `keepEvidence` keeps their consent records with the
 * images, and that they took part. After this transaction nothing of the record can be read or written: `eraseNow` erases its rows,
 * and a job does, should this process not.
 */
export async function deletePatient(
  tx: Tx,
  { jobs, audit }: { jobs: Jobs; audit: Pick<Audit, 'writeAll'> },
  deletion: Deletion,
): Promise<void> {
  const { patientId, keepEvidence, now } = deletion;
  if (keepEvidence) {
    await tx.query(anonymizePastEnrollments(patientId, now));
    const past = await tx.query(insertDeletedEnrollments(patientId, now));
    await audit.writeAll(tx, past.filter(({ state }) => state === 'ended').map(toEndedEntry(patientId)));
  }
  await removePatient(tx, jobs, deletion);
}

/** As of every enrollment that ends: one without an entry would show that there was an account. */
const toEndedEntry =
  (patientId: PatientId) =>
  ({ organization_id: organizationId, project_id: projectId }: DeletedEnrollmentRow): AuditEntry => ({
    organizationId,
    action: 'enrollment.ended',
    actor: INVITATION,
    projectId,
    patientId,
  });

/** The same of somebody who has no enrollment: the past ones stay as they are listed. */
export async function removePatient(
  tx: Tx,
  jobs: Jobs,
  { patientId, keepEvidence, now }: Deletion,
): Promise<void> {
  await deleteObjectsOfPatient(tx, patientId, { keepEvidence, now });
  for (const table of PATIENT_TABLES)
    if (!TABLES_OF_RECORDS.has(table) && (!keepEvidence || !EVIDENCE_TABLES.has(table)))
      await tx.query(deletePatientFrom(table, patientId));
  const runAt = new Date(now.getTime() + LEFT_AFTER_MS);
  await jobs.enqueue<EraseJob>(tx, { kind: ERASE_JOB, uniqueKey: patientId, payload: { patientId }, runAt });
}

/** Erases the record of a patient who was deleted, as far as the store lets it: the patient is gone, and the rest is left to the job. */
export async function eraseNow(db: Db, patientId: PatientId): Promise<void> {
  try {
    await eraseRecord(db, patientId);
    await db.tx((tx) => cancelJob(tx, { kind: ERASE_JOB, uniqueKey: patientId }));
  } catch {
    // The job tries again.
  }
}

/** Erases some rows at a time. Repeating it changes nothing. */
async function eraseRecord(db: Db, patientId: PatientId, signal?: AbortSignal): Promise<void> {
  for (const [table, few] of TABLES_OF_RECORDS) {
    const limit = db.engine === 'embedded' ? few : ROWS_AT_ONCE;
    while ((await db.query(deleteSomeFrom(table, patientId, limit))).length > 0) signal?.throwIfAborted();
  }
}

/** Creates the job that erases what is left of a patient who was deleted by a process that ended meanwhile. */
export const createEraseJob = (db: Db): JobKind<EraseJob> => ({
  kind: ERASE_JOB,
  isStandby: true,
  maxAttempts: 20,
  delaySeconds: (attempt) => Math.min(3600, 5 * 2 ** attempt),
  run: ({ patientId }, signal) => eraseRecord(db, patientId, signal),
});
