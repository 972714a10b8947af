import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../db/sql.ts';

export interface LogPage {
  limit: number;
  /** Entries older than this one. */
  before?: string | undefined;
}

export interface AuditEntryRow {
  entry_id: string;
  at: Date;
  action: string;
  outcome: 'success' | 'refused' | 'failed';
  actor_kind: 'patient' | 'admin' | 'researcher' | 'member' | 'system';
  actor_id: string;
  client: string | null;
  project_id: string | null;
  consent_record_id: string | null;
  /** JSON. */
  detail: string;
}

const isOlderThan = (before: string | undefined): Sql =>
  before === undefined ? raw('true') : sql`e.entry_id < ${before}`;

/** A subquery: a page of a patient's entries of one organization or of all, newest first. */
export const patientEntries = (
  { patientId, organizationId }: { patientId: PatientId; organizationId: OrganizationId | null },
  { limit, before }: LogPage,
): Sql => sql`(
    select * from audit_entry e
    where e.patient_id = ${patientId} and ${isOlderThan(before)}
      and ${organizationId === null ? raw('true') : sql`e.organization_id = ${organizationId}`}
    order by e.entry_id desc limit ${limit})`;

/** A subquery: the next entries of a patient in the order they happened. */
export const patientEntriesAfter = (patientId: PatientId, after: string, limit: number): Sql => sql`(
    select * from audit_entry e
    where e.patient_id = ${patientId} and e.entry_id > ${after}
    order by e.entry_id limit ${limit})`;

/** A subquery: when a client last read a patient's record for a project. Its values may be columns of the query around it. */
export const lastReadAt = (read: {
  organizationId: Sql;
  patientId: Sql;
  projectId: Sql;
  client: Sql;
}): Sql => sql`(
    select e.at from audit_entry e
    where e.organization_id = ${read.organizationId} and e.patient_id = ${read.patientId}
      and e.project_id = ${read.projectId} and e.client = ${read.client}
      and e.action = 'mcp.tools_call' and e.outcome = 'success'
    order by e.entry_id desc limit 1)`;

export interface AuditEventRow extends AuditEntryRow {
  patient_id: string | null;
  block: number | null;
}

/** An organization's entries, newest first. */
export const selectOrganizationEntries = (
  { organizationId, action }: { organizationId: OrganizationId; action?: string | undefined },
  { limit, before }: LogPage,
) => sql<AuditEventRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client, e.project_id, e.patient_id,
    e.consent_record_id, e.detail, e.block
  from audit_entry e
  where e.organization_id = ${organizationId} and ${isOlderThan(before)}
    and ${action === undefined ? raw('true') : sql`e.action = ${action}`}
  order by e.entry_id desc limit ${limit}`;
