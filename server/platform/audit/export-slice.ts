import type { PatientId } from '../../../contract/brands.ts';
import type { Db } from '../db/db.ts';
import { buildMerkleTree, type MerkleTree } from './merkle-tree.ts';
import { sealBlock, type SealDeps } from './seal.ts';
import { FORMAT, type SliceLine } from './slice.ts';
import * as statements from './slice.sql.ts';
import type { SliceEntryRow } from './slice.sql.ts';
import { splitLeaves } from './verify-block.ts';

/** Entries at a time, each perhaps with a block of 32 KB of hashes. */
const PAGE_SIZE = 50;

/** Blocks of an organization that an export seals at the most; beyond that, entries are told as unsealed. */
const MAX_BLOCKS = 5;

/**
 * A patient's entries with their proofs, as lines of NDJSON. Leaves no entry itself: it is the patient's own look at
 * what is told to nobody else, and concerns no organization.
 */
export async function* exportSlice(deps: SealDeps, patientId: PatientId): AsyncGenerator<string> {
  await sealPatientEntries(deps, patientId);
  const exportedAt = deps.clock.now().toISOString();
  yield serializeLine({ kind: 'header', format: FORMAT, issuer: deps.baseUrl, patientId, exportedAt });
  const lastCheckpoints: LastCheckpoints = new Map();
  let [entries, after] = [0, null as string | null];
  for (;;) {
    const page = await deps.db.query(statements.findPatientAuditEntries(patientId, after, PAGE_SIZE));
    yield* serializePage(deps.db, page, lastCheckpoints);
    entries += page.length;
    after = page.at(-1)?.entry_id ?? null;
    if (after === null || page.length < PAGE_SIZE) break;
  }
  yield serializeLine({ kind: 'end', entries });
}

const serializeLine = (value: SliceLine): string => `${JSON.stringify(value)}\n`;

/** Of each organization, the block whose checkpoint was told last. */
type LastCheckpoints = Map<string, { block: number; tree: MerkleTree }>;

/**
 * Entries as they come, each behind its block's checkpoint. That is told again where blocks alternate, which they do
 * only where an entry was committed late.
 */
async function* serializePage(
  db: Db,
  page: readonly SliceEntryRow[],
  lastCheckpoints: LastCheckpoints,
): AsyncGenerator<string> {
  const blocks = await db.query(statements.findBlocks(page.filter(({ block }) => block !== null)));
  const byKey = new Map(blocks.map((block) => [toBlockKey(block), block]));
  for (const { block, place, ...entry } of page) {
    const row = byKey.get(toBlockKey({ ...entry, block }));
    if (!row || place === null) {
      yield serializeLine({ kind: 'entry', entry, proof: null });
      continue;
    }
    let current = lastCheckpoints.get(entry.organization_id);
    if (current?.block !== row.block) {
      yield serializeLine({ kind: 'checkpoint', checkpoint: row.checkpoint });
      lastCheckpoints.set(
        entry.organization_id,
        (current = { block: row.block, tree: buildMerkleTree(splitLeaves(row)) }),
      );
    }
    const path = current.tree.getPath(place).map((node) => node.toString('base64url'));
    yield serializeLine({ kind: 'entry', entry, proof: { block: row.block, place, path } });
  }
}

const toBlockKey = (row: { organization_id: string; block: number | null }): string =>
  `${row.organization_id} ${row.block}`;

async function sealPatientEntries(deps: SealDeps, patientId: PatientId): Promise<void> {
  for (const row of await deps.db.query(statements.findUnsealedOrganizations(patientId)))
    for (let block = 0; block < MAX_BLOCKS && (await sealBlock(deps, row.organization_id)) > 0; block++);
}
