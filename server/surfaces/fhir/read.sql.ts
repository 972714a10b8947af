import { selectPublishedLabels } from '../../clinical/store/published-labels.sql.ts';
import type { OrganizationReach } from '../../../contract/audience.ts';
import type { PatientId } from '../../../contract/brands.ts';
import { buildPartnerGate, selectSharingMasks } from '../../consent/access/partner-gate.sql.ts';
import type { PartnerAccess } from '../../consent/access/partner-access.ts';
import type { RedactedRow } from '../../clinical/labels/redact.ts';
import { sql } from '../../platform/db/sql.ts';
import {
  resourceIsCovered,
  resourceIsShared,
  selectSharedBody,
  versionIsCovered,
} from './resource-labels.sql.ts';

/** Selects a resource; under a consent that leaves something out, as it was before a batch that is being labeled. */
export const selectResource = (
  access: PartnerAccess,
  { type, id, now }: { type: string; id: string; now: Date },
) => sql<RedactedRow & { body: string; withheld: number[] }>`
  with ${buildPartnerGate(access, now)}
  select found.*, (select array_agg(withheld) from gate) as withheld
  from (
    select r.body, ${selectPublishedLabels('n')}
    from resource r left join resource_label n on n.patient_id = ${access.patientId} and n.seq = r.seq
    where r.patient_id = ${access.patientId} and r.resource_type = ${type} and r.fhir_id = ${id} and ${resourceIsCovered(access)}
    union all
    select b.body, b.required_labels, b.redactions
    from resource r join resource_version b on b.patient_id = ${access.patientId} and b.seq = r.seq
    where r.patient_id = ${access.patientId} and r.resource_type = ${type} and r.fhir_id = ${id} and ${versionIsCovered(access)}) found`;

/** At most this many records with the same id are compared; a read is an entry in the log of each of their patients. */
export const MAX_RECORDS = 100;

export interface SharedResourceRow extends RedactedRow {
  patient_id: PatientId;
  body: string;
  /** The masks of what the consents leave out. */
  withheld: number[];
}

/**
 * Selects the resources of a type and id that the organization may read now, each with what the consents of its patient leave out of it,
 * and one more than are compared.
 */
export const selectSharedResources = (
  reach: OrganizationReach,
  { type, id, now }: { type: string; id: string; now: Date },
) => sql<SharedResourceRow>`
  select r.patient_id, found.*, g.withheld
  from (
    select r.patient_id, r.seq, r.last_updated, r.body from resource r
    where r.resource_type = ${type} and r.fhir_id = ${id} and ${resourceIsShared(reach, now)}
    order by r.patient_id limit ${MAX_RECORDS + 1}) r
  cross join lateral (
    select ${selectSharingMasks({ reach, patientId: sql`r.patient_id`, now })} as withheld offset 0) g
  cross join lateral (${selectSharedBody()}) found
  order by r.patient_id`;

/** Selects whose records hold the resource that the organization may read now: two at most, which are one too many. */
export const selectSharingOwners = (
  reach: OrganizationReach,
  { type, id, now }: { type: string; id: string; now: Date },
) => sql<{ patient_id: PatientId }>`
  select r.patient_id from resource r
  where r.resource_type = ${type} and r.fhir_id = ${id} and ${resourceIsShared(reach, now)}
  order by r.patient_id limit 2`;
