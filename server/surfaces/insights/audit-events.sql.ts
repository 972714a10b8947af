import { selectSourceName } from '../../clinical/sources/sources.sql.ts';
import { ENTRY_GRANT } from '../../consent/grants/app-grants.sql.ts';
import type { NamedEntryRow } from '../../consent/records/read-entry.ts';
import {
  organizationEntries,
  organizationReads,
  type AuditEntryRow,
  type EntryFilter,
  type LogPage,
  type ReadFilter,
} from '../../platform/audit/entries.sql.ts';
import { raw, sql } from '../../platform/db/sql.ts';

/** The name of who acted for an organization: a member, also one who was removed, or a key. */
const actorName = sql`case e.actor_kind
    when 'member' then (
      select m.name from member m where m.organization_id = e.organization_id and m.member_id::text = e.actor_id)
    when 'admin' then (select k.name from api_key k where k.api_key = e.actor_id)
    when 'researcher' then (select k.name from api_key k where k.api_key = e.actor_id)
    when 'developer' then (select k.name from api_key k where k.api_key = e.actor_id) end`;

/** The name of what an entry was done to, where it has one. */
const targetName = sql`case split_part(e.action, '.', 1)
    when 'api_key' then (
      select k.name from api_key k where k.api_key_id = (e.detail->>'apiKeyId')::uuid and k.organization_id = e.organization_id)
    when 'member' then (
      select m.name from member m where m.organization_id = e.organization_id and m.member_id = (e.detail->>'memberId')::uuid)
    when 'project' then (select p.name from project p where p.project_id = e.project_id)
    when 'source' then (${selectSourceName(raw('e.organization_id'), raw("(e.detail->>'sourceId')::uuid"))})
    when 'webhook' then e.detail->>'host'
    when 'client' then e.detail->>'name' end`;

export interface AuditEventRow extends AuditEntryRow {
  actor_name: string | null;
  target_name: string | null;
  patient_id: string | null;
  block: number | null;
}

/** A page of an organization's entries, newest first. */
export const findAuditEvents = (filter: EntryFilter, page: LogPage) => sql<AuditEventRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, ${actorName} as actor_name,
    ${targetName} as target_name, e.client,
    e.project_id, e.patient_id, e.consent_record_id, e.detail, e.block
  from ${organizationEntries(filter, page)} e
  order by e.entry_id desc`;

export interface RecordReadRow extends NamedEntryRow {
  patient_id: string | null;
}

/** A page of an organization's entries that are reads of records, with the names that they show, newest first. */
export const findRecordReads = (filter: ReadFilter, page: LogPage) => sql<RecordReadRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client,
    g.client_name, g.app_id, e.project_id, pr.name as project_name, e.patient_id, e.consent_record_id, e.detail
  from ${organizationReads(filter, page)} e
  left join project pr on pr.project_id = e.project_id
  left join lateral ${ENTRY_GRANT} g on true
  order by e.entry_id desc`;
