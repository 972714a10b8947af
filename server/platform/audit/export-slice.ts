import type { OrganizationId } from '../../../contract/brands.ts';
import type { Db } from '../db/db.ts';
import type { EntryFilter } from './entries.sql.ts';
import { buildMerkleTree, type MerkleTree } from './merkle-tree.ts';
import { sealBlock, type SealDeps } from './seal.ts';
import { EXPORT_FORMAT, FORMAT, type SliceHeader, type SliceLine } from './slice.ts';
import * as statements from './slice.sql.ts';
import type { SliceEntryRow, SliceScope } from './slice.sql.ts';
import { splitLeaves } from './verify-block.ts';

/** Entries in one query, each of which may bring a block with 32 KB of hashes. */
const PAGE_SIZE = 50;

/** The most blocks of an organization that an export seals; further entries are exported as unsealed. */
const MAX_BLOCKS = 5;

/** What an export holds, in pages that begin behind an entry. */
interface SliceSource {
  header: SliceHeader;
  findPage(after: string | null): Promise<SliceEntryRow[]>;
}

/**
 * Exports entries about a patient with their proofs, as lines of NDJSON. The export writes no audit entry: that is for
 * whoever gives it to another than the patient.
 */
export async function* exportSlice(deps: SealDeps, scope: SliceScope): AsyncGenerator<string> {
  const { patientId } = scope;
  for (const row of await deps.db.query(statements.findUnsealedOrganizations(scope)))
    await sealEntries(deps, row.organization_id);
  const exportedAt = deps.clock.now().toISOString();
  yield* serializeSlice(deps.db, {
    header: { kind: 'header', format: FORMAT, issuer: deps.baseUrl, patientId, exportedAt },
    findPage: (after) => deps.db.query(statements.findSliceEntries(scope, after, PAGE_SIZE)),
  });
}

/** Exports the entries of an organization's log that a filter finds, with their proofs, up to the moment of the export. */
export async function* exportEntries(deps: SealDeps, filter: EntryFilter): AsyncGenerator<string> {
  const { organizationId, ...narrowed } = filter;
  await sealEntries(deps, organizationId);
  const now = deps.clock.now();
  const exportedAt = now.toISOString();
  // What is written meanwhile is not waited for.
  const bounded = { ...filter, until: filter.until ?? new Date(now.getTime() + 1).toISOString() };
  yield* serializeSlice(deps.db, {
    header: {
      kind: 'header',
      format: EXPORT_FORMAT,
      issuer: deps.baseUrl,
      organizationId,
      filter: describeFilter(narrowed),
      exportedAt,
    },
    findPage: (after) => deps.db.query(statements.findOrganizationAuditEntries(bounded, after, PAGE_SIZE)),
  });
}

/** A filter as its query names it: several values are separated by commas. */
export const describeFilter = (filter: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filter)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  );

async function* serializeSlice(db: Db, { header, findPage }: SliceSource): AsyncGenerator<string> {
  yield serializeLine(header);
  const lastCheckpoints: LastCheckpoints = new Map();
  let [entries, after] = [0, null as string | null];
  for (;;) {
    const page = await findPage(after);
    yield* serializePage(db, page, lastCheckpoints);
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

async function sealEntries(deps: SealDeps, organizationId: OrganizationId): Promise<void> {
  for (let block = 0; block < MAX_BLOCKS && (await sealBlock(deps, organizationId)) > 0; block++);
}
