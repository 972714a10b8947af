import type { BatchId, PatientId } from '../../contract/ids.ts';
import type { Db, Queryable, Tx } from '../storage/db.ts';
import {
  countHoldings,
  deleteEntries,
  forgetHoldings,
  insertEntries,
  markDuplicateNotes,
  type PlacedEntry,
} from './entries.sql.ts';
import { parseResource } from './parse-resource.ts';
import { neededReferences, project, type ProjectionContext } from './project.ts';
import * as statements from './resources.sql.ts';
import { patientGone } from './write-chunk.ts';

/** What else is kept of entries; the search room indexes their words. */
export type IndexEntries = (
  tx: Tx,
  patientId: PatientId,
  change: { seqs: readonly number[]; entries: readonly PlacedEntry[] },
) => Promise<void>;

export interface ProjectionDeps {
  db: Db;
  index: IndexEntries;
}

const PAGE = 200;

interface Page {
  /** Ascending. */
  seqs: number[];
  entries: PlacedEntry[];
}

/**
 * Writes the projection of stored resources anew, a page in a transaction: of one batch's, or of the whole record.
 * A reader sees each resource's entries before or after, never none.
 */
export async function projectStored(
  { db, index }: ProjectionDeps,
  { patientId, batchId }: { patientId: PatientId; batchId: BatchId | null },
  checkpoint: () => void = () => {},
): Promise<void> {
  const told = async (after: number): Promise<Page> => {
    const rows = await db.query(statements.storedResources(patientId, { after, most: PAGE, batchId }));
    return { seqs: rows.map(({ seq }) => seq), entries: await entriesOf(db, patientId, rows) };
  };
  const write = ({ seqs, entries }: Page): Promise<void> =>
    db.tx(async (tx) => {
      if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw patientGone();
      const replaced = await tx.query(deleteEntries(patientId, seqs));
      if (entries.length > 0) await tx.query(insertEntries(patientId, entries));
      // What had no entries had no words either; rebuilding trusts nothing that is there.
      const indexed = batchId === null ? seqs : [...new Set(replaced.map(({ seq }) => seq))];
      await index(tx, patientId, { seqs: indexed, entries });
    });
  for (let page = await told(0); page.seqs.length > 0;) {
    checkpoint();
    // The next page is read and told while the database writes this one.
    const next = told(page.seqs.at(-1) as number);
    [page] = await Promise.all([next, write(page)]);
  }
  await db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw patientGone();
    await finishProjection(tx, patientId);
  });
}

/** What is known only when all entries are there: which notes are told twice, and how much there is of each kind. */
export async function finishProjection(tx: Tx, patientId: PatientId): Promise<void> {
  await tx.query(markDuplicateNotes(patientId));
  await tx.query(forgetHoldings(patientId));
  await tx.query(countHoldings(patientId));
}

async function entriesOf(
  on: Queryable,
  patientId: PatientId,
  rows: readonly statements.StoredResource[],
): Promise<PlacedEntry[]> {
  const parsed = rows.map((row) => ({ row, resource: parseResource(row.body) }));
  const context = await contextOf(
    on,
    patientId,
    parsed.flatMap(({ resource }) => neededReferences(resource)),
  );
  return parsed.flatMap(({ row, resource }) =>
    project(resource, context).map((entry, ordinal) => ({
      seq: row.seq,
      ordinal,
      reference: `${row.resource_type}/${row.fhir_id}`,
      documentPath: row.document_path,
      entry,
    })),
  );
}

/** Two look-ups a page, whatever it holds: what is referenced, and the organizations that that names. */
async function contextOf(
  on: Queryable,
  patientId: PatientId,
  references: readonly string[],
): Promise<ProjectionContext> {
  const rows = await on.query(statements.labelsOf(patientId, parts(references)));
  const organizations = rows.flatMap((row) =>
    row.organization === null && row.organization_reference !== null ? [row.organization_reference] : [],
  );
  const named = await on.query(statements.labelsOf(patientId, parts(organizations)));
  const names = new Map(named.map((row) => [row.reference, row.label]));
  const known = new Map(
    rows.map((row) => {
      const itself = row.reference.startsWith('Organization/') ? row.label : null;
      const organization = row.organization ?? itself ?? names.get(row.organization_reference ?? '') ?? null;
      return [row.reference, { label: row.label, code: row.label_code, organization }];
    }),
  );
  return { resolve: (reference) => known.get(reference) ?? null };
}

function parts(references: readonly string[]): { type: string; id: string }[] {
  return [...new Set(references)].flatMap((reference) => {
    const [type, id, more] = reference.split('/');
    return type && id && more === undefined ? [{ type, id }] : [];
  });
}
