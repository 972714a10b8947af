import type { BatchId, PatientId } from '../../contract/ids.ts';
import type { Db, Tx } from '../storage/db.ts';
import { attachmentTexts, type TextOf } from './attachment-texts.ts';
import {
  countHoldings,
  deleteEntries,
  forgetHoldings,
  insertEntries,
  type PlacedEntry,
} from './entries.sql.ts';
import { LOOKED_UP_TYPES } from './looked-up-types.ts';
import { placeEntries, RESTRICTED, type Placed, type SameNotes, type ToPlace } from './place-entries.ts';
import * as statements from './resources.sql.ts';
import { markSameFacts } from './same-facts.ts';
import { documentsLacking, restrictedDocuments } from './same-notes.sql.ts';
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
  /** Reads documents that lie in resources, where they can do no harm. */
  textOf: TextOf;
}

interface Scope {
  patientId: PatientId;
  batchId: BatchId | null;
}

const PAGE = 200;

interface Page extends Placed {
  /** Ascending. */
  seqs: number[];
}

/**
 * What others show or belong to comes before them, since its restricted classes are theirs too: a visit shows places and
 * people, everything else shows the visit. Reports come after the documents that hold the same notes.
 */
const ROUNDS: readonly statements.StoredPage['types'][] = [
  { only: [...LOOKED_UP_TYPES].filter((type) => type !== 'Encounter') },
  { only: ['Encounter'] },
  { not: [...LOOKED_UP_TYPES, 'DiagnosticReport'] },
  { only: ['DiagnosticReport'] },
];

/**
 * Writes the projection of stored resources anew, a page in a transaction: of one batch's, or of the whole record.
 * A reader sees each resource's entries before or after, never none.
 */
export async function projectStored(
  { db, index, textOf }: ProjectionDeps,
  { patientId, batchId }: Scope,
  checkpoint: () => void = () => {},
): Promise<void> {
  const textsIn = attachmentTexts(textOf);
  for (const types of ROUNDS) {
    const sameNotes = await sameAsDocuments(db, patientId);
    const told = async (after: number): Promise<Page> =>
      pageOf(db, patientId, {
        rows: await db.query(statements.storedResources(patientId, { after, most: PAGE, batchId, types })),
        sameNotes,
        textsIn,
      });
    for (let page = await told(0); page.seqs.length > 0;) {
      checkpoint();
      // The next page is read and told while the database writes this one.
      const next = told(page.seqs.at(-1) as number);
      [page] = await Promise.all([next, writePage({ db, index }, { patientId, batchId }, page)]);
    }
  }
  await restrictDocuments({ db, index, textsIn }, patientId);
  await db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw patientGone();
    await finishProjection(tx, patientId);
  });
}

async function pageOf(db: Db, patientId: PatientId, read: ToPlace): Promise<Page> {
  return { seqs: read.rows.map(({ seq }) => seq), ...(await placeEntries(db, patientId, read)) };
}

const writePage = (
  { db, index }: Pick<ProjectionDeps, 'db' | 'index'>,
  { patientId, batchId }: Scope,
  { seqs, entries, needs }: Page,
): Promise<void> =>
  db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw patientGone();
    await tx.query(statements.putNeeds(patientId, needs));
    const replaced = await tx.query(deleteEntries(patientId, seqs));
    if (entries.length > 0) await tx.query(insertEntries(patientId, entries));
    // What had no entries had no words either; rebuilding trusts nothing that is there.
    const indexed = batchId === null ? seqs : [...new Set(replaced.map(({ seq }) => seq))];
    await index(tx, patientId, { seqs: indexed, entries });
  });

/** A report is as restricted as the document that holds the same note: the label may stand on one of them only. */
async function sameAsDocuments(db: Db, patientId: PatientId): Promise<SameNotes> {
  const classes = new Map<string, number>();
  for (const { group_key, names, needs } of await db.query(restrictedDocuments(patientId, RESTRICTED)))
    for (const name of [group_key, names])
      if (name !== null) classes.set(name, (classes.get(name) ?? 0) | needs);
  return ({ reference, entries }) =>
    reference.startsWith('DiagnosticReport/')
      ? [reference, ...entries.map(({ groupKey }) => groupKey)].reduce(
          (needs, name) => needs | (classes.get(name) ?? 0),
          0,
        )
      : 0;
}

/** And the other way round: documents whose report says more of how restricted it is. */
async function restrictDocuments(
  deps: Pick<ProjectionDeps, 'db' | 'index'> & Pick<ToPlace, 'textsIn'>,
  patientId: PatientId,
): Promise<void> {
  const lacking = await deps.db.query(documentsLacking(patientId, RESTRICTED));
  const needs = new Map(lacking.map((row) => [row.seq, row.needs]));
  for (let left = [...needs.keys()].sort((a, b) => a - b); left.length > 0;) {
    const rows = await deps.db.query(statements.resourcesAt(patientId, left.slice(0, PAGE)));
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    const page = await pageOf(deps.db, patientId, {
      rows,
      sameNotes: ({ seq }) => needs.get(seq) ?? 0,
      textsIn: deps.textsIn,
    });
    await writePage(deps, { patientId, batchId: null }, page);
  }
}

/** What is known only when all entries are there: what is told twice, and how much there is of each kind. */
export async function finishProjection(tx: Tx, patientId: PatientId): Promise<void> {
  await markSameFacts(tx, patientId);
  await tx.query(forgetHoldings(patientId));
  await tx.query(countHoldings(patientId));
}
