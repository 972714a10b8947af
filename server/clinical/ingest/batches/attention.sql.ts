import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';
import { sharesWith } from '../../../consent/access/consenting-patients.sql.ts';
import { raw, sql } from '../../../platform/db/sql.ts';

/** Counts the uploads since a time that failed, of patients who share with an organization; `limit` at most. */
export const countFailedUploads = (
  reach: OrganizationReach,
  { since, now, limit }: { since: Date; now: Date; limit: number },
) => sql<{ count: number }>`
  select count(*)::integer as count from (
    select from upload_batch b
    where b.status = 'failed' and b.received_at >= ${since} and b.source_id is null
      and ${sharesWith(reach, raw('b.patient_id'), now)}
    limit ${limit}) found`;

/** A row when a record was uploaded by somebody who shares with the organization. */
export const hasUpload = (organizationId: OrganizationId, now: Date) => sql<{ batch_id: string }>`
  select b.batch_id from enrollment e join upload_batch b on b.patient_id = e.patient_id
  where e.organization_id = ${organizationId}
    and ${sharesWith({ organizationId, projectIds: null }, raw('e.patient_id'), now)} limit 1`;
