import type { OrganizationReach } from '../../../contract/audience.ts';
import { isWithinProjects } from '../../identity/organizations/reach.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';

/** Counts the consents to an organization's projects that end between two times, `limit` at most. */
export const countEndingConsents = (
  reach: OrganizationReach,
  { now, until, limit }: { now: Date; until: Date; limit: number },
) => sql<{ count: number }>`
  select count(*)::integer as count from (
    select from consent c
    join project p on p.project_id = c.project_id
    where p.organization_id = ${reach.organizationId} and ${isWithinProjects(reach, raw('c.project_id'))}
      and c.consent_status = 'OPTED_IN' and c.expires_at > ${now} and c.expires_at <= ${until}
    limit ${limit}) found`;
