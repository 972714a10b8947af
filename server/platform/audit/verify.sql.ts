import { raw, sql } from '../db/sql.ts';
import { auditEntryColumns, type AuditRow } from './audit.sql.ts';
import type { BlockRow } from './seal.sql.ts';

export interface StoredEntry extends AuditRow {
  block: number | null;
  place: number | null;
}

const storedEntryColumns = sql`${auditEntryColumns}, e.entry_hash, e.block, e.place`;

/** Finds the next organization that has anything in the log. */
export const findNextOrganization = (after: string | null) => sql<{ organization_id: string }>`
  select organization_id from (
    (select organization_id from audit_entry where ${after === null ? raw('true') : sql`organization_id > ${after}`}
      order by organization_id limit 1)
    union all
    (select organization_id from audit_block where ${after === null ? raw('true') : sql`organization_id > ${after}`}
      order by organization_id limit 1)) found
  order by organization_id limit 1`;

export type StoredBlock = Omit<BlockRow, 'organization_id'> & { organization_id: string };

/** At most 3 MB of hashes. */
const PAGE_BLOCKS = 100;

export const findBlocksAfter = (organizationId: string, block: number) => sql<StoredBlock>`
  select organization_id, block, entries, root_hash, previous_hash, block_hash,
    to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as sealed_at, checkpoint, leaves
  from audit_block
  where organization_id = ${organizationId} and block > ${block} order by block limit ${PAGE_BLOCKS}`;

/** Finds the entries of the blocks from `first` to `last`, in their order. */
export const findBlockEntries = (
  organizationId: string,
  { first, last, limit }: { first: number; last: number; limit: number },
) => sql<StoredEntry>`
  select ${storedEntryColumns} from audit_entry e
  where e.organization_id = ${organizationId} and e.block between ${first} and ${last} and e.block is not null
  order by e.block, e.place, e.entry_id limit ${limit}`;

export const findUnsealedAfter = (
  organizationId: string,
  entryId: string | null,
  limit: number,
) => sql<StoredEntry>`
  select ${storedEntryColumns} from audit_entry e
  where e.organization_id = ${organizationId} and e.block is null
    and ${entryId === null ? raw('true') : sql`e.entry_id > ${entryId}`}
  order by e.entry_id limit ${limit}`;

/** Finds an entry that names a block that does not exist, also not as one sealed since then. */
export const findOrphan = (organizationId: string, last: number) => sql<StoredEntry>`
  select ${storedEntryColumns} from audit_entry e
  where e.organization_id = ${organizationId} and e.block is not null and (e.block < 1 or e.block > ${last})
    and not exists (select from audit_block b where b.organization_id = e.organization_id and b.block = e.block)
  order by e.block, e.place limit 1`;

/** Scans the whole table: it runs once, when an entry is not where it was sealed. */
export const findEntryByHash = (entryHash: Buffer) => sql<StoredEntry>`
  select ${storedEntryColumns} from audit_entry e where e.entry_hash = ${entryHash} limit 1`;

export const findCheckpoint = (organizationId: string, block: number) => sql<{ checkpoint: string }>`
  select checkpoint from audit_block where organization_id = ${organizationId} and block = ${block}`;
