import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../../platform/db/db.ts';
import { insertResults, type DeliveryResult } from './results.sql.ts';

/** Waited for more: an attempt has ended, and nobody is kept waiting by what is written of it. */
const BATCH_DELAY_MS = 4;

/** The most in one statement. */
const MAX_BATCH_SIZE = 500;

/** Keeps results; those of attempts that end while one commit is under way share the next. */
export function createResultWriter({ db, worker }: { db: Db; worker: string }): {
  /** Resolves when the result is durable. */
  write(result: DeliveryResult): Promise<void>;
} {
  let batch: { results: DeliveryResult[]; committed: Promise<void> } | null = null;
  let previous: Promise<unknown> = Promise.resolve();

  const commit = async (results: readonly DeliveryResult[]): Promise<void> => {
    const statement = insertResults(results, worker);
    // Two nodes may lock the rows of two endpoints in opposite orders; it is repeatable, for what is settled is not ours.
    await db.query(statement).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== DEADLOCK) throw error;
      return db.query(statement);
    });
  };
  return {
    write(result) {
      if (!batch || batch.results.length >= MAX_BATCH_SIZE) {
        const results: DeliveryResult[] = [];
        const flush = async (): Promise<void> => {
          await sleep(BATCH_DELAY_MS);
          if (batch?.results === results) batch = null;
          await commit(results);
        };
        batch = { results, committed: previous.then(flush, flush) };
        previous = batch.committed;
      }
      batch.results.push(result);
      return batch.committed;
    },
  };
}

const DEADLOCK = '40P01';
