import type { OrganizationId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../db/sql.ts';
import type { AuditAction } from './actions.ts';
import { matchesFilter } from './entries.sql.ts';

/** The entries of some actions about one thing of an organization, such as a webhook. */
export interface SubjectFilter {
  organizationId: OrganizationId;
  actions: readonly AuditAction[];
  /** What the detail of the entries names it by. */
  detail: { name: string; value: string };
  since: Date;
  until: Date;
  limit: number;
}

/** Selects them, newest first. Each action has its own range of an index. */
export const selectSubjectEntries = ({ actions, detail, limit, ...filter }: SubjectFilter) => {
  const { organizationId, since, until } = filter;
  const selects = actions.map(
    (action): Sql => sql`(
    select e.entry_id, e.at, e.action, e.detail from audit_entry e
    where ${matchesFilter({ organizationId, action: [action], since: since.toISOString(), until: until.toISOString() })}
      and e.detail->>${detail.name} = ${detail.value}
    order by e.entry_id desc limit ${limit})`,
  );
  return sql<{ at: Date; action: AuditAction; detail: string }>`
  select at, action, detail::text as detail from (
    ${selects.reduce((all, select) => sql`${all} union all ${select}`)}) e
  order by entry_id desc limit ${limit}`;
};
