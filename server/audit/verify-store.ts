import { maybeOne, type Queryable } from '../storage/db.ts';
import type { VerifyingKeys } from '../auth/verifying-keys.ts';
import { NO_BLOCK, readCheckpoint } from './checkpoint.ts';
import { entryHash } from './entry-hash.ts';
import { blockFault, entryFault, type Fault } from './fault.ts';
import { blockRowFault, leavesOf, sealedEntriesFault } from './verify-block.ts';
import * as statements from './verify.sql.ts';
import type { StoredBlock, StoredEntry } from './verify.sql.ts';

export interface VerifyDeps {
  db: Queryable;
  keys: VerifyingKeys;
}

export interface Verified {
  organizations: number;
  blocks: number;
  /** In blocks. */
  entries: number;
  /** Not in a block yet; their own hashes are checked. */
  unsealed: number;
  /** The first, in the order of organizations, blocks and places. */
  fault: Fault | null;
  /** The newest of each organization: to be kept elsewhere, and shown to a later verification. */
  checkpoints: string[];
}

/** Reads the whole log, or one organization's, a page at a time, until the first fault. */
export async function verifyStore(deps: VerifyDeps, only: string | null): Promise<Verified> {
  const verified: Verified = {
    organizations: 0,
    blocks: 0,
    entries: 0,
    unsealed: 0,
    fault: null,
    checkpoints: [],
  };
  let organization = only ?? (await organizationAfter(deps.db, null));
  while (organization !== null && !verified.fault) {
    verified.organizations++;
    verified.fault =
      (await chainFault(deps, organization, verified)) ??
      (await unsealedFault(deps.db, organization, verified));
    organization = only === null ? await organizationAfter(deps.db, organization) : null;
  }
  return verified;
}

const organizationAfter = async (db: Queryable, after: string | null): Promise<string | null> =>
  (await maybeOne(db, statements.nextOrganization(after)))?.organization_id ?? null;

const BEGINNING = { block: 0, block_hash: NO_BLOCK, checkpoint: null };

async function chainFault(
  { db, keys }: VerifyDeps,
  organization: string,
  verified: Verified,
): Promise<Fault | null> {
  let last: Pick<StoredBlock, 'block' | 'block_hash'> & { checkpoint: string | null } = BEGINNING;
  let page = await db.query(statements.blocksAfter(organization, null));
  while (page.length > 0) {
    const sound: StoredBlock[] = [];
    let fault: Fault | null = null;
    for (const block of page) {
      if ((fault = await blockRowFault(keys, block, last))) break;
      sound.push((last = block));
    }
    // Entries of the blocks before come before a block's own fault.
    fault = (await entriesFault(db, sound, verified)) ?? fault;
    if (fault) return fault;
    page = await db.query(statements.blocksAfter(organization, last.block));
  }
  const orphan = await maybeOne(db, statements.orphan(organization, last.block));
  if (orphan) return entryFault('missing', orphan, `its block ${orphan.block} is not there`);
  if (last.checkpoint !== null) verified.checkpoints.push(last.checkpoint);
  return null;
}

/** Entries read at a time, and looked at; more only where one block holds more. */
const PAGE = 2000;

async function entriesFault(
  db: Queryable,
  blocks: readonly StoredBlock[],
  verified: Verified,
): Promise<Fault | null> {
  for (let rest = blocks; rest.length > 0;) {
    const batch = upTo(PAGE, rest);
    rest = rest.slice(batch.length);
    const [first, last] = [batch[0] as StoredBlock, batch.at(-1) as StoredBlock];
    const expected = batch.reduce((sum, { entries }) => sum + entries, 0);
    // One more than there should be, so that the first block with too many shows.
    const range = { first: first.block, last: last.block, most: expected + 1 };
    const entries = await db.query(statements.entriesOfBlocks(first.organization_id, range));
    const byBlock = Map.groupBy(entries, ({ block }) => block);
    for (const block of batch) {
      const fault = sealedEntriesFault(block, byBlock.get(block.block) ?? []);
      if (fault) return followed(db, fault, block);
      verified.blocks++;
      verified.entries += block.entries;
    }
  }
  return null;
}

function upTo(most: number, blocks: readonly StoredBlock[]): StoredBlock[] {
  let sum = 0;
  const beyond = blocks.findIndex(({ entries }, index) => (sum += entries) > most && index > 0);
  return blocks.slice(0, beyond === -1 ? blocks.length : beyond);
}

/** An entry that is gone from its block may have been moved: then it is the altered one. */
async function followed(db: Queryable, fault: Fault, block: StoredBlock): Promise<Fault> {
  const leaf = fault.what === 'missing' && fault.place !== null ? leavesOf(block)[fault.place] : undefined;
  const moved = leaf && (await maybeOne(db, statements.entryByHash(leaf)));
  if (!moved) return fault;
  const { organizationId } = fault;
  return entryFault(
    'order',
    moved,
    `was sealed in block ${block.block} of organization ${organizationId}, at place ${fault.place}`,
  );
}

async function unsealedFault(db: Queryable, organization: string, verified: Verified): Promise<Fault | null> {
  let page = await db.query(statements.unsealedAfter(organization, null, PAGE));
  while (page.length > 0) {
    for (const entry of page) {
      if (!entryHash(entry).equals(entry.entry_hash))
        return entryFault('content', entry, 'does not match its own hash');
      if (entry.place !== null) return entryFault('order', entry, 'has a place in no block');
    }
    verified.unsealed += page.length;
    const { entry_id: last } = page.at(-1) as StoredEntry;
    page = await db.query(statements.unsealedAfter(organization, last, PAGE));
  }
  return null;
}

/**
 * Whether the log still holds the blocks of checkpoints that somebody kept: it shows when newer blocks were cut off, or
 * when the chain was written anew by somebody who has the keys.
 */
export async function keptFault(
  { db, keys }: VerifyDeps,
  kept: AsyncIterable<string>,
  only: string | null,
): Promise<{ compared: number; fault: Fault | null }> {
  let compared = 0;
  for await (const jws of kept) {
    const checkpoint = await readCheckpoint(jws, keys);
    if (!checkpoint || (only !== null && checkpoint.organizationId !== only)) continue;
    const { organizationId, block } = checkpoint;
    const stored = await maybeOne(db, statements.checkpointOf(organizationId, block));
    const at = { organizationId, block };
    if (!stored) return { compared, fault: blockFault('missing', at, 'a kept checkpoint names it') };
    if (stored.checkpoint !== jws)
      return { compared, fault: blockFault('block', at, 'is another than the kept checkpoint') };
    compared++;
  }
  return { compared, fault: null };
}
