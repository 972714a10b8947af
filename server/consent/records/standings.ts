import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { FindStandings, Standing } from '../../identity/patients/enroll-patients.ts';
import type { Tx } from '../../platform/db/db.ts';
import { formatEnd } from './format-end.ts';
import { selectStandings } from './study-consents.sql.ts';

/** Finds the newest decisions of patients on a project's consents; a patient who decided nothing has no entry. */
export const findStandings: FindStandings = async (
  tx: Tx,
  patientIds: readonly PatientId[],
  projectId: ProjectId,
) => {
  const standings = new Map<PatientId, Standing[]>();
  for (const row of await tx.query(selectStandings(patientIds, projectId))) {
    const { patient_id: patientId, consent_type: consentType, consent_status: consentStatus } = row;
    const standing = { consentType, consentStatus, expirationTimestamp: formatEnd(row) };
    standings.set(patientId, [...(standings.get(patientId) ?? []), standing]);
  }
  return standings;
};
