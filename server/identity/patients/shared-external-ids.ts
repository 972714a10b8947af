import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import type { EnrollmentResult } from '../../../contract/organization/enrollment.ts';
import type { Tx } from '../../platform/db/db.ts';
import { selectSharingExternalId } from './shared-external-ids.sql.ts';

/**
 * An id is the organization's own for a person, and finds nobody once two have it. It is not refused: a list that is sent in
 * parts may put right later what is doubled now.
 */
export const SHARED_EXTERNAL_ID =
  'externalId: another patient of this organization has this id too, so that neither is found by it';

/** Finds those of some patients of a project whose external id another patient of the organization has, as far as the caller sees. */
export async function findSharingExternalId(
  tx: Tx,
  reach: OrganizationReach,
  { projectId, patientIds }: { projectId: ProjectId; patientIds: readonly PatientId[] },
): Promise<ReadonlySet<PatientId>> {
  if (patientIds.length === 0) return new Set();
  const rows = await tx.query(selectSharingExternalId(reach, projectId, patientIds));
  return new Set(rows.map(({ patient_id: patientId }) => patientId));
}

interface EnrolledItem {
  patientIndex: number;
  email: string;
  referenceId: PatientId;
}

/** Warns of those of a list who were enrolled with an id that another patient has. */
export async function buildWarnings(
  tx: Tx,
  { caller, project: { projectId } }: { caller: OrganizationReach; project: { projectId: ProjectId } },
  enrolled: readonly EnrolledItem[],
): Promise<Pick<EnrollmentResult, 'warnings'>> {
  const patientIds = enrolled.map(({ referenceId }) => referenceId);
  const sharing = await findSharingExternalId(tx, caller, { projectId, patientIds });
  if (sharing.size === 0) return {};
  const named = enrolled.filter(({ referenceId }) => sharing.has(referenceId));
  return {
    warnings: named.map(({ patientIndex, email }) => ({ patientIndex, email, warning: SHARED_EXTERNAL_ID })),
  };
}
