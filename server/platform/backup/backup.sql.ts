import { raw, sql, type Sql } from '../db/sql.ts';

/** Tables in the order of their names, each with those it references; a partitioned one as a whole. */
export const findTables = (): Sql<{ name: string; references: string[] }> => sql`
  select c.relname as name, array(
    select distinct target.relname::text from pg_constraint f join pg_class target on target.oid = f.confrelid
    where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid
  ) as references
  from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence = 'p'
    and c.relname not in ('migration', 'storage_self_test')
  order by c.relname`;

export const findAppliedMigrations = (): Sql<{ name: string; checksum: string }> =>
  sql`select name, checksum from migration order by name`;

export const hasSchema = (): Sql<{ found: boolean }> =>
  sql`select to_regclass('migration') is not null as found`;

/** Names of tables come from the catalogue of the database, or were compared with it. */
export const declareRows = (table: string): string =>
  `declare backup_rows no scroll cursor for select t::text as row from "${table}" t`;

export const fetchRows = (count: number): Sql<{ row: string }> =>
  raw(`fetch ${count} from backup_rows`) as Sql<{ row: string }>;

export const hasRows = (table: string): Sql<{ found: boolean }> =>
  raw(`select exists (select from "${table}") as found`) as Sql<{ found: boolean }>;

/** Casts once a row: `(expression).*` alone is written out for each column. */
export const insertRows = (table: string, rows: readonly string[]): Sql => {
  const insert = raw(`insert into "${table}" select (r.value).* from (select line::"${table}" as value`);
  return sql`${insert} from unnest(${rows}::text[]) as line offset 0) as r`;
};

/** Reads one column of rows that are written as text. */
export const readColumn = (
  table: string,
  column: string,
  rows: readonly string[],
): Sql<{ value: string }> => {
  const select = raw(`select (line::"${table}")."${column}"::text as value`);
  return sql<{ value: string }>`${select} from unnest(${rows}::text[]) as line`;
};
