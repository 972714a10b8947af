import type { OrganizationId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** A subquery: the bytes of the pictures of an organization's decisions by project. */
export const evidenceBytes = (organizationId: OrganizationId): Sql => sql`(
  select r.project_id, sum(coalesce(s.size, octet_length(s.bytes)))::bigint as value
  from consent_record r join consent_screenshot s
    on s.patient_id = r.patient_id and s.consent_record_id = r.consent_record_id
  where r.organization_id = ${organizationId} group by 1)`;
