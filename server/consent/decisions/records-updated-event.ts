import type { Emit } from './new-event.ts';
import { selectReadingProjects } from '../access/permits-reading.sql.ts';
import { findSeenChange, type EmitUpdate, type UpdateCause } from '../access/record-change.ts';

/**
 * Emits `records.updated` to each project that the patient shares some of what changed with now, or did before it changed:
 * `removed` where it is not shown any more, since whoever does not hear of it goes on to hold it. The event carries no counts, and there
 * is none for changes that are all withheld, before and after: either would reveal that they exist. A batch is named to those alone
 * who may read something that it changed, or could; to others what it has changed of the rest is classified otherwise.
 */
export const createRecordsUpdatedEmitter =
  (emit: Emit): EmitUpdate =>
  async (tx, { patientId, cause, updatedAt, changes, relabeled = [], now }) => {
    if (changes.length + relabeled.length === 0) return;
    for (const { organization_id, project_id, withheld } of await tx.query(
      selectReadingProjects(patientId, now),
    )) {
      const seen = findSeenChange([...changes, ...relabeled], withheld);
      if (seen === null) continue;
      const isOfCause = findSeenChange(changes, withheld) !== null;
      await emit(tx, {
        organizationId: organization_id,
        projectId: project_id,
        patientId,
        occurredAt: now,
        type: 'records.updated',
        data: {
          patientId,
          updatedAt: updatedAt.toISOString(),
          ...describeCause(isOfCause ? cause : RELABELING),
          ...(seen === 'removed' && { removed: true }),
        },
      });
    }
  };

const RELABELING: UpdateCause = { source: 'CLASSIFICATION' };

const describeCause = (cause: UpdateCause): object =>
  'batchId' in cause
    ? { batchId: cause.batchId, source: cause.sourceId === null ? 'UPLOAD' : 'CONNECTED_SOURCE' }
    : cause;
