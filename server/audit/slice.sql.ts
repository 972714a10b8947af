import type { OrganizationId, PatientId } from '../../contract/ids.ts';
import { raw, sql } from '../storage/sql.ts';
import { entryColumns } from './audit.sql.ts';
import type { EntryColumns } from './entry-hash.ts';

/** Where entries of a patient wait to be sealed. */
export const unsealedOrganizations = (patientId: PatientId) => sql<{ organization_id: OrganizationId }>`
  select distinct organization_id from audit_entry where patient_id = ${patientId} and block is null`;

export interface SliceEntry extends EntryColumns {
  block: number | null;
  place: number | null;
}

/** A patient's entries in all organizations, oldest first. */
export const entriesOfPatient = (patientId: PatientId, after: string | null, most: number) => sql<SliceEntry>`
  select ${entryColumns}, e.block, e.place from audit_entry e
  where e.patient_id = ${patientId} and ${after === null ? raw('true') : sql`e.entry_id > ${after}`}
  order by e.entry_id limit ${most}`;

export interface SliceBlock {
  organization_id: string;
  block: number;
  checkpoint: string;
  leaves: Buffer;
}

export const blocksOf = (
  entries: readonly Pick<SliceEntry, 'organization_id' | 'block'>[],
) => sql<SliceBlock>`
  select b.organization_id, b.block, b.checkpoint, b.leaves
  from (
    select distinct n.organization_id, n.block
    from unnest(${entries.map((entry) => entry.organization_id)}::uuid[], ${entries.map(({ block }) => block)}::bigint[])
      as n(organization_id, block)) wanted
  join audit_block b on b.organization_id = wanted.organization_id and b.block = wanted.block`;
