import type { OrganizationId } from '../../../contract/brands.ts';
import { sql } from '../db/sql.ts';
import type { Fault } from './fault.ts';

export interface VerificationRow {
  verified_at: Date;
  block: number;
  block_hash: Buffer;
  entries: number;
  /** A `KeptFault` as JSON. */
  fault: string | null;
}

export type KeptFault = Pick<Fault, 'what' | 'block' | 'entryId' | 'detail'>;

export const findVerification = (organizationId: string) => sql<VerificationRow>`
  select verified_at, block, block_hash, entries, fault
  from audit_verification where organization_id = ${organizationId}`;

export const upsertVerification = (organizationId: string, row: VerificationRow) => sql`
  insert into audit_verification (organization_id, verified_at, block, block_hash, entries, fault)
  values (${organizationId}, ${row.verified_at}, ${row.block}, ${row.block_hash}, ${row.entries}, ${row.fault}::json)
  on conflict (organization_id) do update set verified_at = excluded.verified_at, block = excluded.block,
    block_hash = excluded.block_hash, entries = excluded.entries, fault = excluded.fault`;

export const findBlockHash = (organizationId: string, block: number) => sql<{ block_hash: Buffer }>`
  select block_hash from audit_block where organization_id = ${organizationId} and block = ${block}`;

export interface CheckpointRow {
  block: number;
  entries: number;
  sealed_at: Date;
  checkpoint: string;
}

/** Finds an organization's checkpoints, newest first. */
export const findCheckpoints = (
  organizationId: OrganizationId,
  { limit, before }: { limit: number; before: number },
) => sql<CheckpointRow>`
  select block, entries, sealed_at, checkpoint from audit_block
  where organization_id = ${organizationId} and block < ${before} order by block desc limit ${limit}`;
