import type { BatchId, DataMask, PatientId } from '../../../../contract/brands.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { combineMasks, NO_LABELS } from '../../../consent/access/sensitivity-labels.ts';
import { createTextLoader, type ExtractText } from './attachment-texts.ts';
import { insertHoldings, deleteEntries, deleteHoldings, insertEntries } from '../../entries/entries.sql.ts';
import { LOOKED_UP_TYPES } from '../../store/looked-up-types.ts';
import {
  buildLabeledEntries,
  RESTRICTED_MASK,
  type LabeledEntries,
  type GetInheritedLabels,
  type LabelingInput,
} from './build-labeled-entries.ts';
import * as statements from '../../store/resources.sql.ts';
import { indexEntries } from '../../search/index-entries.ts';
import { linkEntries } from '../../linkage/link-entries.ts';
import { findUnderlabeledDocuments, findRestrictedDocuments } from '../../linkage/duplicate-notes.sql.ts';
import { createPatientGoneRefusal } from './write-page.ts';

export interface RebuildDeps {
  db: Db;
  /** Extracts the text of attached documents, in a sandboxed process. */
  extractText: ExtractText;
}

interface Scope {
  patientId: PatientId;
  batchId: BatchId | null;
}

const PAGE = 200;

interface Page extends LabeledEntries {
  /** Ascending. */
  seqs: number[];
}

/**
 * Entries inherit restricted classes, so resources come after those that they show or belong to: a visit shows locations and
 * people, everything else belongs to a visit. Reports come after the documents that hold the same notes.
 */
const ROUNDS: readonly statements.ResourcePageQuery['types'][] = [
  { only: [...LOOKED_UP_TYPES].filter((type) => type !== 'Encounter') },
  { only: ['Encounter'] },
  { not: [...LOOKED_UP_TYPES, 'DiagnosticReport'] },
  { only: ['DiagnosticReport'] },
];

/**
 * Rebuilds the entries of stored resources, a page in a transaction: of one batch's, or of the whole record. A reader sees each
 * resource's entries before or after, never none.
 */
export async function rebuildEntries(
  { db, extractText }: RebuildDeps,
  { patientId, batchId }: Scope,
  checkpoint: () => void = () => {},
): Promise<void> {
  const loadTexts = createTextLoader(extractText);
  for (const types of ROUNDS) {
    const getInheritedLabels = await loadDocumentLabels(db, patientId);
    const readPage = async (after: number): Promise<Page> =>
      buildPage(db, patientId, {
        rows: await db.query(statements.findResources(patientId, { after, limit: PAGE, batchId, types })),
        getInheritedLabels,
        loadTexts,
      });
    for (let page = await readPage(0); page.seqs.length > 0;) {
      checkpoint();
      // The entries of the next page are built while the database writes this one.
      const next = readPage(page.seqs.at(-1) as number);
      [page] = await Promise.all([next, replaceEntries(db, { patientId, batchId }, page)]);
    }
  }
  await restrictDocuments({ db, loadTexts }, patientId);
  await db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw createPatientGoneRefusal();
    await finishRebuild(tx, patientId);
  });
}

async function buildPage(db: Db, patientId: PatientId, input: LabelingInput): Promise<Page> {
  return { seqs: input.rows.map(({ seq }) => seq), ...(await buildLabeledEntries(db, patientId, input)) };
}

const replaceEntries = (
  db: Db,
  { patientId, batchId }: Scope,
  { seqs, entries, requiredLabels }: Page,
): Promise<void> =>
  db.tx(async (tx) => {
    if ((await tx.query(statements.lockRecord(patientId))).length === 0) throw createPatientGoneRefusal();
    await tx.query(statements.upsertRequiredLabels(patientId, requiredLabels));
    const replaced = await tx.query(deleteEntries(patientId, seqs));
    if (entries.length > 0) await tx.query(insertEntries(patientId, entries));
    // A resource without entries had no passages either; a rebuild of the whole record does not rely on that.
    const indexed = batchId === null ? seqs : [...new Set(replaced.map(({ seq }) => seq))];
    await indexEntries(tx, patientId, { seqs: indexed, entries });
  });

/** Loads the labels that reports inherit from the documents that hold the same note: the label may stand on one of them only. */
async function loadDocumentLabels(db: Db, patientId: PatientId): Promise<GetInheritedLabels> {
  const classes = new Map<string, DataMask>();
  const getClasses = (name: string): DataMask => classes.get(name) ?? NO_LABELS;
  for (const { group_key, names, required_labels: requiredLabels } of await db.query(
    findRestrictedDocuments(patientId, RESTRICTED_MASK),
  ))
    for (const name of [group_key, names])
      if (name !== null) classes.set(name, combineMasks(getClasses(name), requiredLabels));
  return ({ reference, entries }) =>
    reference.startsWith('DiagnosticReport/')
      ? [reference, ...entries.map(({ groupKey }) => groupKey)]
          .map(getClasses)
          .reduce(combineMasks, NO_LABELS)
      : NO_LABELS;
}

/** Rebuilds the documents that lack a label of the report that holds the same note. */
async function restrictDocuments(
  { db, loadTexts }: Pick<RebuildDeps, 'db'> & Pick<LabelingInput, 'loadTexts'>,
  patientId: PatientId,
): Promise<void> {
  const lacking = await db.query(findUnderlabeledDocuments(patientId, RESTRICTED_MASK));
  const requiredLabels = new Map(lacking.map((row) => [row.seq, row.required_labels]));
  for (let left = [...requiredLabels.keys()].sort((a, b) => a - b); left.length > 0;) {
    const rows = await db.query(statements.findResourcesBySeq(patientId, left.slice(0, PAGE)));
    const last = rows.at(-1)?.seq ?? Number.POSITIVE_INFINITY;
    left = left.filter((seq) => seq > last);
    const page = await buildPage(db, patientId, {
      rows,
      getInheritedLabels: ({ seq }) => requiredLabels.get(seq) ?? NO_LABELS,
      loadTexts,
    });
    await replaceEntries(db, { patientId, batchId: null }, page);
  }
}

/** Computes what depends on all entries of the record: links between sources, and the numbers of each kind. */
export async function finishRebuild(tx: Tx, patientId: PatientId): Promise<void> {
  await linkEntries(tx, patientId);
  await tx.query(deleteHoldings(patientId));
  await tx.query(insertHoldings(patientId));
}
