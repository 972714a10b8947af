import { bigintArray } from '../../platform/db/array-values.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/**
 * Whether `seq` is one of these, in whatever order they are. With their range the primary key is used, which finds nothing by
 * one look-up in a record that is new: `any` alone took 5 ms a page to delete nothing.
 */
export function isAmongSeqs(seqs: readonly number[]): Sql {
  const [first, last] = seqs.reduce(
    ([least, most], seq) => [Math.min(least, seq), Math.max(most, seq)],
    [seqs[0] ?? 0, seqs[0] ?? 0],
  );
  return sql`seq between ${first} and ${last} and seq = any(${bigintArray(seqs)})`;
}
