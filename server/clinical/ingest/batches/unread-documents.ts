import type { z } from 'zod';
import type { listMyUnreadDocuments } from '../../../../contract/account/my-record.ts';
import type { DataMask, PatientId } from '../../../../contract/brands.ts';
import { ResourceScope } from '../../../../contract/data-categories.ts';
import type { EmitUpdate } from '../../../consent/access/record-change.ts';
import type { Audit } from '../../../platform/audit/append.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { notFound } from '../../../platform/kernel/refusal.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import { deleteEntries } from '../../entries/entries.sql.ts';
import { intersectMasks, NO_LABELS, toLabelMask } from '../../../consent/access/sensitivity-labels.ts';
import {
  deleteStatement,
  findHolders,
  findStoredLabels,
  insertStatement,
  selectUnread,
} from '../../labels/contents.sql.ts';
import { deletePassageUses } from '../../search/passages.sql.ts';
import { touchRecord } from '../../store/required-labels.sql.ts';
import { computeLastUpdated } from '../import/write-page.ts';
import { deleteKeptAnswers } from '../../store/kept-answers.sql.ts';
import { deleteRequiredLabels, lockRecord } from '../../store/resources.sql.ts';
import type { BatchDeps } from './enqueue-batch.ts';
import { RELABEL_JOB, type RelabelJob } from './relabel-job.ts';
import { writeToLogs } from './write-to-logs.ts';

const MAX_LISTED = 100;

const CATEGORIES = toLabelMask(ResourceScope.options);

/** Lists the documents of a record that could not be read. */
export async function listUnreadDocuments(
  db: Db,
  patientId: PatientId,
): Promise<z.input<(typeof listMyUnreadDocuments)['response']>> {
  const rows = await db.query(selectUnread(patientId, MAX_LISTED));
  const results = rows.map(({ stated_at: statedAt, total: _total, ...row }) => ({
    ...row,
    statedAt: statedAt?.toISOString() ?? null,
  }));
  return { total: rows[0]?.total ?? 0, results };
}

export interface StatementDeps {
  db: Db;
  clock: Clock;
  audit: Audit;
  jobs: BatchDeps['jobs'];
  /** Called where documents are hidden at once. */
  emitUpdate: EmitUpdate;
}

export interface Statement {
  patientId: PatientId;
  digest: string;
  nothingPrivate: boolean;
}

/**
 * Keeps the patient's statement that an unread document holds nothing very private, or takes it back, in one transaction with
 * the audit entries and the job that labels the record anew. What it was taken back of is shared with nobody until then, who
 * does not get everything. Throws `not_found`.
 */
export async function stateUnreadDocument(deps: StatementDeps, statement: Statement): Promise<void> {
  const { patientId, digest, nothingPrivate } = statement;
  await deps.db.tx(async (tx) => {
    const [head] = await tx.query(lockRecord(patientId));
    if (head === undefined) throw notFound('The document');
    const seqs = (await tx.query(findHolders(patientId, digest))).map(({ seq }) => seq);
    if (seqs.length === 0) throw notFound('The document');
    const changed = await tx.query(
      nothingPrivate
        ? insertStatement(patientId, digest, deps.clock.now())
        : deleteStatement(patientId, digest),
    );
    if (changed.length === 0) return;
    const labels = await tx.query(findStoredLabels(patientId, seqs));
    await writeToLogs(tx, deps.audit, {
      patientId,
      action: nothingPrivate ? 'document.stated_harmless' : 'document.statement_withdrawn',
      detail: { digest },
      // Without the classes that it is read with or without by this statement.
      requiredLabels: labels.map((row) => intersectMasks(row.required_labels, CATEGORIES)),
      now: deps.clock.now(),
    });
    await deps.jobs.enqueue<RelabelJob>(tx, {
      kind: RELABEL_JOB,
      uniqueKey: patientId,
      payload: { patientId },
    });
    if (nothingPrivate) return;
    const now = deps.clock.now();
    const updatedAt = computeLastUpdated(head, now);
    await tx.query(touchRecord(patientId, { now: updatedAt, seqs, changes: [] }));
    await hideResources(tx, patientId, seqs);
    const changes = labels.map((row) => ({ before: row.published_labels, after: UNLABELED, part: NO_PART }));
    const cause = { source: 'CLASSIFICATION' } as const;
    await deps.emitUpdate(tx, { patientId, cause, updatedAt, changes, now });
  });
}

const UNLABELED = -1 as DataMask;
const NO_PART = { before: NO_LABELS, after: NO_LABELS };

async function hideResources(tx: Tx, patientId: PatientId, seqs: readonly number[]): Promise<void> {
  await tx.query(deleteRequiredLabels(patientId, seqs));
  await tx.query(deleteEntries(patientId, seqs));
  await tx.query(deletePassageUses(patientId, seqs));
  await tx.query(deleteKeptAnswers(patientId));
}
