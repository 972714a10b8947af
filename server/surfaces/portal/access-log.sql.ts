import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { ENTRY_GRANT } from '../../consent/grants/app-grants.sql.ts';
import type { NamedEntryRow } from '../../consent/records/read-entry.ts';
import { type LogPage, patientEntries, patientEntriesAfter } from '../../platform/audit/entries.sql.ts';
import { sql } from '../../platform/db/sql.ts';
import { ORGANIZATION_NAME } from '../../identity/organizations/organizations.sql.ts';

export interface AccessLogRow extends NamedEntryRow {
  organization_id: string;
  organization_name: string;
}

/** A patient's entries with the names that they show, newest first: of one organization, or of all. */
export const selectAccessLog = (
  scope: { patientId: PatientId; organizationId: OrganizationId | null },
  page: LogPage,
) => sql<AccessLogRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client, g.client_name, g.app_id,
    e.organization_id, ${ORGANIZATION_NAME} as organization_name, e.project_id, pr.name as project_name, e.consent_record_id, e.detail
  from ${patientEntries(scope, page)} e
  join organization o on o.organization_id = e.organization_id
  left join project pr on pr.project_id = e.project_id
  left join lateral ${ENTRY_GRANT} g on true
  order by e.entry_id desc`;

/** A patient's entries in all organizations, in the order they happened: each as a line of JSON. */
export const selectAccessLogLines = (patientId: PatientId, after: string, limit: number) => sql<{
  entry_id: string;
  line: string;
}>`
  select a.entry_id, json_build_object(
      'id', a.entry_id, 'at', to_char(a.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', a.action,
      'outcome', a.outcome, 'actor', json_build_object('kind', a.actor_kind, 'id', a.actor_id), 'client', a.client,
      'organization', json_build_object('id', o.organization_id, 'name', ${ORGANIZATION_NAME}),
      'project', case when pr.project_id is not null then json_build_object('id', pr.project_id, 'name', pr.name) end,
      'consentRecordId', a.consent_record_id, 'detail', a.detail)::text as line
  from ${patientEntriesAfter(patientId, after, limit)} a
  join organization o on o.organization_id = a.organization_id
  left join project pr on pr.project_id = a.project_id
  order by a.entry_id`;
