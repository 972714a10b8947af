import { one, type Db, type Tx } from './db.ts';
import type { Sql } from './sql.ts';

/** Sums that a job makes, piece after piece, of rows that nothing is added to any more. */
export interface RollUp<Progress> {
  /** Begins them, unless they have begun. */
  insertProgress: Sql;
  /** Until the end of the transaction nobody else sums. */
  lockProgress: Sql<Progress>;
  /** Sums the next piece and moves the progress on; returns whether there is more to sum. */
  sumNext(tx: Tx, progress: Progress): Promise<boolean>;
}

/** Sums what there is, each piece in a transaction of its own. Throws `signal`'s reason between two. */
export async function rollUp<Progress>(
  db: Db,
  { insertProgress, lockProgress, sumNext }: RollUp<Progress>,
  signal: AbortSignal,
): Promise<void> {
  const sumPiece = async (tx: Tx): Promise<boolean> => {
    await tx.query(insertProgress);
    return sumNext(tx, await one(tx, lockProgress));
  };
  while (await db.tx(sumPiece)) signal.throwIfAborted();
}
