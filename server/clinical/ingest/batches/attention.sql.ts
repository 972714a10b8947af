import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../../platform/db/sql.ts';

/** Counts the uploads since a time that failed, of patients who are enrolled with an organization; `limit` at most. */
export const countFailedUploads = (
  reach: OrganizationReach,
  { since, limit }: { since: Date; limit: number },
) => sql<{ count: number }>`
  select count(*)::integer as count from (
    select from upload_batch b
    where b.status = 'failed' and b.received_at >= ${since} and b.source_id is null and exists (
      select from enrollment e
      where e.patient_id = b.patient_id and e.organization_id = ${reach.organizationId}
        and ${isWithinProjects(reach, raw('e.project_id'))})
    limit ${limit}) found`;

/** A row when a record was uploaded for somebody who is enrolled with the organization. */
export const hasUpload = (organizationId: OrganizationId) => sql<{ batch_id: string }>`
  select b.batch_id from enrollment e join upload_batch b on b.patient_id = e.patient_id
  where e.organization_id = ${organizationId} limit 1`;
