import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql } from '../../platform/db/sql.ts';
import { isWithinProjects } from '../organizations/reach.sql.ts';

/** Selects those of some patients of a project whose external id another patient of the organization has. */
export const selectSharingExternalId = (
  reach: OrganizationReach,
  projectId: ProjectId,
  patientIds: readonly PatientId[],
) => sql<{ patient_id: PatientId }>`
  select e.patient_id from enrollment e
  where e.patient_id = any(${patientIds}::uuid[]) and e.project_id = ${projectId} and e.external_id is not null
    and exists (
      select from enrollment o
      where o.organization_id = ${reach.organizationId} and o.external_id = e.external_id
        and o.patient_id <> e.patient_id and ${isWithinProjects(reach, raw('o.project_id'))})`;
