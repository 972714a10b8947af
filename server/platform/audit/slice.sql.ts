import type { ConsentRecordId, OrganizationId, PatientId, ProjectId } from '../../../contract/brands.ts';
import { raw, sql, type Sql } from '../db/sql.ts';
import { auditEntryColumns } from './audit.sql.ts';
import { matchesFilter, type EntryFilter } from './entries.sql.ts';
import type { AuditEntryColumns } from './entry-hash.ts';

/** Which of a patient's entries a slice holds. */
export interface SliceScope {
  patientId: PatientId;
  /** null: all, of every organization. Else those that name this record, and the other decisions for the project. */
  decision: {
    organizationId: OrganizationId;
    projectId: ProjectId;
    consentRecordId: ConsentRecordId;
  } | null;
}

/** A condition on an entry `e`. */
const isInSlice = ({ patientId, decision }: SliceScope): Sql => sql`
  e.patient_id = ${patientId} and ${
    decision === null
      ? raw('true')
      : sql`e.organization_id = ${decision.organizationId} and (e.consent_record_id = ${decision.consentRecordId}
    or e.action = 'consent.recorded' and e.project_id = ${decision.projectId})`
  }`;

/** Finds the organizations with unsealed entries of a slice. */
export const findUnsealedOrganizations = (scope: SliceScope) => sql<{ organization_id: OrganizationId }>`
  select distinct organization_id from audit_entry e where ${isInSlice(scope)} and block is null`;

export interface SliceEntryRow extends AuditEntryColumns {
  block: number | null;
  place: number | null;
}

/** Finds the entries of a slice, oldest first. */
export const findSliceEntries = (
  scope: SliceScope,
  after: string | null,
  limit: number,
) => sql<SliceEntryRow>`
  select ${auditEntryColumns}, e.block, e.place from audit_entry e
  where ${isInSlice(scope)} and ${after === null ? raw('true') : sql`e.entry_id > ${after}`}
  order by e.entry_id limit ${limit}`;

/** Finds an organization's entries of a filter, oldest first. */
export const findOrganizationAuditEntries = (
  filter: EntryFilter,
  after: string | null,
  limit: number,
) => sql<SliceEntryRow>`
  select ${auditEntryColumns}, e.block, e.place from audit_entry e
  where ${matchesFilter(filter)} and ${after === null ? raw('true') : sql`e.entry_id > ${after}`}
  order by e.entry_id limit ${limit}`;

export interface SliceBlockRow {
  organization_id: string;
  block: number;
  checkpoint: string;
  leaves: Buffer;
}

export const findBlocks = (
  entries: readonly Pick<SliceEntryRow, 'organization_id' | 'block'>[],
) => sql<SliceBlockRow>`
  select b.organization_id, b.block, b.checkpoint, b.leaves
  from (
    select distinct n.organization_id, n.block
    from unnest(${entries.map((entry) => entry.organization_id)}::uuid[], ${entries.map(({ block }) => block)}::bigint[])
      as n(organization_id, block)) wanted
  join audit_block b on b.organization_id = wanted.organization_id and b.block = wanted.block`;
