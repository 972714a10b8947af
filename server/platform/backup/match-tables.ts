import { MONTHLY_TABLES } from '../db/months.ts';
import { BackupError, type Manifest } from './backup-format.ts';

const PARTITION = new RegExp(`^(${Object.keys(MONTHLY_TABLES).join('|')})_(first|\\d{4,6}_\\d\\d)$`);

/** Names in a sentence; a manifest of somebody else's may hold thousands. */
const MAX_NAMED = 5;

/**
 * Returns which table of the store the rows of each table of a backup go into. A program of before partitions that backed up a store
 * of today wrote each partition as a table of its own; all have the columns of their table, in its order. Throws where the tables are
 * not those of the schema: a backup that lacks one would restore a record without, for example, the withdrawals.
 */
export function matchTables(manifest: Manifest, present: readonly string[]): ReadonlyMap<string, string> {
  const listed = manifest.tables.map(({ name }) => name);
  const targets = new Map(
    listed.map((name) => [name, present.includes(name) ? name : (PARTITION.exec(name)?.[1] ?? name)]),
  );
  const filled = new Set(targets.values());
  const unknown = [...filled].filter((name) => !present.includes(name));
  const missing = present.filter((name) => !filled.has(name));
  if (unknown.length + missing.length > 0) throw otherTables(manifest, { unknown, missing });
  const isTwice = targets.size < listed.length || hasTableBesidePartitions(targets);
  if (isTwice) throw new BackupError('the backup is damaged: it lists a table twice');
  return targets;
}

/** Whether rows of a table come by its own name and by that of a partition. */
const hasTableBesidePartitions = (targets: ReadonlyMap<string, string>): boolean =>
  [...targets].some(([name, target]) => name !== target && targets.has(target));

function otherTables(
  { migrations, program }: Manifest,
  { unknown, missing }: { unknown: readonly string[]; missing: readonly string[] },
): BackupError {
  const faults = [
    ...(unknown.length > 0 ? [`it has ${joinNames(unknown)}, which that schema has not`] : []),
    ...(missing.length > 0 ? [`it lacks ${joinNames(missing)}`] : []),
  ];
  const writer = program === undefined ? 'a Chartgate that does not say which' : `Chartgate ${program}`;
  return new BackupError(
    `the backup's tables are not those of its schema (${migrations.at(-1)?.name ?? 'none'}): ${faults.join(', and ')}. ` +
      `It was written by ${writer}; where that was an older one than the store, back up again with the program that serves the store`,
  );
}

const joinNames = (names: readonly string[]): string =>
  [
    ...names.slice(0, MAX_NAMED),
    ...(names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : []),
  ].join(', ');
