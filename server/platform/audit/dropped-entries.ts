import { z } from 'zod';
import { maybeOne, type Queryable } from '../db/db.ts';
import { hashAuditEntry } from './entry-hash.ts';
import { findRetentionEntry } from './retention.sql.ts';

/**
 * What retention has dropped of an organization's log, as the entry that it wrote says: blocks and their checkpoints stay, so the
 * chain is whole, and what is missing of it has to be just this. Each such entry stands for all before it.
 */
const Detail = z.object({
  /** Entries with ids of before this time were dropped: ISO 8601, the beginning of a month. */
  before: z.string(),
  /** How many, in all. */
  entries: z.int().min(1),
  /** The blocks up to this one hold no entry any more. */
  throughBlock: z.int().min(0),
  /** Of that block, base64url. */
  blockHash: z.string(),
  /** How many entries of which later blocks were dropped, the first ones of each. */
  ofLaterBlocks: z.array(z.tuple([z.int(), z.int()])),
});

export type RetentionDetail = z.infer<typeof Detail>;

export interface DroppedEntries extends RetentionDetail {
  organizationId: string;
  /** The entry that says so. */
  entryId: string;
}

/**
 * Finds what was dropped, by the log or by a month that was detached of it; null for nothing, and where the entry is not as it was
 * written, which a verification finds.
 */
export async function findDroppedEntries(
  on: Queryable,
  organizationId: string,
  log = 'audit_entry',
): Promise<DroppedEntries | null> {
  const entry = await maybeOne(on, findRetentionEntry(organizationId, log));
  if (entry === null || !hashAuditEntry(entry).equals(entry.entry_hash)) return null;
  const detail = Detail.safeParse(JSON.parse(entry.detail));
  return detail.success ? { ...detail.data, organizationId, entryId: entry.entry_id } : null;
}

/** Counts the entries of a block that were dropped: those at its first places, since a block is in the order of ids. */
export const countDropped = (
  { block, entries }: { block: number; entries: number },
  dropped: RetentionDetail | null,
): number => {
  if (dropped === null) return 0;
  if (block <= dropped.throughBlock) return entries;
  return dropped.ofLaterBlocks.find(([later]) => later === block)?.[1] ?? 0;
};
