import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { raw, sql } from '../../platform/db/sql.ts';

export interface LogPage {
  limit: number;
  /** Entries older than this one. */
  before?: string | undefined;
}

const isOlderThan = (before: string | undefined) =>
  before === undefined ? raw('true') : sql`e.entry_id < ${before}`;

interface AuditEntryRow {
  entry_id: string;
  at: Date;
  action: string;
  outcome: 'success' | 'refused' | 'failed';
  actor_kind: 'patient' | 'admin' | 'researcher' | 'system';
  actor_id: string;
  client: string | null;
  project_id: string | null;
  consent_record_id: string | null;
  /** JSON. */
  detail: string;
}

export interface AccessLogRow extends AuditEntryRow {
  client_name: string | null;
  organization_id: string;
  organization_name: string;
  project_name: string | null;
}

/** A patient's entries, newest first: of one organization, or of all. */
export const findPatientAuditEntries = (
  { patientId, organizationId }: { patientId: PatientId; organizationId: OrganizationId | null },
  { limit, before }: LogPage,
) => sql<AccessLogRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client, g.client_name,
    e.organization_id, o.name as organization_name, e.project_id, pr.name as project_name, e.consent_record_id, e.detail
  from (
    select * from audit_entry e
    where e.patient_id = ${patientId} and ${isOlderThan(before)}
      and ${organizationId === null ? raw('true') : sql`e.organization_id = ${organizationId}`}
    order by e.entry_id desc limit ${limit}) e
  join organization o on o.organization_id = e.organization_id
  left join project pr on pr.project_id = e.project_id
  left join (
    select distinct on (client_id) client_id, client_name from oauth_grant where patient_id = ${patientId}
    order by client_id, created_at desc) g on g.client_id = e.client
  order by e.entry_id desc`;

export interface AuditEventRow extends AuditEntryRow {
  patient_id: string | null;
  block: number | null;
}

/** An organization's entries, newest first. */
export const findOrganizationAuditEntries = (
  { organizationId, action }: { organizationId: OrganizationId; action?: string | undefined },
  { limit, before }: LogPage,
) => sql<AuditEventRow>`
  select e.entry_id, e.at, e.action, e.outcome, e.actor_kind, e.actor_id, e.client, e.project_id, e.patient_id,
    e.consent_record_id, e.detail, e.block
  from audit_entry e
  where e.organization_id = ${organizationId} and ${isOlderThan(before)}
    and ${action === undefined ? raw('true') : sql`e.action = ${action}`}
  order by e.entry_id desc limit ${limit}`;

export const findPatient = (patientId: PatientId) => sql<{ patient_id: PatientId }>`
  select patient_id from patient where patient_id = ${patientId}`;

/** Whether a patient ever took part in one of an organization's projects; no row: there is no such patient. */
export const hasTakenPart = (patientId: PatientId, organizationId: OrganizationId) => sql<{
  took_part: boolean;
}>`
  select exists (select from enrollment e where e.patient_id = ${patientId} and e.organization_id = ${organizationId})
    or exists (select from consent_record r where r.patient_id = ${patientId} and r.organization_id = ${organizationId})
    as took_part
  from patient p where p.patient_id = ${patientId}`;
