import type { OrganizationReach } from '../../../../contract/audience.ts';
import type { OrganizationId } from '../../../../contract/brands.ts';
import { permitsReading } from '../../../consent/access/permits-reading.sql.ts';
import { isWithinProjects } from '../../../identity/organizations/reach.sql.ts';
import { raw, sql, type Sql } from '../../../platform/db/sql.ts';

/**
 * A condition: the patient (SQL) lets the organization read now. It enrolls whom it likes: that somebody has uploaded
 * something is for those to know with whom they share.
 */
const sharesWith = (reach: OrganizationReach, patientId: Sql, now: Date): Sql => sql`
  exists (
    select from enrollment e join consent c on c.patient_id = e.patient_id and c.project_id = e.project_id
    where e.patient_id = ${patientId} and e.organization_id = ${reach.organizationId}
      and ${isWithinProjects(reach, raw('e.project_id'))} and ${permitsReading(now)})`;

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
  select b.batch_id
  from enrollment e
  join consent c on c.patient_id = e.patient_id and c.project_id = e.project_id
  join upload_batch b on b.patient_id = e.patient_id
  where e.organization_id = ${organizationId} and ${permitsReading(now)} limit 1`;
