import { PATIENT_TABLES } from '../../server/identity/patients/delete-patient.sql.ts';
import type { Db } from '../../server/platform/db/db.ts';
import { migrate, readMigrations } from '../../server/platform/db/migrate.ts';
import { openPostgres } from '../../server/platform/db/postgres.ts';
import type { Sql } from '../../server/platform/db/sql.ts';
import { createDatabase } from '../harness/store.ts';

/** The stand-in for a sharded engine: the same schema, the patient family hash-partitioned four ways. */
export async function openPartitioned(lookups: readonly string[]): Promise<{ db: Db; databaseUrl: string }> {
  const databaseUrl = await createDatabase({ template: 'template0' });
  const db = openPostgres(databaseUrl, { size: { pipelines: 2, transactions: 10 } });
  const written = await readMigrations();
  const names = findFirstNames(written.map(({ text }) => text));
  const partitioned = PATIENT_TABLES.filter((table) => !lookups.includes(table)).map(
    (table) => names.get(table) ?? table,
  );
  const migrations = written.map(({ name, text }) => ({ name, text: partition(text, partitioned) }));
  await migrate(db, migrations);
  return { db, databaseUrl };
}

/** The names under which tables were created that a later migration renamed, by their present names. */
const findFirstNames = (migrations: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    migrations.flatMap((text) =>
      Array.from(
        text.matchAll(/alter table (\w+) rename to (\w+)/g),
        ([, before = '', after = '']) => [after, before] as const,
      ),
    ),
  );

const partition = (text: string, tables: readonly string[]): string =>
  text.replace(/create table (\w+) \([\s\S]*?\n\);/g, (statement: string, table: string) =>
    tables.includes(table)
      ? [
          statement.replace(/\n\);$/, '\n) partition by hash (patient_id);'),
          ...[0, 1, 2, 3].map(
            (n) =>
              `create table ${table}_p${n} partition of ${table} for values with (modulus 4, remainder ${n});`,
          ),
        ].join('\n')
      : statement,
  );

interface Plan {
  Output?: string[];
  'Relation Name'?: string;
  Plans?: Plan[];
}

/** The partitions, by number, that the plan of a statement with these values reads or changes. */
export async function findPartitions(db: Db, { text, values }: Sql): Promise<number[]> {
  const [row] = await db.query<{ 'QUERY PLAN': string }>({ text: `explain (format json) ${text}`, values });
  const plans = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as { Plan: Plan }[];
  const numbers = plans
    .flatMap(({ Plan }) => listRelations(Plan))
    .map((name) => /_p([0-3])$/.exec(name)?.[1]);
  return [...new Set(numbers.flatMap((number) => (number === undefined ? [] : [Number(number)])))].sort(
    (one, other) => one - other,
  );
}

/** How many columns a statement with these values returns. */
export async function countColumns(db: Db, { text, values }: Sql): Promise<number> {
  const [row] = await db.query<{ 'QUERY PLAN': string }>({
    text: `explain (verbose, format json) ${text}`,
    values,
  });
  const [{ Plan } = { Plan: {} }] = JSON.parse(row?.['QUERY PLAN'] ?? '[]') as { Plan: Plan }[];
  return Plan.Output?.length ?? 0;
}

const listRelations = (plan: Plan): string[] => [
  ...(plan['Relation Name'] === undefined ? [] : [plan['Relation Name']]),
  ...(plan.Plans ?? []).flatMap(listRelations),
];

/** A store that remembers each statement it ran, with the values of the first time. */
export function recordStatements(db: Db): { db: Db; statements: ReadonlyMap<string, Sql> } {
  const statements = new Map<string, Sql>();
  const record = <Statement extends Sql>(statement: Statement): Statement => {
    if (!statements.has(statement.text)) statements.set(statement.text, statement);
    return statement;
  };
  return {
    statements,
    db: {
      ...db,
      query: (statement) => db.query(record(statement)),
      queryRowBytes: (statement) => db.queryRowBytes(record(statement)),
      tx: (work) => db.tx((tx) => work({ ...tx, query: (statement) => tx.query(record(statement)) })),
    },
  };
}
