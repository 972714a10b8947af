import type { PatientSession } from '../../../contract/audience.ts';
import { toEmail, type OrganizationId, type ProjectId } from '../../../contract/brands.ts';
import type { Audit } from '../../platform/audit/append.ts';
import { maybeOne, one, type Db } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import * as statements from './adopt-enrollment.sql.ts';
import { copyPhones, deleteUnusedPhones, releasePhones } from './patient-phones.sql.ts';
import { insertPastEnrollment } from './progress.sql.ts';

interface Deps {
  db: Db;
  clock: Clock;
  audit: Audit;
}

/** The actor in the log where an enrollment ends that the organization did not end. */
export const INVITATION = { kind: 'system', id: 'invitation' } as const;

/**
 * Gives whoever came to an invitation the enrollment that the organization has written their address in, where that leads to
 * nobody else and nothing was decided on it: the address was corrected to one that somebody has already. Returns whether there
 * was one. The former id of the person is left as one whose enrollment has ended.
 */
export function adoptEnrollment(
  { db, clock, audit }: Deps,
  { patientId, person }: PatientSession,
  project: { projectId: ProjectId; organizationId: OrganizationId },
): Promise<boolean> {
  const { projectId, organizationId } = project;
  return db.tx(async (tx) => {
    const meant = await maybeOne(
      tx,
      statements.lockMisaddressed(project, { patientId, email: toEmail(person.email) }),
    );
    if (!meant) return false;
    const { patient_id: formerId } = meant;
    await tx.query(insertPastEnrollment(formerId, projectId, clock.now()));
    const taken = await one(tx, statements.takeEnrollment(formerId, projectId));
    await tx.query(statements.insertTaken(patientId, projectId, taken));
    await tx.query(copyPhones({ from: formerId, to: patientId }, project));
    await tx.query(releasePhones(formerId, organizationId, [projectId]));
    await tx.query(deleteUnusedPhones(formerId, organizationId));
    const entry = { organizationId, projectId, actor: INVITATION };
    await audit.writeAll(tx, [
      { ...entry, action: 'enrollment.ended', patientId: formerId },
      { ...entry, action: 'patient.enrolled', patientId },
    ]);
    return true;
  });
}
