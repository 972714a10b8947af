import type { PatientId } from '../../contract/ids.ts';
import type { Db } from '../storage/db.ts';
import { merkleTree, type MerkleTree } from './merkle-tree.ts';
import { sealBlock, type SealDeps } from './seal.ts';
import { FORMAT, type SliceLine } from './slice.ts';
import * as statements from './slice.sql.ts';
import type { SliceEntry } from './slice.sql.ts';
import { leavesOf } from './verify-block.ts';

/** Entries at a time, each perhaps with a block of 32 KB of hashes. */
const PAGE = 50;

/** Blocks of an organization that an export seals at the most; beyond that, entries are told as unsealed. */
const MOST_BLOCKS = 5;

/**
 * A patient's entries with their proofs, as lines of NDJSON. Leaves no entry itself: it is the patient's own look at
 * what is told to nobody else, and concerns no organization.
 */
export async function* exportSlice(deps: SealDeps, patientId: PatientId): AsyncGenerator<string> {
  await sealFor(deps, patientId);
  const exportedAt = deps.clock.now().toISOString();
  yield line({ kind: 'header', format: FORMAT, issuer: deps.baseUrl, patientId, exportedAt });
  const told: Told = new Map();
  let [entries, after] = [0, null as string | null];
  for (;;) {
    const page = await deps.db.query(statements.entriesOfPatient(patientId, after, PAGE));
    yield* linesOf(deps.db, page, told);
    entries += page.length;
    after = page.at(-1)?.entry_id ?? null;
    if (after === null || page.length < PAGE) break;
  }
  yield line({ kind: 'end', entries });
}

const line = (value: SliceLine): string => `${JSON.stringify(value)}\n`;

/** Of each organization, the block whose checkpoint was told last. */
type Told = Map<string, { block: number; tree: MerkleTree }>;

/**
 * Entries as they come, each behind its block's checkpoint. That is told again where blocks alternate, which they do
 * only where an entry was committed late.
 */
async function* linesOf(db: Db, page: readonly SliceEntry[], told: Told): AsyncGenerator<string> {
  const blocks = await db.query(statements.blocksOf(page.filter(({ block }) => block !== null)));
  const byKey = new Map(blocks.map((block) => [keyOf(block), block]));
  for (const { block, place, ...entry } of page) {
    const row = byKey.get(keyOf({ ...entry, block }));
    if (!row || place === null) {
      yield line({ kind: 'entry', entry, proof: null });
      continue;
    }
    let current = told.get(entry.organization_id);
    if (current?.block !== row.block) {
      yield line({ kind: 'checkpoint', checkpoint: row.checkpoint });
      told.set(entry.organization_id, (current = { block: row.block, tree: merkleTree(leavesOf(row)) }));
    }
    const path = current.tree.path(place).map((node) => node.toString('base64url'));
    yield line({ kind: 'entry', entry, proof: { block: row.block, place, path } });
  }
}

const keyOf = (of: { organization_id: string; block: number | null }): string =>
  `${of.organization_id} ${of.block}`;

async function sealFor(deps: SealDeps, patientId: PatientId): Promise<void> {
  for (const row of await deps.db.query(statements.unsealedOrganizations(patientId)))
    for (let block = 0; block < MOST_BLOCKS && (await sealBlock(deps, row.organization_id)) > 0; block++);
}
