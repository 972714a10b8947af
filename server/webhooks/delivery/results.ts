import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../storage/db.ts';
import { insertResults, type Result } from './results.sql.ts';

/** Waited for more: an attempt has ended, and nobody is kept waiting by what is written of it. */
const GATHER_MS = 4;

/** The most in one statement. */
const MOST = 500;

/** Keeps results; those of attempts that end while one commit is under way share the next. */
export function resultWriter({ db, worker }: { db: Db; worker: string }): {
  /** Resolves when the result is durable. */
  write(result: Result): Promise<void>;
} {
  let gathering: { results: Result[]; kept: Promise<void> } | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const keep = async (results: readonly Result[]): Promise<void> => {
    const statement = insertResults(results, worker);
    // Two nodes may lock the rows of two endpoints in opposite orders; it is repeatable, for what is settled is not ours.
    await db.query(statement).catch((error: unknown) => {
      if ((error as { code?: unknown }).code !== DEADLOCK) throw error;
      return db.query(statement);
    });
  };
  return {
    write(result) {
      if (!gathering || gathering.results.length >= MOST) {
        const results: Result[] = [];
        const flush = async (): Promise<void> => {
          await sleep(GATHER_MS);
          if (gathering?.results === results) gathering = null;
          await keep(results);
        };
        gathering = { results, kept: last.then(flush, flush) };
        last = gathering.kept;
      }
      gathering.results.push(result);
      return gathering.kept;
    },
  };
}

const DEADLOCK = '40P01';
