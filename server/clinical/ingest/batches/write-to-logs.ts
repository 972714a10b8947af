import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { selectEnrolledOrganizations } from '../../../consent/access/consenting-patients.sql.ts';
import { selectPermittedProjects } from '../../../consent/access/permits-reading.sql.ts';
import type { PatientAction } from '../../../platform/audit/actions.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Tx } from '../../../platform/db/db.ts';

interface PatientDeed {
  patientId: PatientId;
  action: PatientAction;
  detail: Readonly<Record<string, unknown>>;
  /**
   * The sets of labels that what it concerns requires; empty: nothing of it is in the record, and those who read learn
   * of uploads on their way in any case.
   */
  requiredLabels: readonly DataMask[];
  now: Date;
}

/**
 * Writes what a patient did to the log of each organization that they take part with. It is the patient's own to read; for
 * an organization that may read nothing of what it concerns, theirs alone: it would show that it was there.
 */
export async function writeToLogs(
  tx: Tx,
  audit: Audit,
  { patientId, action, detail, requiredLabels, now }: PatientDeed,
): Promise<void> {
  const organizations = await tx.query(selectEnrolledOrganizations(patientId));
  if (organizations.length === 0) return;
  const masks = requiredLabels.length === 0 ? null : requiredLabels;
  const permitted = await tx.query(selectPermittedProjects(patientId, now, masks));
  const readers = new Set(permitted.map((row) => row.organization_id));
  await audit.writeAll(
    tx,
    organizations.map(({ organization_id: organizationId }) => ({
      organizationId,
      actor: { kind: 'patient' as const, id: patientId },
      patientId,
      action,
      detail: { ...detail, ...(!readers.has(organizationId) && { patientsOnly: true }) },
    })),
  );
}
