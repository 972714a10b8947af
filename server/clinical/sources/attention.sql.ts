import type { OrganizationReach } from '../../../contract/audience.ts';
import type { OrganizationId } from '../../../contract/brands.ts';
import { isEnrolledWithin } from '../../consent/access/consenting-patients.sql.ts';
import { overlapsProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';

export interface TroubledSourceRow {
  source_id: string;
  name: string;
  /** Patients whose record could not be fetched, `limit` at most. */
  failed: number;
  /** Patients whom the server has several of, or whom somebody has to look at. */
  ambiguous: number;
}

/** Finds the active sources with patients that were not fetched. */
export const findTroubledSources = (reach: OrganizationReach, limit: number) => sql<TroubledSourceRow>`
  select * from (
    select s.source_id, s.name,
      (select count(*)::integer from (
        select from source_sync y where y.source_id = s.source_id and y.state = 'failed'
          and ${isEnrolledWithin(reach, raw('y.patient_id'))} limit ${limit}) found) as failed,
      (select count(*)::integer from (
        select from source_sync y where y.source_id = s.source_id
          and y.state in ('ambiguous_match', 'needs_organization_review')
          and ${isEnrolledWithin(reach, raw('y.patient_id'))} limit ${limit}) found) as ambiguous
    from record_source s
    where s.organization_id = ${reach.organizationId} and s.status = 'active'
      and ${overlapsProjects(reach, raw('s.project_ids'))}) s
  where s.failed > 0 or s.ambiguous > 0
  order by s.name`;

/** A row when the organization has connected a source. */
export const hasSource = (organizationId: OrganizationId) => sql<{ source_id: string }>`
  select source_id from record_source where organization_id = ${organizationId} limit 1`;
