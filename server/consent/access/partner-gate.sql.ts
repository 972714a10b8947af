import type { ResourceScope } from '../../../contract/data-categories.ts';
import { toLabelMask } from './sensitivity-labels.ts';
import { raw, sql, type Sql } from '../../platform/db/sql.ts';
import type { PartnerAccess } from './partner-access.ts';
import { permitsReading } from './permits-reading.sql.ts';

/**
 * `gate (withheld, consent_record_id, project_id, decided_at)`: the consents under which the record is read at this moment,
 * for a `with` in front of the statement; no row means that nothing may be read. The patient's own reading leaves out nothing.
 */
export const buildPartnerGate = ({ patientId, organizationId }: PartnerAccess, now: Date): Sql =>
  organizationId === null
    ? sql`gate as materialized (
        select 0 as withheld, null::uuid as consent_record_id, null::uuid as project_id, created_at as decided_at
        from patient where patient_id = ${patientId})`
    : sql`gate as materialized (
        select c.withheld, c.consent_record_id, c.project_id, c.decided_at
        from enrollment e
        join consent c on c.patient_id = ${patientId} and c.project_id = e.project_id
        where e.patient_id = ${patientId} and e.organization_id = ${organizationId} and ${permitsReading(now)})`;

/** Of these needs: a consent of the gate leaves out none of them. Two that each leave out a part do not add up. */
export const gateCoversLabels = (requiredLabels: Sql): Sql => sql`
  exists (select from gate g where least(${requiredLabels} & g.withheld, 1) <> 1)`;

/** A consent leaves out nothing: then nothing else need be looked at. */
export const gateIsFull: Sql = raw('(select bool_or(withheld = 0) from gate)');

/** Of a row `r` of `resource`: covered. What was not looked at yet is covered only where nothing is left out. */
export const resourceIsCovered = ({ patientId }: PartnerAccess): Sql => sql`
  (${gateIsFull} or exists (
    select from resource_label n join gate g on least(n.required_labels & g.withheld, 1) <> 1
    where n.patient_id = ${patientId} and n.seq = r.seq))`;

/** Whether one consent of the gate covers all of these categories. */
export const gateCovers = (...categories: ResourceScope[]): Sql => sql`
  exists (select from gate where withheld & ${toLabelMask(categories)}::integer = 0)`;

/**
 * For a read by `Type/id`, where the patient is not named: the consents of a row `r` of `resource` with its patient's
 * needs, that permit the organization to see it.
 */
export const isSharedWith = (organizationId: string, now: Date): Sql => sql`
  exists (
    select from enrollment e join consent c on c.patient_id = r.patient_id and c.project_id = e.project_id
    where e.patient_id = r.patient_id and e.organization_id = ${organizationId} and ${permitsReading(now)}
      and (c.withheld = 0 or exists (
        select from resource_label n where n.patient_id = r.patient_id and n.seq = r.seq
          and least(n.required_labels & c.withheld, 1) <> 1)))`;
