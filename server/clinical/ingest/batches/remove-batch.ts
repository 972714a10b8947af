import type { BatchId, PatientId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, type Db, type Tx } from '../../../platform/db/db.ts';
import { deleteContexts } from '../../entries/entry-context.sql.ts';
import { deleteEntries, deleteHoldings, insertHoldings } from '../../entries/entries.sql.ts';
import { deleteContents } from '../../labels/contents.sql.ts';
import { deletePassageUses } from '../../search/passages.sql.ts';
import * as brought from '../../store/batch-resources.sql.ts';
import { deleteKeptAnswers } from '../../store/kept-answers.sql.ts';
import { deleteOpenReferences, insertOpenReferences } from '../../store/open-references.sql.ts';
import { planRemoval, type RemovalPlan } from '../../store/plan-removal.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { collectReferences } from '../../store/references.ts';
import * as store from '../../store/resources.sql.ts';
import { collectReferenceNames } from '../import/read-facts.ts';
import { computeLastUpdated } from '../import/write-page.ts';
import { removeDocuments } from '../originals/remove-documents.ts';
import { deletePersons } from './batch-persons.sql.ts';
import type { CompleteBatchDeps } from './complete-batch.ts';
import type { BatchDeps } from './enqueue-batch.ts';
import { RELABEL_JOB, type RelabelJob } from './relabel-job.ts';
import * as statements from './uploads.sql.ts';
import { writeToLogs } from './write-to-logs.ts';

export interface RemoveDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: BatchDeps['jobs'];
  emitUpdate: CompleteBatchDeps['emitUpdate'];
}

interface Removal {
  patientId: PatientId;
  batchId: BatchId;
}

/** Resources in one statement: some of them compare each with all. */
const PAGE = 500;

/**
 * Takes a batch out of the record, in one transaction: what it alone brought goes; what other batches brought too stays, with
 * the content that the last of them brought. Entries that showed something of it go with it, until a job that is enqueued
 * with it has built them anew. Throws `not_found`, and 409 while the batch is not read to its end.
 */
export async function removeBatch(deps: RemoveDeps, { patientId, batchId }: Removal): Promise<void> {
  await deps.db.tx(async (tx) => {
    const [head] = await tx.query(store.lockRecord(patientId));
    const batch = head && (await maybeOne(tx, statements.selectBatch(patientId, batchId)));
    if (!batch) throw notFound('The upload');
    if (batch.status === 'queued' || batch.status === 'processing') throw createUnfinishedRefusal();
    const rows = await tx.query(brought.findBroughtResources(patientId, batchId));
    const plan = planRemoval(rows.map(brought.toBroughtResource));
    const now = computeLastUpdated(head, deps.clock.now());
    await removeResources(tx, { patientId, batchId, now }, plan);
    await removeDocuments(tx, { patientId, batchId, now: deps.clock.now() });
    await tx.query(statements.deleteRejections(patientId, batchId));
    await tx.query(deletePersons(patientId, batchId));
    await tx.query(statements.deleteBatch(patientId, batchId));
    await writeToLogs(tx, deps.audit, {
      patientId,
      action: 'upload.removed',
      detail: { batchId },
      requiredLabels: [...new Set(rows.map((row) => row.required_labels))],
      now: deps.clock.now(),
    });
    const changed = [...plan.gone, ...plan.left.flatMap(({ row, hash }) => (hash === null ? [] : row))];
    if (changed.length === 0) return;
    await deps.jobs.enqueue<RelabelJob>(tx, {
      kind: RELABEL_JOB,
      uniqueKey: batchId,
      payload: { patientId },
    });
    await deps.emitUpdate(tx, {
      patientId,
      batchId,
      sourceId: batch.source_id,
      updatedAt: now,
      requiredLabels: [...new Set(changed.map((row) => row.requiredLabels))],
      removed: true,
      now: deps.clock.now(),
    });
  });
}

const createUnfinishedRefusal = (): Refusal =>
  new Refusal(409, 'upload_unfinished', {
    detail: 'The upload is being read, or waits for it; it can be removed when that has ended.',
    headers: { 'retry-after': '5' },
  });

async function removeResources(
  tx: Tx,
  { patientId, batchId, now }: Removal & { now: Date },
  { gone, left }: RemovalPlan,
): Promise<void> {
  const restored = left.flatMap(({ row, hash }) => (hash === null ? [] : { ...row, hash }));
  const changed = [...gone, ...restored].sort((a, b) => a.seq - b.seq);
  const seqs = changed.map(({ seq }) => seq);
  const references = changed.map(({ reference }) => reference);
  const referring =
    seqs.length === 0 ? [] : await tx.query(brought.findReferring(patientId, references, seqs));
  for (const page of paginate(seqs)) await deleteDerived(tx, patientId, page);
  for (const page of paginate(referring.map(({ seq }) => seq))) await hideEntries(tx, patientId, page);
  if (seqs.length > 0) await tx.query(deleteContexts(patientId, { seqs, references }));
  for (const page of paginate(gone.map(({ seq }) => seq))) {
    await tx.query(brought.deleteBringers(patientId, page));
    await tx.query(brought.deleteResources(patientId, page));
  }
  await tx.query(brought.deleteBatchResources(patientId, batchId));
  await tx.query(
    brought.updateBringers(
      patientId,
      left.map(({ row: { seq }, first, last }) => ({ seq, first, last })),
    ),
  );
  await tx.query(brought.forgetLastBatch(patientId, batchId));
  for (const page of paginate(restored)) await restore(tx, { patientId, now }, page);
  await tx.query(brought.deleteUnneededContents(patientId));
  if (seqs.length === 0) return;
  await tx.query(brought.shrinkRecord(patientId, { removed: gone.length, now }));
  await tx.query(deleteHoldings(patientId));
  await tx.query(insertHoldings(patientId));
  await tx.query(deleteKeptAnswers(patientId));
}

/** Deletes what was made of resources, and their earlier states. */
async function deleteDerived(tx: Tx, patientId: PatientId, seqs: readonly number[]): Promise<void> {
  await hideEntries(tx, patientId, seqs);
  await tx.query(deleteContents(patientId, seqs));
  await tx.query(store.deleteRequiredLabels(patientId, seqs));
  await tx.query(store.deleteIdentifiers(patientId, seqs));
  await tx.query(deleteOpenReferences(patientId, seqs));
  await tx.query(brought.deleteEarlierVersions(patientId, seqs));
}

async function hideEntries(tx: Tx, patientId: PatientId, seqs: readonly number[]): Promise<void> {
  await tx.query(deleteEntries(patientId, seqs));
  await tx.query(deletePassageUses(patientId, seqs));
}

/** Restores contents, whose references are looked at again by the next import: their targets may be gone, or come again. */
async function restore(
  tx: Tx,
  { patientId, now }: { patientId: PatientId; now: Date },
  rows: readonly { seq: number; hash: string }[],
): Promise<void> {
  await tx.query(brought.restoreResources(patientId, rows, now));
  const restored = await tx.query(
    brought.findBodies(
      patientId,
      rows.map(({ seq }) => seq),
    ),
  );
  const open = restored.flatMap(({ seq, body }) =>
    [...collectReferences(body)].map((target) => ({ target, seq })),
  );
  if (open.length > 0) await tx.query(insertOpenReferences(patientId, open));
  const names = restored.flatMap(({ seq, body }) =>
    collectReferenceNames({ resource: parseResource(body), fullUrl: null }).map((name) => ({ name, seq })),
  );
  if (names.length > 0) await tx.query(store.insertIdentifiers(patientId, names));
}

function* paginate<T>(rows: readonly T[]): Generator<readonly T[]> {
  for (let from = 0; from < rows.length; from += PAGE) yield rows.slice(from, from + PAGE);
}
