import type pg from 'pg';

/** What a patient has beside a record: not copied. */
const OWN = [
  'patient',
  'patient_email',
  'patient_password',
  'enrollment',
  'consent',
  'consent_record',
  'consent_screenshot',
  'usage_hour',
  'kept_answer',
];

/**
 * Gives patients the record of another one, by statement: every row of a table by patient that is of the record. A table with a
 * key that lacks the patient is of something else (decisions, the audit log, events).
 */
export async function copyRecord(
  client: pg.Client,
  { from, to }: { from: string; to: readonly string[] },
): Promise<void> {
  const { rows: tables } = await client.query<{ name: string; columns: string }>(
    `select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position)
       filter (where column_name <> 'patient_id') as columns
     from information_schema.columns join pg_class c on c.relname = table_name and c.relkind = 'r'
     where table_schema = 'public' and is_generated = 'NEVER' and table_name <> all($1)
       and not exists (
         select from pg_index i where i.indrelid = c.oid and i.indisunique and not exists (
           select from pg_attribute a where a.attrelid = c.oid and a.attnum = any(i.indkey) and a.attname = 'patient_id'))
     group by table_name having bool_or(column_name = 'patient_id' and data_type = 'uuid') order by table_name`,
    [OWN],
  );
  for (const { name, columns } of tables) {
    // Of a new patient there may be a row already.
    await client.query(`delete from ${name} where patient_id = any($1::uuid[])`, [to]);
    await client.query(
      `insert into ${name} (patient_id, ${columns})
       select p, ${columns} from ${name} r, unnest($2::uuid[]) p where r.patient_id = $1::uuid`,
      [from, to],
    );
  }
}
