import type { BatchId, PatientId, SourceId } from '../../../contract/brands.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Emit } from './new-event.ts';
import { selectPermittedProjects } from '../access/permits-reading.sql.ts';

interface RecordsUpdate {
  patientId: PatientId;
  batchId: BatchId;
  /** Null for what the patient uploaded. */
  sourceId: SourceId | null;
  updatedAt: Date;
  now: Date;
}

/**
 * Emits `records.updated` to each project that the patient shares with now. The event carries no counts, which would reveal
 * what is withheld.
 */
export const createRecordsUpdatedEmitter =
  (emit: Emit) =>
  async (tx: Tx, { patientId, batchId, sourceId, updatedAt, now }: RecordsUpdate): Promise<void> => {
    const source = sourceId === null ? 'UPLOAD' : 'CONNECTED_SOURCE';
    for (const { organization_id, project_id } of await tx.query(selectPermittedProjects(patientId, now)))
      await emit(tx, {
        organizationId: organization_id,
        projectId: project_id,
        patientId,
        occurredAt: now,
        type: 'records.updated',
        data: { patientId, updatedAt: updatedAt.toISOString(), batchId, source },
      });
  };
