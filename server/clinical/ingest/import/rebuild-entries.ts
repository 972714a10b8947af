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
  /** Reads documents that lie in resources, where they can do no harm. */
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
 * What others show or belong to comes before them, since its restricted classes are theirs too: a visit shows places and
 * people, everything else shows the visit. Reports come after the documents that hold the same notes.
 */
const ROUNDS: readonly statements.ResourcePageQuery['types'][] = [
  { only: [...LOOKED_UP_TYPES].filter((type) => type !== 'Encounter') },
  { only: ['Encounter'] },
  { not: [...LOOKED_UP_TYPES, 'DiagnosticReport'] },
  { only: ['DiagnosticReport'] },
];

/**
 * Writes the projection of stored resources anew, a page in a transaction: of one batch's, or of the whole record.
 * A reader sees each resource's entries before or after, never none.
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
      // The next page is read and told while the database writes this one.
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
    // What had no entries had no words either; rebuilding trusts nothing that is there.
    const indexed = batchId === null ? seqs : [...new Set(replaced.map(({ seq }) => seq))];
    await indexEntries(tx, patientId, { seqs: indexed, entries });
  });

/** A report is as restricted as the document that holds the same note: the label may stand on one of them only. */
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

/** And the other way round: documents whose report says more of how restricted it is. */
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

/** What is known only when all entries are there: what is told twice, and how much there is of each kind. */
export async function finishRebuild(tx: Tx, patientId: PatientId): Promise<void> {
  await linkEntries(tx, patientId);
  await tx.query(deleteHoldings(patientId));
  await tx.query(insertHoldings(patientId));
}
