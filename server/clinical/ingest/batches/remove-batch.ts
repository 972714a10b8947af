import type { PatientId } from '../../../../contract/brands.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import { cancelJob } from '../../../platform/jobs/jobs.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { paginate } from '../../../platform/kernel/paginate.ts';
import { notFound, Refusal } from '../../../platform/kernel/refusal.ts';
import { maybeOne, one, type Db, type Tx } from '../../../platform/db/db.ts';
import { deleteContexts } from '../../entries/entry-context.sql.ts';
import { deleteEntries, deleteHoldings, insertHoldings } from '../../entries/entries.sql.ts';
import { deleteContents } from '../../labels/contents.sql.ts';
import { deletePassageUses } from '../../search/passages.sql.ts';
import * as brought from '../../store/batch-resources.sql.ts';
import { deleteKeptAnswers } from '../../store/kept-answers.sql.ts';
import { deleteOpenReferences, insertOpenReferences } from '../../store/open-references.sql.ts';
import { parseResource } from '../../store/parse-resource.ts';
import { collectReferences } from '../../store/references.ts';
import { notePersonChanges } from '../../store/person-changes.sql.ts';
import * as store from '../../store/resources.sql.ts';
import { hashLargeContents, rememberTakenOut, type LargeContents } from '../../store/taken-out.ts';
import { collectReferenceNames } from '../import/read-facts.ts';
import { computeLastUpdated } from '../import/write-page.ts';
import {
  deleteArchive,
  leaveDocuments,
  removeBytes,
  removeDocuments,
} from '../originals/remove-documents.ts';
import { deletePersons } from './batch-persons.sql.ts';
import type { CompleteBatchDeps } from './complete-batch.ts';
import type { BatchDeps } from './enqueue-batch.ts';
import { findRemovalScope } from './find-removal-scope.ts';
import { planBatchRemoval } from './plan-batch-removal.ts';
import { RELABEL_JOB, type RelabelJob } from './relabel-job.ts';
import { REMOVAL_JOB, type Removal } from './removal-job.ts';
import * as statements from './uploads.sql.ts';
import { writeToLogs } from './write-to-logs.ts';

export interface RemoveDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: BatchDeps['jobs'];
  emitUpdate: CompleteBatchDeps['emitUpdate'];
}

/**
 * Resources of one transaction: the embedded engine does nothing else meanwhile, and took seconds for those of a large upload.
 */
const PAGE = 200;

/** Until then whoever began has ended, or is gone. */
const LEFT_AFTER_MS = 60_000;

/**
 * Takes a batch out of the record: what it alone brought goes; what other batches brought too stays, with the content that the
 * last of them brought. Entries that showed something of it go first, until a job that is enqueued at the end has built them
 * anew. A part at a time; once it has begun, a job ends it, should this process not. Throws `not_found`, and 409 while the batch
 * is not read to its end.
 */
export async function removeBatch(deps: RemoveDeps, removal: Removal): Promise<void> {
  const { db, jobs, clock } = deps;
  const { patientId, batchId } = removal;
  const { source_id: sourceId } = requireFinished(
    await maybeOne(db, statements.selectBatch(patientId, batchId)),
  );
  const { showing, ...kept } = await findRemovalScope(db, { ...removal, now: clock.now() });
  await changeRecord(deps, removal, async (tx, { batch }) => {
    if (!batch.is_leaving) await requireNoFetch(tx, removal, batch);
    await tx.query(statements.beginRemoval(patientId, batchId, kept));
    if (kept.changedLabels.length > 0) await tx.query(brought.beginHiding(patientId, clock.now()));
    const runAt = new Date(clock.now().getTime() + LEFT_AFTER_MS);
    await jobs.enqueue<Removal>(tx, { kind: REMOVAL_JOB, uniqueKey: batchId, payload: removal, runAt });
  });
  try {
    await removeParts(deps, removal, { showing, isFetched: sourceId !== null });
  } catch (error) {
    // Two were taking it out.
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
  }
}

async function removeParts(
  deps: RemoveDeps,
  removal: Removal,
  { showing, isFetched }: { showing: readonly number[]; isFetched: boolean },
): Promise<void> {
  const { patientId } = removal;
  for (const page of paginate(showing, PAGE))
    await changeRecord(deps, removal, async (tx) => {
      await hideEntries(tx, patientId, page);
      await tx.query(deleteContexts(patientId, page));
    });
  for (let after: number | null = 0; after !== null;)
    after = await removePage(deps, removal, { after, isFetched });
  while (await changeRecord(deps, removal, (tx) => forgetResolved(tx, removal)));
  await removeOriginals(deps, removal);
  await changeRecord(deps, removal, (tx, head) => endRemoval(tx, deps, { ...removal, ...head }));
}

type Batch = statements.BatchRow;

function requireFinished(batch: Batch | null): Batch {
  if (!batch) throw notFound('The upload');
  if (batch.status === 'queued' || batch.status === 'processing') throw createUnfinishedRefusal();
  return batch;
}

/** What its server has sent since would bring it again: that waits its turn, and then names what was taken out. */
async function requireNoFetch(tx: Tx, { patientId }: Removal, { source_id: sourceId }: Batch): Promise<void> {
  if (sourceId === null) return;
  const { unfinished } = await one(tx, statements.hasUnfinishedOfSource(patientId, sourceId));
  if (unfinished) throw createUnfinishedRefusal();
}

interface Head {
  batch: Batch;
  /** The time of a change that is made now. */
  now: Date;
}

/** Runs a part of a removal in a transaction, with the record locked; throws where the batch is gone, or read again, meanwhile. */
const changeRecord = <T>(
  { db, clock }: RemoveDeps,
  { patientId, batchId }: Removal,
  work: (tx: Tx, head: Head) => Promise<T>,
): Promise<T> =>
  db.tx(async (tx) => {
    const [head] = await tx.query(store.lockRecord(patientId));
    const batch = requireFinished(
      head ? await maybeOne(tx, statements.selectBatch(patientId, batchId)) : null,
    );
    return work(tx, { batch, now: computeLastUpdated(head ?? { last_synchronized_at: null }, clock.now()) });
  });

const createUnfinishedRefusal = (): Refusal =>
  new Refusal(409, 'upload_unfinished', {
    detail: 'The upload is being read, or waits for it; it can be removed when that has ended.',
    headers: { 'retry-after': '5' },
  });

/** Takes the next resources out, and returns the last of them; null: there was none. */
async function removePage(
  deps: RemoveDeps,
  removal: Removal,
  { after, isFetched }: { after: number; isFetched: boolean },
): Promise<number | null> {
  const large = isFetched ? await hashLargeOfPage(deps.db, removal, after) : null;
  return changeRecord(deps, removal, (tx, { now }) => takeOut(tx, { removal, after, now, large }));
}

async function hashLargeOfPage(
  db: Db,
  { patientId, batchId }: Removal,
  after: number,
): Promise<LargeContents> {
  const page = await db.query(brought.findBroughtResources(patientId, batchId, { after, limit: PAGE }));
  return hashLargeContents(
    db,
    patientId,
    page.map(({ seq }) => seq),
  );
}

interface PageRemoval {
  removal: Removal;
  after: number;
  now: Date;
  /** Null: the patient uploaded it, and nothing is remembered. */
  large: LargeContents | null;
}

async function takeOut(tx: Tx, { removal, after, now, large }: PageRemoval): Promise<number | null> {
  const { patientId, batchId } = removal;
  const found = await tx.query(brought.findBroughtResources(patientId, batchId, { after, limit: PAGE }));
  const last = found.at(-1);
  if (last === undefined) return null;
  const seqs = found.map(({ seq }) => seq);
  if (large !== null) await rememberTakenOut(tx, removal, { seqs, large });
  const { gone, left } = await planBatchRemoval(tx, { patientId, now }, found.map(brought.toBroughtResource));
  const restored = left.flatMap(({ row, hash }) => (hash === null ? [] : { ...row, hash }));
  const goneSeqs = gone.map(({ seq }) => seq);
  const changedSeqs = [...goneSeqs, ...restored.map(({ seq }) => seq)].sort((a, b) => a - b);
  if (changedSeqs.length > 0) {
    await tx.query(notePersonChanges(patientId, changedSeqs, now));
    await deleteDerived(tx, patientId, changedSeqs);
  }
  await tx.query(brought.deleteBringers(patientId, goneSeqs));
  await tx.query(brought.deleteResources(patientId, goneSeqs));
  const leftSeqs = left.map(({ row }) => row.seq);
  await tx.query(brought.deleteBroughtAgain(patientId, batchId, leftSeqs));
  const bringers = left.map(({ row: { seq }, first, last: lastBatch }) => ({
    seq,
    first,
    last: lastBatch,
  }));
  await tx.query(brought.updateBringers(patientId, bringers));
  if (restored.length > 0) await restore(tx, { patientId, now }, restored);
  await tx.query(brought.deleteUnneededContents(patientId, [...goneSeqs, ...leftSeqs]));
  if (changedSeqs.length > 0) await tx.query(brought.shrinkRecord(patientId, { removed: gone.length, now }));
  return last.seq;
}

/** Deletes what was made of resources, and their earlier states. */
async function deleteDerived(tx: Tx, patientId: PatientId, seqs: readonly number[]): Promise<void> {
  await hideEntries(tx, patientId, seqs);
  await tx.query(deleteContexts(patientId, seqs));
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

/** Says whether there may be more. */
const forgetResolved = async (tx: Tx, { patientId, batchId }: Removal): Promise<boolean> =>
  (await tx.query(brought.forgetLastBatch(patientId, batchId, PAGE))).length === PAGE;

async function removeOriginals(deps: RemoveDeps, removal: Removal): Promise<void> {
  const { patientId, batchId } = removal;
  await changeRecord(deps, removal, (tx) => leaveDocuments(tx, { ...removal, now: deps.clock.now() }));
  for (let ids = [batchId as string]; ids.length > 0;) {
    // Its archive first, where it was not read. What is left of a crash in between goes with the bytes that nobody names.
    await removeBytes(deps.db, patientId, ids);
    ids = await changeRecord(deps, removal, (tx) =>
      removeDocuments(tx, { ...removal, now: deps.clock.now() }),
    );
  }
}

/** Deletes the batch itself, and says that it is gone. */
async function endRemoval(tx: Tx, deps: RemoveDeps, end: Removal & Head): Promise<void> {
  const { patientId, batchId, batch, now } = end;
  const { audit, clock, jobs } = deps;
  const removal = statements.toKeptRemoval(await one(tx, statements.findKeptRemoval(patientId, batchId)));
  await deleteArchive(tx, { patientId, batchId, now: clock.now() });
  await tx.query(brought.deleteBatchResources(patientId, batchId));
  await tx.query(statements.deleteRejections(patientId, batchId));
  await tx.query(deletePersons(patientId, batchId));
  await tx.query(statements.deleteBatch(patientId, batchId));
  await cancelJob(tx, { kind: REMOVAL_JOB, uniqueKey: batchId });
  await writeToLogs(tx, audit, {
    patientId,
    action: 'upload.removed',
    detail: { batchId },
    requiredLabels: removal.requiredLabels,
    now: clock.now(),
  });
  if (removal.changedLabels.length === 0) return;
  await tx.query(brought.shrinkRecord(patientId, { removed: 0, now }));
  await tx.query(deleteHoldings(patientId));
  await tx.query(insertHoldings(patientId));
  await tx.query(deleteKeptAnswers(patientId));
  await jobs.enqueue<RelabelJob>(tx, { kind: RELABEL_JOB, uniqueKey: batchId, payload: { patientId } });
  await deps.emitUpdate(tx, {
    patientId,
    cause: { batchId, sourceId: batch.source_id },
    updatedAt: now,
    // What comes back with earlier content is hidden until it is labeled, and announced then.
    changes: removal.changedLabels.map((before) => ({ before, after: null, part: null })),
    now: clock.now(),
  });
}
