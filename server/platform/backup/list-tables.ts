import type { Queryable } from '../db/db.ts';
import { sql } from '../db/sql.ts';

/**
 * Lists the tables whose rows a backup holds, each after those it references: the log of migrations is made by migrating, and
 * what is unlogged (the reserve of a full disk) is empty after any crash.
 */
export async function listTables(on: Queryable): Promise<string[]> {
  const tables = await on.query(
    sql<{ name: string; references: string[] }>`
      select c.relname as name, array(
        select distinct target.relname::text from pg_constraint f join pg_class target on target.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
      ) as references
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
        and c.relname not in ('migration', 'storage_self_test')
      order by c.relname`,
  );
  const ordered: string[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(
      ({ name, references }) => !ordered.includes(name) && references.every((each) => ordered.includes(each)),
    );
    if (next.length === 0) throw new Error('tables reference each other in a circle');
    ordered.push(...next.map(({ name }) => name));
  }
  return ordered;
}
