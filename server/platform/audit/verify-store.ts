import { maybeOne, type Queryable } from '../db/db.ts';
import { listDetached } from '../db/detach-months.ts';
import type { VerifyingKeys } from '../keys/verifying-keys.ts';
import { GENESIS_HASH, readCheckpoint } from './checkpoint.ts';
import { hashAuditEntry } from './entry-hash.ts';
import { countDropped, findDroppedEntries, type DroppedEntries } from './dropped-entries.ts';
import { createBlockFault, createEntryFault, type Fault } from './fault.ts';
import { findBlockRowFault, splitLeaves, findSealedEntriesFault } from './verify-block.ts';
import * as statements from './verify.sql.ts';
import type { StoredBlock, StoredEntry } from './verify.sql.ts';

export interface VerifyDeps {
  db: Queryable;
  keys: VerifyingKeys;
}

export interface StoreVerification {
  organizations: number;
  blocks: number;
  /** Entries in blocks. */
  entries: number;
  /** Entries in no block yet; their own hashes are checked. */
  unsealed: number;
  /** Entries that retention has dropped of them, by organization. */
  dropped: DroppedEntries[];
  /** The first fault, in the order of organizations, blocks and positions. */
  fault: Fault | null;
  /** The newest checkpoint of each organization: to be stored elsewhere, and compared by a later verification. */
  checkpoints: string[];
}

/** Verifies the whole log, or one organization's, a page at a time, until the first fault. */
export async function verifyStore(deps: VerifyDeps, only: string | null): Promise<StoreVerification> {
  const verified: StoreVerification = {
    organizations: 0,
    blocks: 0,
    entries: 0,
    unsealed: 0,
    dropped: [],
    fault: null,
    checkpoints: [],
  };
  let organization = only ?? (await findNextOrganization(deps.db, null));
  while (organization !== null && !verified.fault) {
    verified.organizations++;
    verified.fault =
      (await findChainFault(deps, organization, verified)) ??
      (await findUnsealedFault(deps.db, organization, verified));
    organization = only === null ? await findNextOrganization(deps.db, organization) : null;
  }
  return verified;
}

const findNextOrganization = async (db: Queryable, after: string | null): Promise<string | null> =>
  (await maybeOne(db, statements.findNextOrganization(after)))?.organization_id ?? null;

/** Where a chain was left: its newest block that is as it was signed. */
export type ChainPosition = Pick<StoredBlock, 'block' | 'block_hash'>;

export const GENESIS: ChainPosition = { block: 0, block_hash: GENESIS_HASH };

/** Counts what is verified of one chain. */
export interface ChainProgress {
  blocks: number;
  entries: number;
  /** What retention has dropped of it. */
  dropped?: DroppedEntries | null;
  /** The newest block that was verified, with its checkpoint. */
  last: ChainPosition & { checkpoint: string | null };
}

async function findChainFault(
  deps: VerifyDeps,
  organization: string,
  verified: StoreVerification,
): Promise<Fault | null> {
  const progress: ChainProgress = { blocks: 0, entries: 0, last: { ...GENESIS, checkpoint: null } };
  const fault = await findFaultAfter(deps, { organization }, progress);
  if (progress.dropped) verified.dropped.push(progress.dropped);
  verified.blocks += progress.blocks;
  verified.entries += progress.entries;
  if (!fault && progress.last.checkpoint !== null) verified.checkpoints.push(progress.last.checkpoint);
  return fault;
}

/**
 * Verifies the blocks of a chain behind `progress.last`, which is moved on with each page that is as it was signed. Throws
 * `signal`'s reason between two pages.
 */
export async function findFaultAfter(
  { db, keys }: VerifyDeps,
  chain: { organization: string; signal?: AbortSignal },
  progress: ChainProgress,
): Promise<Fault | null> {
  const { organization, signal } = chain;
  progress.dropped = await findDroppedEntries(db, organization);
  let { last } = progress;
  let page = await db.query(statements.findBlocksAfter(organization, last.block));
  while (page.length > 0) {
    signal?.throwIfAborted();
    const sound: StoredBlock[] = [];
    let fault: Fault | null = null;
    for (const block of page) {
      fault = (await findBlockRowFault(keys, block, last)) ?? findDroppedFault(block, progress.dropped);
      if (fault) break;
      sound.push((last = block));
    }
    const counted = { ...progress };
    // Faults in entries of earlier blocks come before a block's own fault.
    fault = (await findEntriesFault(db, sound, progress)) ?? fault;
    if (fault?.what === 'missing' && (await wereDropped(db, organization, progress.dropped)))
      return findFaultAfter({ db, keys }, chain, Object.assign(progress, counted));
    if (fault) return fault;
    progress.last = last;
    page = await db.query(statements.findBlocksAfter(organization, last.block));
  }
  const orphan = await maybeOne(db, statements.findOrphan(organization, last.block));
  return orphan ? createEntryFault('missing', orphan, `its block ${orphan.block} is not there`) : null;
}

/**
 * Says whether more of the log was dropped since the verification began. Throws while a month is dropped: it is detached a moment
 * before an entry says so.
 */
async function wereDropped(
  db: Queryable,
  organization: string,
  known: DroppedEntries | null,
): Promise<boolean> {
  if ((await findDroppedEntries(db, organization))?.entryId !== known?.entryId) return true;
  if ((await db.query(listDetached('audit_entry'))).length === 0) return false;
  throw new Error('a month of the log is being dropped just now; verify it again in a minute');
}

/** Finds that the newest block without entries is another than the one that the log names. */
const findDroppedFault = (
  { organization_id: organizationId, block, block_hash: hash }: StoredBlock,
  dropped: DroppedEntries | null,
): Fault | null =>
  block !== dropped?.throughBlock || hash.toString('base64url') === dropped.blockHash
    ? null
    : createBlockFault(
        'block',
        { organizationId, block },
        `is another than the one up to which entry ${dropped.entryId} says that entries were dropped`,
      );

/** Entries that are read at a time; more only where one block holds more. */
const PAGE_SIZE = 2000;

async function findEntriesFault(
  db: Queryable,
  blocks: readonly StoredBlock[],
  verified: Pick<ChainProgress, 'blocks' | 'entries' | 'dropped'>,
): Promise<Fault | null> {
  const countGone = (block: StoredBlock): number => countDropped(block, verified.dropped ?? null);
  for (let rest = blocks; rest.length > 0;) {
    const batch = takeBatch(PAGE_SIZE, rest);
    rest = rest.slice(batch.length);
    const [first, last] = [batch[0] as StoredBlock, batch.at(-1) as StoredBlock];
    const expected = batch.reduce((sum, block) => sum + block.entries - countGone(block), 0);
    // One more than expected, so that the first block with too many is found.
    const range = { first: first.block, last: last.block, limit: expected + 1 };
    const entries = await db.query(statements.findBlockEntries(first.organization_id, range));
    const byBlock = Map.groupBy(entries, ({ block }) => block);
    for (const block of batch) {
      const gone = countGone(block);
      const fault = findSealedEntriesFault(block, byBlock.get(block.block) ?? [], gone);
      if (fault) return traceMovedEntry(db, fault, block);
      verified.blocks++;
      verified.entries += block.entries - gone;
    }
  }
  return null;
}

function takeBatch(limit: number, blocks: readonly StoredBlock[]): StoredBlock[] {
  let sum = 0;
  const beyond = blocks.findIndex(({ entries }, index) => (sum += entries) > limit && index > 0);
  return blocks.slice(0, beyond === -1 ? blocks.length : beyond);
}

/** Reports an entry that is missing from its block as the altered one when it was moved elsewhere. */
async function traceMovedEntry(db: Queryable, fault: Fault, block: StoredBlock): Promise<Fault> {
  const leaf = fault.what === 'missing' && fault.place !== null ? splitLeaves(block)[fault.place] : undefined;
  const moved = leaf && (await maybeOne(db, statements.findEntryByHash(leaf)));
  if (!moved) return fault;
  const { organizationId } = fault;
  return createEntryFault(
    'order',
    moved,
    `was sealed in block ${block.block} of organization ${organizationId}, at place ${fault.place}`,
  );
}

async function findUnsealedFault(
  db: Queryable,
  organization: string,
  verified: StoreVerification,
): Promise<Fault | null> {
  let page = await db.query(statements.findUnsealedAfter(organization, null, PAGE_SIZE));
  while (page.length > 0) {
    for (const entry of page) {
      if (!hashAuditEntry(entry).equals(entry.entry_hash))
        return createEntryFault('content', entry, 'does not match its own hash');
      if (entry.place !== null) return createEntryFault('order', entry, 'has a place in no block');
    }
    verified.unsealed += page.length;
    const { entry_id: last } = page.at(-1) as StoredEntry;
    page = await db.query(statements.findUnsealedAfter(organization, last, PAGE_SIZE));
  }
  return null;
}

/**
 * Checks that the log still holds the blocks of checkpoints that were stored elsewhere: this finds newer blocks that were
 * cut off, and a chain that was rewritten by somebody who has the keys.
 */
export async function compareCheckpoints(
  { db, keys }: VerifyDeps,
  checkpoints: AsyncIterable<string>,
  only: string | null,
): Promise<{ compared: number; fault: Fault | null }> {
  let compared = 0;
  for await (const jws of checkpoints) {
    const checkpoint = await readCheckpoint(jws, keys);
    if (!checkpoint || (only !== null && checkpoint.organizationId !== only)) continue;
    const { organizationId, block } = checkpoint;
    const stored = await maybeOne(db, statements.findCheckpoint(organizationId, block));
    const at = { organizationId, block };
    if (!stored) return { compared, fault: createBlockFault('missing', at, 'a kept checkpoint names it') };
    if (stored.checkpoint !== jws)
      return { compared, fault: createBlockFault('block', at, 'is another than the kept checkpoint') };
    compared++;
  }
  return { compared, fault: null };
}
