import type { PatientLogin } from '../../../contract/account/auth.ts';
import type { Claims } from '../tokens/claims.ts';
import { verifyDummyPassword, verifyPassword } from '../../platform/kernel/password.ts';
import { Refusal } from '../../platform/kernel/refusal.ts';
import { maybeOne, type Db } from '../../platform/db/db.ts';
import { findEnrollment, findLogin } from './patients.sql.ts';

/**
 * Returns the claims of the patient whom the e-mail address and the password identify; null when either is wrong, in
 * the same time for known and unknown addresses. Throws `not_enrolled` when the project is not one of theirs.
 */
export async function verifyPatientPassword(db: Db, login: PatientLogin): Promise<Claims | null> {
  const row = await maybeOne(db, findLogin(login.email));
  const isValid = row
    ? await verifyPassword(row.password_hash, login.password)
    : await verifyDummyPassword(login.password);
  if (!row || !isValid) return null;
  const enrollment = await maybeOne(db, findEnrollment(row.patient_id, login.projectId));
  if (!enrollment)
    throw new Refusal(403, 'not_enrolled', { detail: 'The patient is not enrolled in this project.' });
  return {
    role: 'patient',
    sub: row.patient_id,
    organizationId: enrollment.organization_id,
    projectId: login.projectId,
    firstName: row.first_name,
    lastName: row.last_name,
    isTestPatient: row.is_test_patient,
    credentialId: row.credential_id,
  };
}
