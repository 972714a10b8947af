import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { buildOwnGate } from '../../consent/access/withheld.sql.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { getPublishedLabels, selectPublishedLabels } from './published-labels.sql.ts';

// Reads without a consent: for the person themself, whose access to their own record depends on none.

/** A condition on a row of `resource`: the person's own record holds it. */
const isOwn = (patientId: PatientId): Sql => sql`
  ((select withheld from own) = 0 or exists (
    select from resource_label n where n.patient_id = ${patientId} and n.seq = resource.seq
      and ${getPublishedLabels('n')} & (select withheld from own) = 0))`;

/** The next type, in alphabetical order, that the record has resources of. */
export const selectNextType = (patientId: PatientId, after: string) => sql<{ resource_type: string }>`
  with ${buildOwnGate(patientId)}
  select resource_type from resource
  where patient_id = ${patientId} and resource_type > ${after} and ${isOwn(patientId)}
  order by resource_type limit 1`;

export interface OwnBodyRow {
  seq: number;
  fhir_id: string;
  body: string;
  required_labels: DataMask | null;
  redactions: string | null;
  /** The mask of what is left out. */
  withheld: DataMask;
}

/** Bodies of one type by id, as many as fit into `bytes`, at least one: a body may have 32 MiB, most have 2 KiB. */
export const selectBodiesOfType = (
  patientId: PatientId,
  page: { type: string; after: string; limit: number; bytes: number },
) => sql<OwnBodyRow>`
  with ${buildOwnGate(patientId)}
  select seq, fhir_id, body, (select withheld from own) as withheld, l.required_labels, l.redactions
  from (
    select seq, fhir_id, body, sum(octet_length(body)) over (order by fhir_id) - octet_length(body) as before
    from (
      select seq, fhir_id, body from resource
      where patient_id = ${patientId} and resource_type = ${page.type} and fhir_id > ${page.after} and ${isOwn(patientId)}
      order by fhir_id limit ${page.limit}) page) sized
  left join lateral (
    select ${selectPublishedLabels('n')} from resource_label n
    where (select withheld from own) <> 0 and n.patient_id = ${patientId} and n.seq = sized.seq) l on true
  where before < ${page.bytes}
  order by fhir_id`;

/** Sums the lengths of the bodies, with those that are kept of what was replaced, without reading them. */
export const sumBodyBytes = (patientId: PatientId) => sql<{ bytes: number }>`
  select (select coalesce(sum(octet_length(body)), 0) from resource where patient_id = ${patientId})::bigint
    + (select coalesce(sum(octet_length(body)), 0) from replaced_resource where patient_id = ${patientId})::bigint as bytes`;

/** Finds the first Patients of a record, and where each is from. */
export const findPatients = (patientId: PatientId, limit: number) => sql<{ origin: string; body: string }>`
  select origin, body from resource where patient_id = ${patientId} and resource_type = 'Patient' order by fhir_id limit ${limit}`;
