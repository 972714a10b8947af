import type { OrganizationCaller } from '../../../contract/audience.ts';
import type { OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { toActor, type Audit } from '../../platform/audit/append.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { insertEnrollments } from './patients.sql.ts';
import { lockTestPatient } from './test-patients.ts';

export interface EnrollTestPatientDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

interface TestEnrollment {
  caller: OrganizationCaller;
  patientId: PatientId;
  /** Of the caller's organization. */
  project: { projectId: ProjectId; organizationId: OrganizationId };
}

/** Enrolls a test patient, who is invited to nothing: nobody reads the mail. Whoever takes part already goes on as before. */
export async function enrollTestPatient(
  { db, clock, audit }: EnrollTestPatientDeps,
  { caller, patientId, project }: TestEnrollment,
): Promise<void> {
  await db.tx(async (tx) => {
    const {
      email,
      first_name: firstName,
      last_name: lastName,
    } = await lockTestPatient(tx, caller, patientId);
    const written = { email, firstName, lastName, dateOfBirth: null, language: null };
    const entry = { patientId, externalId: null, ...written, hasAccount: true };
    const enrolled = await tx.query(insertEnrollments([entry], { ...project, now: clock.now() }));
    if (enrolled.length === 0) return;
    await audit.write(tx, {
      organizationId: project.organizationId,
      action: 'patient.enrolled',
      actor: toActor(caller),
      projectId: project.projectId,
      patientId,
    });
  });
}
