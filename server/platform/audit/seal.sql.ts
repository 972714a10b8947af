import type { OrganizationId } from '../../../contract/brands.ts';
import { sql } from '../db/sql.ts';

/** Finds the next organization with unsealed entries, one step on their index. */
export const findNextUnsealedOrganization = (after: OrganizationId | null) => sql<{
  organization_id: OrganizationId;
}>`
  select organization_id from audit_entry
  where block is null and organization_id > coalesce(${after}, '00000000-0000-0000-0000-000000000000')::uuid
  order by organization_id limit 1`;

/** An arbitrary constant: together with the hash of an organization it names the lock on its chain. */
const LOCK = 4_736_282;

/** Lets one node at a time seal an organization's blocks. A statement of its own, so that later ones see what it waited for. */
export const lockChain = (organizationId: OrganizationId) => sql`
  select pg_advisory_xact_lock(${LOCK}::integer, hashtext(${organizationId}::text))`;

export const findNewestBlock = (organizationId: OrganizationId) => sql<{ block: number; block_hash: Buffer }>`
  select block, block_hash from audit_block where organization_id = ${organizationId} order by block desc limit 1`;

export const findUnsealedHashes = (organizationId: OrganizationId, limit: number) => sql<{
  entry_id: string;
  entry_hash: Buffer;
}>`
  select entry_id, entry_hash from audit_entry where organization_id = ${organizationId} and block is null
  order by entry_id limit ${limit}`;

export interface BlockRow {
  organization_id: OrganizationId;
  block: number;
  entries: number;
  root_hash: Buffer;
  previous_hash: Buffer;
  block_hash: Buffer;
  sealed_at: string;
  checkpoint: string;
  leaves: Buffer;
}

/** Inserts the block and sets the position of each of its entries, whose ids ascend: by the first and the last, other months are left out. */
export const insertBlock = (block: BlockRow, entryIds: readonly string[]) => sql`
  with sealed as (
    update audit_entry e set block = ${block.block}, place = n.place - 1
    from unnest(${entryIds}::uuid[]) with ordinality as n(entry_id, place)
    where e.organization_id = ${block.organization_id} and e.entry_id = n.entry_id
      and e.entry_id between ${entryIds[0]} and ${entryIds.at(-1)})
  insert into audit_block (organization_id, block, entries, root_hash, previous_hash, block_hash, sealed_at, checkpoint, leaves)
  values (${block.organization_id}, ${block.block}, ${block.entries}, ${block.root_hash}, ${block.previous_hash},
    ${block.block_hash}, ${block.sealed_at}, ${block.checkpoint}, ${block.leaves})`;
