import type { FirstStepCheck } from '../platform/attention/first-steps.ts';
import type { Db } from '../platform/db/db.ts';
import type { Clock } from '../platform/kernel/clock.ts';
import { hasUpload } from './ingest/batches/attention.sql.ts';
import { hasSource } from './sources/attention.sql.ts';

/** Creates the checks of where records come from. */
export const createRecordFirstSteps = ({ db, clock }: { db: Db; clock: Clock }): FirstStepCheck[] => [
  {
    code: 'record_connected',
    permission: 'sources.manage',
    isDone: async ({ organizationId }) =>
      (await db.query(hasSource(organizationId))).length > 0 ||
      (await db.query(hasUpload(organizationId, clock.now()))).length > 0,
  },
];
