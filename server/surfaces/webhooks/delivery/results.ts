import type { Db } from '../../../platform/db/db.ts';
import { createGroupCommit } from '../../../platform/kernel/group-commit.ts';
import { insertResults, type DeliveryResult } from './results.sql.ts';

/** How long a batch waits for further results; the attempts are over, so nobody waits for their rows. */
const BATCH_DELAY_MS = 4;

/** The most results in one statement. */
const MAX_BATCH_SIZE = 500;

/** Creates a writer that groups results: those that arrive while a commit is under way share the next one. */
export function createResultWriter({ db, worker }: { db: Db; worker: string }): {
  /** Resolves when the result is durable. */
  write(result: DeliveryResult): Promise<void>;
} {
  const commit = (results: readonly DeliveryResult[]) => db.query(insertResults(results, worker));
  return { write: createGroupCommit(commit, { delayMs: BATCH_DELAY_MS, maxItems: MAX_BATCH_SIZE }) };
}
