import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

const DIRECTORY = new URL('./migrations/', import.meta.url);

/** An arbitrary constant: the node that holds this advisory lock migrates, the others wait for it. */
const LOCK = 4_736_281;

export interface Migration {
  name: string;
  text: string;
}

/** Reads `0001-organizations.sql` and so on, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await fs.readdir(DIRECTORY)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => ({ name, text: await fs.readFile(new URL(name, DIRECTORY), 'utf8') })),
  );
}

/** The store and the program do not fit; the message is for the operator. */
export class SchemaError extends Error {
  readonly code = 'schema';
}

/**
 * Brings the schema up to date in one transaction: forward only, each file once. Nodes that start at the same
 * time wait for the first. Returns the names applied. Throws when a newer program migrated the store, when a file that was
 * applied has changed since, or when a new one comes before it.
 */
export async function migrate(db: Db, migrations?: Migration[]): Promise<string[]> {
  const wanted = migrations ?? (await readMigrations());
  return db.tx(async (tx) => {
    // A migration of a large table may take long, and so may the wait for the node that migrates.
    await tx.script('set local statement_timeout = 0');
    // Before the bookkeeping table: "create … if not exists" itself races between nodes.
    await tx.query(sql`select pg_advisory_xact_lock(${LOCK}::bigint)`);
    await tx.script(
      'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null)',
    );
    const applied = new Map(
      (await tx.query(sql<{ name: string; checksum: string }>`select name, checksum from migration`)).map(
        (row) => [row.name, row.checksum],
      ),
    );
    const newest = [...applied.keys()].sort().at(-1) ?? '';
    const unknown = [...applied.keys()].filter(
      (name) => !wanted.some((migration) => migration.name === name),
    );
    if (unknown.length > 0)
      throw new SchemaError(
        `the store was brought up to date by a newer Chartgate (${newest}), which this one cannot serve; start that version or a later one`,
      );
    const fresh: string[] = [];
    for (const { name, text } of wanted) {
      const checksum = createHash('sha256').update(text).digest('hex');
      const known = applied.get(name);
      if (known !== undefined && known !== checksum)
        throw new SchemaError(`migration ${name} was changed after it was applied`);
      if (known !== undefined) continue;
      if (name < newest)
        throw new SchemaError(`migration ${name} comes before ${newest}, which is applied already`);
      await tx.script(text);
      await tx.query(sql`insert into migration values (${name}, ${checksum}, clock_timestamp())`);
      fresh.push(name);
    }
    return fresh;
  });
}
