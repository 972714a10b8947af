import type { OrganizationId } from '../../../contract/brands.ts';
import { READ_ACTIONS } from '../../../contract/organization/audit-events.ts';
import { raw, sql, type Sql } from '../db/sql.ts';
import { matchesFilter } from './entries.sql.ts';

/** A time and the time before which it ends. */
export interface Span {
  from: Date;
  to: Date;
}

const isWithin = (organizationId: OrganizationId, { from, to }: Span): Sql =>
  matchesFilter({ organizationId, since: from.toISOString(), until: to.toISOString() });

/**
 * A subquery: how many patients' records were read in a time, by project and, where `project_id` is null, in all: one who is
 * read for two projects is one patient.
 */
export const readPatients = (organizationId: OrganizationId, span: Span): Sql => sql`(
  select e.project_id, count(distinct e.patient_id) as value from audit_entry e
  where ${isWithin(organizationId, span)} and ${raw(`e.action in ('${READ_ACTIONS.join("', '")}')`)}
    and e.outcome = 'success' and e.patient_id is not null
  group by grouping sets ((e.project_id), ()) having grouping(e.project_id) = 1 or e.project_id is not null)`;

/** A subquery: the bytes of the entries of a time by project, as they are stored; null: of no project. */
export const entryBytes = (organizationId: OrganizationId, span: Span): Sql => sql`(
  select e.project_id, sum(octet_length(e.detail::text) + ${FIXED_BYTES})::bigint as value from audit_entry e
  where ${isWithin(organizationId, span)} group by 1)`;

/** What an entry holds besides its detail: ids, names, time and hash, with the row around them. */
const FIXED_BYTES = raw('240');

/** Finds when the first entry of an organization was written. */
export const findFirstEntryTime = (organizationId: OrganizationId) => sql<{ at: Date }>`
  select at from audit_entry where organization_id = ${organizationId} order by entry_id limit 1`;
