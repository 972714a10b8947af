import { raw, sql, type Sql } from '../storage/sql.ts';

export interface AuditRow {
  organization_id: string;
  entry_id: string;
  at: string;
  action: string;
  actor_kind: string;
  actor_id: string;
  client: string | null;
  project_id: string | null;
  patient_id: string | null;
  consent_record_id: string | null;
  outcome: string;
  detail: unknown;
}

/** Any number of entries in one statement, so in one commit. */
export const insertEntries = (rows: readonly AuditRow[]) => sql`
  insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail)
  select organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail
  from json_populate_recordset(null::audit_entry, ${JSON.stringify(rows)}::json)`;

/** One entry, in the transaction or the statement of what it reports: where `condition` holds. */
export const insertEntry = (row: AuditRow, condition: Sql = raw('true')) => sql`
  insert into audit_entry (organization_id, entry_id, at, action, actor_kind, actor_id, client, project_id, patient_id, consent_record_id, outcome, detail)
  select ${row.organization_id}, ${row.entry_id}, ${row.at}, ${row.action}, ${row.actor_kind}, ${row.actor_id}, ${row.client},
    ${row.project_id}, ${row.patient_id}, ${row.consent_record_id}, ${row.outcome}, ${JSON.stringify(row.detail)}
  where ${condition}`;
