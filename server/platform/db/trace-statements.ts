import { inSpan, type Telemetry } from '../telemetry/telemetry.ts';
import type { Db, Queryable } from './db.ts';
import { summarizeStatement } from './statement-summary.ts';

/**
 * Writes a span for each statement and transaction of a traced request or job, by what it does to which tables. What nobody
 * traced asked for (polls, renewed leases) has none.
 */
export function traceStatements(db: Db, telemetry: Telemetry): Db {
  const traced = <T>(text: string, work: () => Promise<T>): Promise<T> => {
    if (telemetry.getActive() === null) return work();
    const name = summarizeStatement(text);
    const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': name };
    return inSpan(telemetry, { name, kind: 'CLIENT', attributes }, work);
  };
  const traceQueries = <On extends Queryable>(on: On): On => ({
    ...on,
    query: (statement) => traced(statement.text, () => on.query(statement)),
  });
  return {
    ...traceQueries(db),
    queryRowBytes: (statement) => traced(statement.text, () => db.queryRowBytes(statement)),
    tx: (work, options) => traced('transaction', () => db.tx((tx) => work(traceQueries(tx)), options)),
  };
}
