import type { Db } from './db.ts';
import { addMissedMonth } from './months.ts';
import { toStoreError } from './store-error.ts';

/**
 * Makes the store's errors of a connection `StoreError`s. A statement that may have changed something was perhaps executed
 * before the connection was lost; a transaction was not, until its commit (`commitOrThrow`).
 */
export const withStoreErrors = (db: Db): Db => ({
  ...db,
  query: (statement) =>
    db.query(statement).catch(async (error: unknown) => {
      if (await addMissedMonth(db, error)) return db.query(statement);
      throw toStoreError(error, mayChange(statement.text) ? 'unknown' : 'unchanged');
    }),
  tx: (work, options) =>
    db.tx(work, options).catch(async (error: unknown) => {
      if (await addMissedMonth(db, error)) return db.tx(work, options);
      throw toStoreError(error, 'unchanged');
    }),
  queryRowBytes: (statement) =>
    db.queryRowBytes(statement).catch((error: unknown) => {
      throw toStoreError(error, 'unchanged');
    }),
});

const mayChange = (text: string): boolean => /\b(insert into|update|delete from|merge into)\b/i.test(text);
