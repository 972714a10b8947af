import type { PatientId, ProjectId } from '../../../contract/brands.ts';
import { insertReadEntries, OPEN_ROW_COLUMNS, type OpenAuditRow } from '../../platform/audit/audit.sql.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import { selectGateOfCall, WITHHELD } from './gate.sql.ts';
import type { ConsentedAccess, JointAccess, RecordQuery } from './record-access.ts';

/** A call that reads with others. */
export interface AuditedCall {
  access: ConsentedAccess;
  /** What it reports once it has read. */
  entry: OpenAuditRow;
  /** What its query asks for, and its entry says first: `{"tool": "get_conditions"}`. */
  tool: string;
}

/** The access of each row of `call`. */
export const JOINT_ACCESS = {
  patientId: raw('call.patient_id'),
  projectId: raw('call.project_id'),
  withheld: WITHHELD,
} as JointAccess;

/** The tool of each row of `call`. */
export const CALLED_TOOL: Sql = raw('call.tool');

export interface AuditedAnswer {
  text: string;
  /** What it discloses, a JSON object: for the entry. */
  disclosure: unknown;
}

export interface AuditedReadRow {
  entry_id: string;
  patient_id: PatientId;
  project_id: ProjectId;
  text: string;
}

/**
 * Reads for several calls, each behind its own gate, and writes the audit entry of each for which `query` finds a row: in one
 * statement, so that none is answered without its entry. Of calls that are not permitted, or for which it finds nothing, there is no
 * row; nor where the consent was decided after the entry's time, as while the statement waited for a lock: no entry says of a read
 * that it came before its consent.
 */
export const selectAudited = (
  calls: readonly AuditedCall[],
  query: RecordQuery<AuditedAnswer>,
  now: Date,
) => sql<AuditedReadRow>`
  with call as materialized (
    select * from json_to_recordset(${JSON.stringify(calls.map(toRow))}::json)
      as call(${OPEN_ROW_COLUMNS}, grant_id uuid, credential_id uuid, token_expires_at timestamptz, tool text)),
  found as materialized (
    select call.*, answer.consent_record_id, answer.text,
      '{"tool":' || to_json(call.tool) || ',' || substr(answer.disclosure::text, 2) as detail
    from call cross join lateral (
      with gate as materialized (${selectGateOfCall(now)})
      select gate.consent_record_id, answer.text, answer.disclosure
      from gate cross join lateral (${query.statement}) answer
      where gate.permitted and gate.decided_at <= call.at) answer),
  audited as (${insertReadEntries(raw('found'))})
  select entry_id, patient_id, project_id, text from found`;

const toRow = ({ access, entry, tool }: AuditedCall): object => ({
  ...entry,
  patient_id: access.patientId,
  project_id: access.projectId,
  grant_id: access.grantId,
  credential_id: access.credentialId,
  token_expires_at: access.tokenExpiresAt,
  tool,
});
