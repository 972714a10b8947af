import type { OrganizationId, PatientId } from '../../../contract/brands.ts';
import { buildPartnerGate } from '../../consent/access/partner-gate.sql.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import { sql } from '../../platform/db/sql.ts';
import { resourceIsCovered, resourceIsShared } from './resource-labels.sql.ts';

export const selectResource = (
  access: PartnerAccess,
  { type, id, now }: { type: string; id: string; now: Date },
) => sql<{ body: string }>`
  with ${buildPartnerGate(access, now)}
  select body from resource r
  where patient_id = ${access.patientId} and resource_type = ${type} and fhir_id = ${id} and ${resourceIsCovered(access)}`;

/** At most this many records with the same id are compared. */
export const MAX_RECORDS = 100;

/**
 * Selects resources of a type and id in the records of the organization's patients, and whether it may see each now. It
 * learns of no other records.
 */
export const selectSharedResources = (
  organizationId: OrganizationId,
  { type, id, now }: { type: string; id: string; now: Date },
) => sql<{ patient_id: string; permitted: boolean; body: string | null }>`
  select patient_id, permitted, case when permitted then body end as body
  from (
    select r.patient_id, r.body, ${resourceIsShared(organizationId, now)} as permitted
    from resource r
    where r.resource_type = ${type} and r.fhir_id = ${id}
      and exists (select from enrollment e where e.patient_id = r.patient_id and e.organization_id = ${organizationId})
    order by permitted desc, r.patient_id limit ${MAX_RECORDS}) found`;

export const accountExists = (patientId: PatientId) => sql<{ exists: boolean }>`
  select exists (select from patient where patient_id = ${patientId})`;
