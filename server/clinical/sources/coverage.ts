import { one, type Db, type Queryable } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { countLost, type BatchRow } from '../ingest/batches/uploads.sql.ts';
import type { OutcomeCode } from './source-fault.ts';
import { updateCoverage, type SyncKey } from './syncs.sql.ts';

/** The coverage of the sync once its batch has been read. */
export interface PendingCoverage {
  /** Null when not all was fetched: then the next sync fetches everything again. */
  coveredUntil: string | null;
  /** Null when not all was stored: the same content again is not what the record holds. */
  contentHash: string | null;
  subjectHash: string | null;
  skipped: string[];
}

/** Returns the state of a sync that has stored what it covers. */
export const describeCoverage = ({
  coveredUntil,
}: PendingCoverage): { state: 'up_to_date'; code: OutcomeCode | null } => ({
  state: 'up_to_date',
  code: coveredUntil === null ? 'partial' : null,
});

/**
 * Returns what a batch has covered of what was fetched: where a part of it could not be read, everything is fetched again the next
 * time, since nobody knows what it was. Null where nothing was stored, now or by an earlier sync.
 */
export async function settleCoverage(
  db: Queryable,
  {
    key,
    batch,
    pending,
    isFirst,
  }: { key: SyncKey; batch: BatchRow; pending: PendingCoverage; isFirst: boolean },
): Promise<PendingCoverage | null> {
  const { lost } = await one(db, countLost(key.patientId, batch.batch_id));
  if (lost === 0) return pending;
  const { resources_created: created, resources_updated: updated, resources_unchanged: unchanged } = batch;
  if (isFirst && created + updated + unchanged === 0) return null;
  return { ...pending, coveredUntil: null, contentHash: null };
}

/** Saves that the record holds what the server had. */
export async function saveCoverage(
  { db, clock }: { db: Db; clock: Clock },
  key: SyncKey,
  { coveredUntil, contentHash, subjectHash, skipped }: PendingCoverage,
): Promise<void> {
  await db.query(
    updateCoverage(key, {
      coveredUntil: coveredUntil === null ? null : new Date(coveredUntil),
      synchronizedAt: clock.now(),
      contentHash: contentHash === null ? null : Buffer.from(contentHash, 'hex'),
      subjectHash: subjectHash === null ? null : Buffer.from(subjectHash, 'hex'),
      skipped,
    }),
  );
}
