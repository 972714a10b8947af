import type { OrganizationId } from '../../../contract/brands.ts';
import { raw, sql } from '../db/sql.ts';
import { auditEntryColumns, type AuditRow } from './audit.sql.ts';

/** Counts the entries of a month that was detached. Its name comes from the catalogue of the database. */
export const countByOrganization = (month: string) => sql<{
  organization_id: OrganizationId;
  entries: number;
}>`
  select organization_id, count(*) as entries from ${raw(month)} group by organization_id order by organization_id`;

/** The newest record of what was dropped of an organization's log, with its own hash. */
export const findRetentionEntry = (organizationId: string, log: string) => sql<AuditRow>`
  select ${auditEntryColumns}, e.entry_hash from ${raw(log)} e
  where e.organization_id = ${organizationId} and e.action = 'audit.entries_dropped'
  order by e.entry_id desc limit 1`;

/** Entries that were dropped of blocks that are not gone as a whole: how many of each. */
type PartialBlocks = readonly { block: number; dropped: number }[];

/** What was dropped of the blocks of a month and, by earlier records, of others behind `through`. */
const selectDropped = (month: string, organizationId: OrganizationId, before: PartialBlocks) => sql`
  select block, sum(dropped)::bigint as dropped from (
    select block, count(*) as dropped from ${raw(month)} where organization_id = ${organizationId} and block is not null group by block
    union all
    select * from unnest(${before.map(({ block }) => block)}::bigint[], ${before.map(({ dropped }) => dropped)}::bigint[])) parts
  group by block`;

/** Finds the last block up to which no entry is left; no row where the first one still has some. */
export const findDroppedThrough = (
  month: string,
  organizationId: OrganizationId,
  { through, partial }: { through: number; partial: PartialBlocks },
) => sql<{ block: number; block_hash: Buffer }>`
  with dropped as materialized (${selectDropped(month, organizationId, partial)}),
  kept as (
    select b.block from audit_block b left join dropped d on d.block = b.block
    where b.organization_id = ${organizationId} and b.block > ${through} and d.dropped is distinct from b.entries
    order by b.block limit 1)
  select b.block, b.block_hash from audit_block b
  where b.organization_id = ${organizationId} and b.block < coalesce((select block from kept), 9223372036854775807)
  order by b.block desc limit 1`;

export const selectPartial = (
  month: string,
  organizationId: OrganizationId,
  { through, partial }: { through: number; partial: PartialBlocks },
) => sql<{ block: number; dropped: number }>`
  select block, dropped from (${selectDropped(month, organizationId, partial)}) d
  where block > ${through} order by block`;
