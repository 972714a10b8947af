import type { PatientId } from '../../../../contract/brands.ts';
import { selectEnrolledOrganizations } from '../../../consent/access/consenting-patients.sql.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Tx } from '../../../platform/db/db.ts';

type AuditEntry = Parameters<Audit['write']>[1];

/** Writes what a patient did to the log of each organization that they take part with. */
export async function writeToLogs(
  tx: Tx,
  audit: Audit,
  { patientId, ...entry }: Pick<AuditEntry, 'action' | 'detail'> & { patientId: PatientId },
): Promise<void> {
  const organizations = await tx.query(selectEnrolledOrganizations(patientId));
  if (organizations.length === 0) return;
  await audit.writeAll(
    tx,
    organizations.map(({ organization_id: organizationId }) => ({
      organizationId,
      actor: { kind: 'patient' as const, id: patientId },
      patientId,
      ...entry,
    })),
  );
}
