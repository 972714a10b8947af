import type { OrganizationReach } from '../../../../contract/audience.ts';
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
