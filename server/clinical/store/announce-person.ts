import type { EmitUpdate } from '../../consent/access/record-change.ts';
import type { OnPersonChanged } from '../../identity/patients/enrolled-patients.ts';
import { maybeOne } from '../../platform/db/db.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { deleteKeptAnswers } from './kept-answers.sql.ts';
import { ACCOUNT_CHANGE, touchPerson } from './person-changes.sql.ts';

/** Creates what is called in the transaction in which an account says something else of its person: who may read that is notified. */
export const createPersonAnnouncer =
  ({ clock, emitUpdate }: { clock: Clock; emitUpdate: EmitUpdate }): OnPersonChanged =>
  async (tx, { patientId, createdAt }) => {
    const now = clock.now();
    const touched = await maybeOne(tx, touchPerson(patientId, { now, createdAt }));
    if (touched === null) return;
    await tx.query(deleteKeptAnswers(patientId));
    await emitUpdate(tx, {
      patientId,
      cause: { source: 'ACCOUNT' },
      updatedAt: touched.changed_at,
      changes: [ACCOUNT_CHANGE],
      now,
    });
  };
