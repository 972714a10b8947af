import { AsyncLocalStorage } from 'node:async_hooks';
import { createFairLine } from '../kernel/fair-line.ts';
import type { Db } from './db.ts';

/** Statements before the engine at a time: one runs, and the next is there when it ends. */
const STATEMENTS = 2;

/**
 * Lets all who use an engine that does one thing at a time have their turns: 120 calls of one patient at once held up
 * another's for 3.7 s. `runAs` says whose work it is.
 */
export function shareFairly(db: Db, { transactions }: { transactions: number }): Db {
  const owner = new AsyncLocalStorage<string>();
  const statementLine = createFairLine(STATEMENTS);
  const transactionLine = createFairLine(transactions);
  const getOwner = (): string => owner.getStore() ?? '';
  return {
    ...db,
    query: (statement) => statementLine.run(getOwner(), () => db.query(statement)),
    queryRowBytes: (statement) => statementLine.run(getOwner(), () => db.queryRowBytes(statement)),
    tx: (work, options) => transactionLine.run(getOwner(), () => db.tx(work, options)),
    runAs: (key, work) => owner.run(key, work),
  };
}
