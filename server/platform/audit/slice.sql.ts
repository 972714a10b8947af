import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { raw, sql } from '../db/sql.ts';
import { auditEntryColumns } from './audit.sql.ts';
import type { AuditEntryColumns } from './entry-hash.ts';

/** Finds the organizations with unsealed entries of a patient. */
export const findUnsealedOrganizations = (patientId: PatientId) => sql<{ organization_id: OrganizationId }>`
  select distinct organization_id from audit_entry where patient_id = ${patientId} and block is null`;

export interface SliceEntryRow extends AuditEntryColumns {
  block: number | null;
  place: number | null;
}

/** Finds a patient's entries in all organizations, oldest first. */
export const findPatientAuditEntries = (
  patientId: PatientId,
  after: string | null,
  limit: number,
) => sql<SliceEntryRow>`
  select ${auditEntryColumns}, e.block, e.place from audit_entry e
  where e.patient_id = ${patientId} and ${after === null ? raw('true') : sql`e.entry_id > ${after}`}
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
