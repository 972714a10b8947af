import type { Queryable } from './db.ts';
import { readMigrations, SchemaError } from './migrate.ts';
import { sql } from './sql.ts';

/** How the schema of a store and that of this program differ. */
export interface SchemaState {
  /** The newest file that was applied to the store; '' where none was. */
  newest: string;
  /** Files that the store has and this program has not: a newer one applied them. */
  unknown: readonly string[];
  /** Files of this program that the store lacks. */
  missing: readonly string[];
}

/** Compares the schema of a store with that of this program; changes nothing. */
export async function readSchemaState(on: Queryable): Promise<SchemaState> {
  const applied = (await on.query(sql<{ name: string }>`select name from migration order by name`)).map(
    ({ name }) => name,
  );
  const ours = (await readMigrations()).map(({ name }) => name);
  return {
    newest: applied.at(-1) ?? '',
    unknown: applied.filter((name) => !ours.includes(name)),
    missing: ours.filter((name) => !applied.includes(name)),
  };
}

/** Throws SchemaError where a store is not of this program's schema, and says what to do: whoever only looks does not migrate it. */
export async function requireCurrentSchema(on: Queryable): Promise<void> {
  const { newest, unknown, missing } = await readSchemaState(on);
  if (unknown.length > 0)
    throw new SchemaError(`${describeNewerStore(newest)}; use that version or a later one`);
  if (missing.length > 0)
    throw new SchemaError(
      `the store has the schema of an earlier Chartgate (${newest}; it lacks ${missing.length} of this one's), and this command ` +
        'changes no schema: make a backup, then run "chartgate migrate" or start the service',
    );
}

/** Begins the sentence of whatever an older program refuses to do with a store. */
export const describeNewerStore = (newest: string): string =>
  `the store was brought up to date by a newer Chartgate (${newest})`;

export interface SchemaChange {
  /** There was no schema before. */
  isNew: boolean;
  /** Names of the files that were applied now. */
  applied: readonly string[];
  /** The newest file of this program; '' where nobody has looked. */
  newest: string;
}

/** What becomes of the schema of a store that is opened without being migrated. */
export const NO_CHANGE: SchemaChange = { isNew: false, applied: [], newest: '' };

/** Says in a few words what became of a schema: the first and the last of the files that were applied, and how many. */
export function describeSchemaChange({ isNew, applied, newest }: SchemaChange): string {
  if (isNew) return `${toName(newest)}, made anew`;
  const [first = '', last = first] = [applied[0], applied.at(-1)].map(toName);
  if (applied.length === 0) return `${toName(newest)}, nothing to apply`;
  return applied.length === 1 ? `applied ${first}` : `applied ${first} to ${last} (${applied.length})`;
}

const toName = (file = ''): string => file.replace(/\.sql$/, '');
