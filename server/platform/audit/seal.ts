import type { OrganizationId } from '../../../contract/brands.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import type { Clock } from '../kernel/clock.ts';
import { maybeOne, type Db } from '../db/db.ts';
import { hashCheckpoint, GENESIS_HASH, signCheckpoint } from './checkpoint.ts';
import { buildMerkleTree } from './merkle-tree.ts';
import * as statements from './seal.sql.ts';

export interface SealDeps {
  db: Db;
  clock: Clock;
  keys: SigningKeys;
  /** The service's base URL. */
  baseUrl: string;
}

/** 32 KB of hashes; a transaction takes about 60 ms, 100 ms on the embedded engine, which runs nothing else meanwhile. */
const MAX_BLOCK_ENTRIES = 1000;

/** Seals all unsealed entries and returns how many. Throws `signal`'s reason between two blocks; sealed ones stay sealed. */
export async function sealAll(deps: SealDeps, signal?: AbortSignal): Promise<number> {
  let [sealed, organization] = [0, null as OrganizationId | null];
  for (;;) {
    const next = await maybeOne(deps.db, statements.findNextUnsealedOrganization(organization));
    if (!next) return sealed;
    organization = next.organization_id;
    for (let block = MAX_BLOCK_ENTRIES; block === MAX_BLOCK_ENTRIES; sealed += block) {
      signal?.throwIfAborted();
      block = await sealBlock(deps, organization);
    }
  }
}

/**
 * Seals up to a block of an organization's unsealed entries in one transaction, and returns how many. Entries are ordered
 * by their ids within a block only: an entry that was committed late is sealed with later ones.
 */
export async function sealBlock(
  { db, clock, keys, baseUrl }: SealDeps,
  organizationId: OrganizationId,
): Promise<number> {
  const signingKey = await keys.getCurrentKey();
  return db.tx(async (tx) => {
    await tx.query(statements.lockChain(organizationId));
    const unsealed = await tx.query(statements.findUnsealedHashes(organizationId, MAX_BLOCK_ENTRIES));
    if (unsealed.length === 0) return 0;
    const head = await maybeOne(tx, statements.findNewestBlock(organizationId));
    const leaves = unsealed.map((row) => row.entry_hash);
    const { root } = buildMerkleTree(leaves);
    const block = (head?.block ?? 0) + 1;
    const previous = head?.block_hash ?? GENESIS_HASH;
    const sealedAt = clock.now().toISOString();
    const checkpoint = await signCheckpoint(signingKey, {
      iss: baseUrl,
      organizationId,
      block,
      entries: unsealed.length,
      root: root.toString('base64url'),
      previous: previous.toString('base64url'),
      sealedAt,
    });
    const row = {
      organization_id: organizationId,
      block,
      entries: unsealed.length,
      root_hash: root,
      previous_hash: previous,
      block_hash: hashCheckpoint(checkpoint),
      sealed_at: sealedAt,
      checkpoint,
      leaves: Buffer.concat(leaves),
    };
    await tx.query(
      statements.insertBlock(
        row,
        unsealed.map(({ entry_id: id }) => id),
      ),
    );
    return unsealed.length;
  });
}
