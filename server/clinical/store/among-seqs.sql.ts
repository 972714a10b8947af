import { bigintArray } from '../../platform/db/array-values.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';

/**
 * Whether `column` is one of these, in whatever order they are. With their range the primary key is used, which finds nothing by
 * one look-up in a record that is new: `any` alone took 5 ms a page to delete nothing.
 */
export function isAmongSeqs(seqs: readonly number[], column: Sql = raw('seq')): Sql {
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [seqs[0] ?? 0, seqs[0] ?? 0],
  );
  return sql`${column} between ${first} and ${last} and ${column} = any(${bigintArray(seqs)})`;
}

/**
 * Whether `seq` of a table, by its alias, is that of one of these rows: stands beside the join by it. PostgreSQL takes the record
 * of a patient whom its statistics do not know for a single row, and would compare each of 25,000 with each of a page.
 */
export const isSeqOf = (rows: readonly { seq: number }[], alias: string): Sql =>
  isAmongSeqs(
    rows.map(({ seq }) => seq),
    raw(`${alias}.seq`),
  );
