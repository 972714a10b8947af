import { raw, sql, type Sql } from '../db/sql.ts';
import type { AuditEntryColumns, AuditEntryHead } from './entry-hash.ts';

export interface AuditRow extends AuditEntryColumns {
  entry_hash: Buffer;
}

/** Inserts any number of entries in one statement, so in one commit. */
export const insertAuditEntries = (rows: readonly AuditRow[]) => sql`
  insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail, entry_hash)
  select organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome,
    detail::json, decode(entry_hash, 'hex')
  from json_to_recordset(${JSON.stringify(rows.map(toJson))}::json) as r(organization_id uuid, entry_id uuid, at timestamptz,
    action text, actor_kind text, actor_id text, client text, project_id uuid, patient_id uuid, consent_record_id uuid,
    outcome text, detail text, entry_hash text)`;

const toJson = (row: AuditRow): object => ({ ...row, entry_hash: row.entry_hash.toString('hex') });

/** An entry whose consent record and detail are read by the statement that inserts it. */
export interface OpenAuditRow extends AuditEntryHead {
  /** What is hashed of these columns. */
  hashed_head: string;
}

/** The columns of such rows, for `json_to_recordset`. */
export const OPEN_ROW_COLUMNS = raw(`
  organization_id uuid, entry_id uuid, at timestamptz, action text, actor_kind text, actor_id text, client text, project_id uuid,
  patient_id uuid, hashed_head text`);

/**
 * Inserts entries of what succeeded from such rows in the table `rows`, with `consent_record_id uuid` and `detail text`. It hashes
 * as `hashAuditEntry` does: what it escapes itself is an id and JSON that we wrote.
 */
export const insertReadEntries = (rows: Sql) => sql`
  insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail, entry_hash)
  select organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, 'success', detail::json,
    sha256('\\x00'::bytea || convert_to(hashed_head || ',' || to_json(consent_record_id) || ',"success",' || to_json(detail) || ']', 'UTF8'))
  from ${rows}`;

/** Inserts one entry where `condition` holds: in the transaction, or as a part of the statement, of what it reports. */
export const insertAuditEntry = (row: AuditRow, condition: Sql = raw('true')) => sql`
  insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail, entry_hash)
  select ${row.organization_id}, ${row.entry_id}, ${row.at}, ${row.action}, ${row.actor_kind}, ${row.actor_id}, ${row.client},
    ${row.project_id}, ${row.patient_id}, ${row.consent_record_id}, ${row.outcome}, ${row.detail}, ${row.entry_hash}
  where ${condition}`;

/** An entry's columns as they were hashed, whatever the session's time zone; a time that no real entry can have is `out of range`. */
export const auditEntryColumns = sql`
  e.organization_id, e.entry_id, case when extract(year from e.at at time zone 'UTC') between 1 and 9999
    then to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') else 'out of range' end as at,
  e.action, e.actor_kind, e.actor_id, e.client, e.project_id, e.patient_id, e.consent_record_id, e.outcome,
  e.detail::text as detail`;
