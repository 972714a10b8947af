import type { PatientId } from '../../../contract/brands.ts';
import type { Db } from '../db/db.ts';
import { buildMerkleTree, type MerkleTree } from './merkle-tree.ts';
import { sealBlock, type SealDeps } from './seal.ts';
import { FORMAT, type SliceLine } from './slice.ts';
import * as statements from './slice.sql.ts';
import type { SliceEntryRow } from './slice.sql.ts';
import { splitLeaves } from './verify-block.ts';

/** Entries in one query, each of which may bring a block with 32 KB of hashes. */
const PAGE_SIZE = 50;

/** The most blocks of an organization that an export seals; further entries are exported as unsealed. */
const MAX_BLOCKS = 5;

/**
 * Exports a patient's entries with their proofs, as lines of NDJSON. The export writes no audit entry: it shows patients
 * their own log and concerns no organization.
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

/** The last block of each organization whose checkpoint was emitted. */
type LastCheckpoints = Map<string, { block: number; tree: MerkleTree }>;

/**
 * Emits entries in their order, each after its block's checkpoint. A checkpoint is repeated where blocks alternate, which
 * happens only where an entry was committed late.
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
