import type { BatchId, DataMask, PatientId, SourceId } from '../../../contract/brands.ts';
import { NO_LABELS } from './sensitivity-labels.ts';
import type { Tx } from '../../platform/db/db.ts';

/** A change of resources, by what a consent had to cover to show them before it, and must cover now. */
export interface RecordChange {
  /** Null: there was nothing. */
  before: DataMask | null;
  /** Null: it is gone. */
  after: DataMask | null;
  /** What a part of them required, and requires; null: their content is another one. */
  part: { before: DataMask; after: DataMask } | null;
}

/** Of resources of which no part requires anything else than before, and whose content is the same. */
export const SAME_PARTS = { before: NO_LABELS, after: NO_LABELS } as const;

/** What has changed a record: a batch, new labels of what is there, or what is known of the person. */
export type UpdateCause =
  | { batchId: BatchId; sourceId: SourceId | null }
  | { source: 'CLASSIFICATION' | 'ACCOUNT' };

export interface RecordsUpdate {
  patientId: PatientId;
  cause: UpdateCause;
  /** The record's time: a later change has a later one. */
  updatedAt: Date;
  /** What the cause itself has changed, each once. */
  changes: readonly RecordChange[];
  /** What has other labels since, in consequence of it or of something before. */
  relabeled?: readonly RecordChange[];
  now: Date;
}

/** Notifies those who may read something of what has changed, or could before, in the transaction of the change. */
export type EmitUpdate = (tx: Tx, update: RecordsUpdate) => Promise<void>;

/** What a change is to a reader: `removed` where something that could be read is not shown any more. */
export type SeenChange = 'removed' | 'changed';

const isCoveredBy = (withheld: DataMask, labels: DataMask): boolean => (labels & withheld) === 0;

/**
 * Says what changes are to whoever reads under consents, or parts of one, that leave these out; null: all of them are withheld
 * before and after. They do not add up: a part of a resource is shown under one that covers both.
 */
export function findSeenChange(
  changes: readonly RecordChange[],
  withheld: readonly DataMask[],
): SeenChange | null {
  const covering = (labels: DataMask | null): DataMask[] =>
    labels === null ? [] : withheld.filter((mask) => isCoveredBy(mask, labels));
  let seen: SeenChange | null = null;
  for (const { before, after, part } of changes) {
    const [could, can] = [covering(before), covering(after)];
    if (can.length === 0 && could.length > 0) return 'removed';
    if (can.length === 0) continue;
    const shows = (masks: DataMask[], labels: DataMask): boolean =>
      masks.some((mask) => isCoveredBy(mask, labels));
    if (could.length === 0 || part === null || shows(could, part.before) !== shows(can, part.after))
      seen = 'changed';
  }
  return seen;
}
