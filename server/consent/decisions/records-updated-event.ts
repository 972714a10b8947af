import type { BatchId, DataMask, PatientId, SourceId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Emit } from './new-event.ts';
import { selectPermittedProjects } from '../access/permits-reading.sql.ts';

interface RecordsUpdate {
  patientId: PatientId;
  batchId: BatchId;
  /** Null for what the patient uploaded. */
  sourceId: SourceId | null;
  updatedAt: Date;
  /** What a consent must cover to show something of what changed: a set of labels for each, once. */
  requiredLabels: readonly DataMask[];
  /** The batch was taken out. */
  removed?: boolean;
  now: Date;
}

/**
 * Emits `records.updated` to each project that the patient shares some of what changed with now. The event carries no
 * counts, and there is none for a batch whose changes are all withheld: either would reveal that they exist.
 */
export const createRecordsUpdatedEmitter =
  (emit: Emit) =>
  async (
    tx: Tx,
    { patientId, batchId, sourceId, updatedAt, requiredLabels, removed = false, now }: RecordsUpdate,
  ): Promise<void> => {
    const source = sourceId === null ? 'UPLOAD' : 'CONNECTED_SOURCE';
    for (const { organization_id, project_id } of await tx.query(
      selectPermittedProjects(patientId, now, requiredLabels),
    ))
      await emit(tx, {
        organizationId: organization_id,
        projectId: project_id,
        patientId,
        occurredAt: now,
        type: 'records.updated',
        data: {
          patientId,
          updatedAt: updatedAt.toISOString(),
          batchId,
          source,
          ...(removed && { removed }),
        },
      });
  };
