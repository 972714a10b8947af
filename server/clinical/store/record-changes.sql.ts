import type { BatchId, DataMask, PatientId } from '../../../contract/brands.ts';
import type { RecordChange } from '../../consent/access/record-change.ts';
import { sql } from '../../platform/db/sql.ts';

/** Reads `unannounced_changes`. */
export const parseChanges = (unannounced: string | null): RecordChange[] =>
  unannounced === null ? [] : (JSON.parse(unannounced) as RecordChange[]);

/** Forgets what readers have been notified of. */
export const clearUnannounced = (patientId: PatientId) => sql`
  update record_head set unannounced_changes = null where patient_id = ${patientId}`;

export interface LabelChangeRow {
  before: DataMask | null;
  after: DataMask;
  is_patient: boolean;
}

/**
 * Selects what the resources that this batch was the last to change require, and what they did before it changed them after `since`
 * (null: they were not there), each pair once; no rows when there are none. What a batch that failed has left without labels
 * requires all.
 */
export const selectBatchChanges = (
  patientId: PatientId,
  { batchId, since }: { batchId: BatchId; since: Date | null },
) => sql<LabelChangeRow>`
  select distinct b.required_labels as before, coalesce(n.required_labels, -1) as after, r.resource_type = 'Patient' as is_patient
  from resource r left join lateral (
    select required_labels from resource_label where patient_id = ${patientId} and seq = r.seq offset 0) n on true
  left join lateral (
    select required_labels from resource_version
    where patient_id = ${patientId} and seq = r.seq and valid_until > ${since} and r.first_batch_id <> r.last_batch_id offset 0) b on true
  where r.patient_id = ${patientId} and r.last_batch_id = ${batchId}`;

/**
 * Selects what a batch that failed has changed since `since`, by the labels from before it, now that it is labeled: who reads by
 * labels sees it first. What has other labels alone is published as such.
 */
export const selectLateChanges = (patientId: PatientId, since: Date) => sql<LabelChangeRow>`
  select distinct b.required_labels as before, coalesce(n.required_labels, -1) as after, r.resource_type = 'Patient' as is_patient
  from resource r
  left join lateral (
    select required_labels from resource_label where patient_id = ${patientId} and seq = r.seq offset 0) n on true
  left join lateral (
    select required_labels, body from resource_version
    where patient_id = ${patientId} and seq = r.seq and valid_from <= ${since} and valid_until > ${since} offset 0) b on true
  where r.patient_id = ${patientId} and r.last_updated > ${since} and r.body is distinct from b.body`;
