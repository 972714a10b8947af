import type { Queryable } from '../db/db.ts';
import { findTables } from './backup.sql.ts';

/**
 * Lists the tables whose rows a backup holds, each after those it references: the log of migrations is made by migrating, and
 * what is unlogged (the reserve of a full disk) is empty after any crash.
 */
export async function listTables(on: Queryable): Promise<string[]> {
  const tables = await on.query(findTables());
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
