import type { PatientId } from '../../../../contract/brands.ts';
import { Reschedule } from '../../../platform/jobs/job-kind.ts';
import type { Db, Tx } from '../../../platform/db/db.ts';
import type { Annotate } from '../../concepts/annotate.ts';
import { deleteEntries, insertEntries } from '../../entries/entries.sql.ts';
import { deleteContents, insertContents } from '../../labels/contents.sql.ts';
import { addPassages, indexPassages, indexWaitingWords } from '../../search/index-entries.ts';
import { buildPassageRows } from '../../search/passages.ts';
import { findOtherPeriods, updatePeriods } from '../../store/clinical-periods.sql.ts';
import { upsertRequiredLabels } from '../../store/required-labels.sql.ts';
import type { RecordHeadRow } from '../../store/resources.sql.ts';
import { splitPage, type Page } from './split-page.ts';
import { lockHead } from './write-page.ts';

/** The record whose entries are replaced. */
export interface ReplacedRecord {
  db: Db;
  patientId: PatientId;
  annotate: Annotate;
  /** When something was last taken out of it, as the rebuild began. */
  removedAt: Date | null;
  /** The number of the run that labels it. */
  labelingRun: number;
}

/** Something was taken out of the record: what was read of it before may be what is gone. */
export class RecordShrunk extends Error {
  override name = 'RecordShrunk';
}

/** Another run labels the record since, and this one has no say any more: a job looks again when that may have ended. */
export class LabelingOvertaken extends Reschedule {
  constructor() {
    super(5000);
    this.name = 'LabelingOvertaken';
  }
}

/** Calls `onSent` when the statements that replace the first of them are on their way. */
export async function replaceEntries(
  rebuild: ReplacedRecord,
  page: Page,
  onSent = (): void => {},
): Promise<void> {
  for (const part of splitPage(page)) await replacePart(rebuild, part, onSent);
}

async function replacePart(
  rebuild: ReplacedRecord,
  { seqs, entries, requiredLabels, contents, periods }: Page,
  onSent: () => void,
): Promise<void> {
  const { db, annotate, patientId, labelingRun } = rebuild;
  const passages = buildPassageRows(entries, annotate);
  const left = await db.tx(async (tx) => {
    // Sent at once: whoever builds entries meanwhile has no time to answer.
    const written = [
      requireRecord(tx, rebuild),
      periods.length > 0 && storePeriods(tx, patientId, periods),
      tx.query(upsertRequiredLabels(patientId, requiredLabels)),
      tx.query(deleteContents(patientId, seqs)),
      contents.length > 0 && tx.query(insertContents(patientId, contents)),
      tx.query(deleteEntries(patientId, seqs)),
      entries.length > 0 && tx.query(insertEntries(patientId, labelingRun, entries)),
    ];
    const indexed = indexPassages(tx, patientId, { seqs, passages });
    onSent();
    const [left] = await Promise.all([indexed, ...written]);
    return left;
  });
  if (left.length === 0) await indexWaitingWords(db, passages);
  for (const part of left) {
    await db.tx(async (tx) => {
      await requireRecord(tx, rebuild);
      await addPassages(tx, patientId, part);
    });
    await indexWaitingWords(db, part);
  }
}

async function storePeriods(tx: Tx, patientId: PatientId, periods: Page['periods']): Promise<void> {
  const others = new Set((await tx.query(findOtherPeriods(patientId, periods))).map(({ seq }) => seq));
  const changed = periods.filter(({ seq }) => others.has(seq));
  if (changed.length > 0) await tx.query(updatePeriods(patientId, changed));
}

/**
 * Locks the record until the transaction ends; throws when it was deleted meanwhile, something was taken out of it, or another
 * run began to label it.
 */
export async function requireRecord(
  tx: Tx,
  { patientId, removedAt, labelingRun }: Pick<ReplacedRecord, 'patientId' | 'removedAt' | 'labelingRun'>,
): Promise<RecordHeadRow> {
  const head = await lockHead(tx, patientId);
  if (head.labeling_run !== labelingRun) throw new LabelingOvertaken();
  if (head.removed_at?.getTime() !== removedAt?.getTime()) throw new RecordShrunk();
  return head;
}
