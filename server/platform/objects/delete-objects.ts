import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../db/db.ts';
import { createRecurringJob } from '../jobs/recurring-job.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import * as statements from './objects.sql.ts';
import type { ObjectStore } from './s3-client.ts';

interface DeleteDeps {
  db: Db;
  clock: Clock;
  store: ObjectStore;
}

const INTERVAL_MS = 10_000;
const PAGE = 64;

/** Creates the job that deletes objects whose rows were deleted, and those that no row came to refer to. */
export const createDeletionJob = (deps: DeleteDeps): JobKind<object> =>
  createRecurringJob('objects.delete', INTERVAL_MS, (signal) => deleteDueObjects(deps, signal));

/** Deletes all objects that are due. What could not be deleted is due again later, and the first reason is thrown. */
export async function deleteDueObjects({ db, clock, store }: DeleteDeps, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const claimed = await db.query(statements.claimDeletions(clock.now(), PAGE));
    const keys = claimed.map((row) => row.object_key);
    const results = await Promise.allSettled(keys.map((key) => store.remove(key)));
    const deleted = keys.filter((_, index) => results[index]?.status === 'fulfilled');
    if (deleted.length > 0) await db.query(statements.finishDeletions(deleted));
    const failed = results.find((result) => result.status === 'rejected');
    if (failed) throw new Error('objects were not deleted', { cause: failed.reason });
    if (keys.length < PAGE) return;
  }
}
