import type { VerifyingKeys } from '../keys/verifying-keys.ts';
import { hashCheckpoint, readCheckpoint } from './checkpoint.ts';
import { hashAuditEntry } from './entry-hash.ts';
import { createBlockFault, createEntryFault, type Fault } from './fault.ts';
import { HASH_BYTES, buildMerkleTree } from './merkle-tree.ts';
import type { StoredBlock, StoredEntry } from './verify.sql.ts';

export const splitLeaves = ({ leaves }: Pick<StoredBlock, 'leaves'>): Buffer[] =>
  Array.from({ length: leaves.length / HASH_BYTES }, (_leaf, index) =>
    leaves.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );

/** Checks that a block's row is what was signed, and continues the chain after the previous block. */
export async function findBlockRowFault(
  keys: VerifyingKeys,
  row: StoredBlock,
  before: Pick<StoredBlock, 'block' | 'block_hash'>,
): Promise<Fault | null> {
  const at = { organizationId: row.organization_id, block: row.block };
  const signed = await readCheckpoint(row.checkpoint, keys);
  if (!signed)
    return createBlockFault('signature', at, 'the checkpoint is not signed by a key of this service');
  const differing = [
    row.organization_id !== signed.organizationId && 'organization_id',
    row.block !== signed.block && 'block',
    row.entries !== signed.entries && 'entries',
    row.root_hash.toString('base64url') !== signed.root && 'root_hash',
    row.previous_hash.toString('base64url') !== signed.previous && 'previous_hash',
    row.sealed_at !== signed.sealedAt.replace('Z', '000Z') && 'sealed_at',
    !row.block_hash.equals(hashCheckpoint(row.checkpoint)) && 'block_hash',
    !hasMatchingRoot(row) && 'leaves',
  ].find((name) => name !== false);
  if (differing !== undefined) {
    const signedFor = `block ${signed.block} of organization ${signed.organizationId}`;
    return createBlockFault('block', at, `its ${differing} is not what was signed for ${signedFor}`);
  }
  if (row.block > before.block + 1)
    return createBlockFault(
      'missing',
      { ...at, block: before.block + 1 },
      'the block is gone, later ones are there',
    );
  if (!row.previous_hash.equals(before.block_hash))
    return createBlockFault('block', at, 'does not continue the block before: one of the two was replaced');
  return null;
}

const hasMatchingRoot = (row: StoredBlock): boolean =>
  row.leaves.length === row.entries * HASH_BYTES &&
  buildMerkleTree(splitLeaves(row)).root.equals(row.root_hash);

/** Finds the first entry of a sound block that is not as it was sealed; `entries` are ordered by position, `dropped` are gone. */
export function findSealedEntriesFault(
  block: StoredBlock,
  entries: readonly StoredEntry[],
  dropped: number,
): Fault | null {
  const leaves = splitLeaves(block);
  let next = dropped;
  for (const entry of entries) {
    if (entry.place === next && isLeaf(entry, leaves[next])) next++;
    else return diagnoseStrayEntry({ block, leaves, entries, next }, entry);
  }
  return next === leaves.length ? null : createMissingFault(block, next);
}

const isLeaf = (entry: StoredEntry, leaf: Buffer | undefined): boolean =>
  leaf !== undefined && entry.entry_hash.equals(leaf) && hashAuditEntry(entry).equals(leaf);

interface BlockCheck {
  block: StoredBlock;
  leaves: readonly Buffer[];
  entries: readonly StoredEntry[];
  /** The position whose entry is expected. */
  next: number;
}

/** Diagnoses what happened when `entry` is where another one should be, or beyond the last. */
function diagnoseStrayEntry({ block, leaves, entries, next }: BlockCheck, entry: StoredEntry): Fault {
  const content = hashAuditEntry(entry);
  const expected = leaves[next];
  const sealedHere = leaves.some((leaf) => leaf.equals(content));
  const rightful = entries.find((other) => isLeaf(other, expected));
  if (expected && entry.place === next && !rightful) {
    if (content.equals(expected)) return createEntryFault('content', entry, 'its entry_hash was altered');
    if (!sealedHere) return createEntryFault('content', entry, 'is not what was sealed');
  }
  if (expected && (entry.place === null || entry.place > next)) {
    const moved = rightful ?? (content.equals(expected) ? entry : undefined);
    return moved
      ? createEntryFault('order', moved, `was sealed at place ${next}`)
      : createMissingFault(block, next);
  }
  return sealedHere
    ? createEntryFault('order', entry, 'is not at the place where it was sealed')
    : createEntryFault('extra', entry, 'was put into a block that was sealed without it');
}

const createMissingFault = (block: StoredBlock, place: number): Fault =>
  createBlockFault(
    'missing',
    { organizationId: block.organization_id, block: block.block, place },
    'the entry that was sealed there is gone',
  );
