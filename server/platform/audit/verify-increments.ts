import { maybeOne, type Db } from '../db/db.ts';
import type { Clock } from '../kernel/clock.ts';
import { listAllSigningKeys } from '../keys/signing-keys.ts';
import { importVerifyingKeys } from '../keys/verifying-keys.ts';
import { createBlockFault, type Fault } from './fault.ts';
import * as statements from './verification.sql.ts';
import { findNextOrganization } from './verify.sql.ts';
import { findFaultAfter, GENESIS, type ChainProgress, type VerifyDeps } from './verify-store.ts';

/**
 * Verifies of every organization's log what was sealed since the last time, and keeps what was found. It goes on from the
 * block that was verified last, so it notices an earlier block that was replaced only when later ones no longer continue it;
 * `chartgate audit verify` checks the whole log. After a fault, the same place is checked again the next time.
 */
export async function verifyIncrements(
  { db, clock }: { db: Db; clock: Clock },
  signal: AbortSignal,
): Promise<void> {
  const keys = await importVerifyingKeys(await listAllSigningKeys(db));
  for (let organization: string | null = null; ;) {
    signal.throwIfAborted();
    const next: { organization_id: string } | null = await maybeOne(db, findNextOrganization(organization));
    if (next === null) return;
    organization = next.organization_id;
    await verifyIncrement({ db, keys }, { organization, now: clock.now() }, signal);
  }
}

async function verifyIncrement(
  deps: VerifyDeps,
  { organization, now }: { organization: string; now: Date },
  signal: AbortSignal,
): Promise<void> {
  const before = await maybeOne(deps.db, statements.findVerification(organization));
  const { block, block_hash, entries } = before ?? { ...GENESIS, entries: 0 };
  const progress: ChainProgress = { blocks: 0, entries, last: { block, block_hash, checkpoint: null } };
  const fault =
    (await findCutFault(deps, organization, progress.last)) ??
    (await findFaultAfter(deps, { organization, signal }, progress));
  const sound = fault ? { block, block_hash, entries } : { ...progress.last, entries: progress.entries };
  await deps.db.query(
    statements.upsertVerification(organization, {
      verified_at: now,
      block: sound.block,
      block_hash: sound.block_hash,
      entries: sound.entries,
      fault: fault && serializeFault(fault),
    }),
  );
}

function serializeFault({ what, block, entryId, detail }: Fault): string {
  const kept: statements.KeptFault = { what, block, entryId, detail };
  return JSON.stringify(kept);
}

/** Finds that the newest block that was verified is gone, or another: what was cut off behind it would not show. */
async function findCutFault(
  { db }: VerifyDeps,
  organizationId: string,
  { block, block_hash: hash }: ChainProgress['last'],
): Promise<Fault | null> {
  if (block === GENESIS.block) return null;
  const stored = await maybeOne(db, statements.findBlockHash(organizationId, block));
  const at = { organizationId, block };
  if (!stored) return createBlockFault('missing', at, 'it was there when the log was verified before');
  return stored.block_hash.equals(hash)
    ? null
    : createBlockFault('block', at, 'is another than the one that was verified before');
}
