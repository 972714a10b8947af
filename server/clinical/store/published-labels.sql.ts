import type { PatientId } from '../../../contract/brands.ts';
import { bigintArray } from '../../platform/db/array-values.ts';
import { sql } from '../../platform/db/sql.ts';

/** Ends the labeling of a batch: from now on, readers under consents that leave something out see what it wrote. */
export const endLabeling = (patientId: PatientId) => sql`
  update record_head set labeled_until = null where patient_id = ${patientId} and labeled_until is not null`;

export interface UnpublishedRow {
  seq: number;
  /** The labels, or the parts that require more, are other ones than readers go by. */
  is_changed: boolean;
}

/** Finds the next resources that were labeled anew since readers could see them. */
export const findUnpublished = (patientId: PatientId, limit: number) => sql<UnpublishedRow>`
  select seq, (required_labels, redactions) is distinct from (published_labels, published_redactions) as is_changed
  from resource_label where patient_id = ${patientId} and published_labels is not null order by seq limit ${limit}`;

/**
 * Stores the present versions of resources that were labeled anew: an earlier state shows them where both the old labels and
 * the new ones are covered, without the parts that are left out now.
 */
export const insertRelabeledVersions = (patientId: PatientId, seqs: readonly number[], now: Date) => sql`
  insert into resource_version (patient_id, seq, resource_type, fhir_id, body, first_day, last_day, required_labels, redactions,
    valid_from, valid_until)
  select r.patient_id, r.seq, r.resource_type, r.fhir_id, r.body, r.first_day, r.last_day, n.required_labels | n.published_labels,
    n.redactions, r.last_updated, ${now}
  from resource r cross join lateral (
    select required_labels, published_labels, redactions from resource_label
    where patient_id = ${patientId} and seq = r.seq offset 0) n
  where r.patient_id = ${patientId} and r.seq = any(${bigintArray(seqs)})`;

/** Counts resources as changed. */
export const touchResources = (patientId: PatientId, seqs: readonly number[], now: Date) => sql`
  update resource set last_updated = ${now} where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;

export const touchRecord = (patientId: PatientId, now: Date) => sql`
  update record_head set last_synchronized_at = ${now} where patient_id = ${patientId}`;

/** Has readers go by the labels that resources have now. */
export const publishLabels = (patientId: PatientId, seqs: readonly number[]) => sql`
  update resource_label set published_labels = null, published_redactions = null
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;
