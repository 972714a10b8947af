import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { bigintArray, integerArray, textArray } from '../../platform/db/array-values.ts';
import type { RecordChange } from '../../consent/access/record-change.ts';
import { sql } from '../../platform/db/sql.ts';
import { withPersonChanges } from './person-changes.sql.ts';

export interface RequiredLabels {
  seq: number;
  requiredLabels: DataMask;
  /** Parts that require more, as `formatRedactions` writes them. */
  redactions: string | null;
}

/**
 * Stores what a consent must cover for each resource to be shown, where it changed. In a narrow table: as a column of
 * `resource` every row was written twice, which made an import of 25,000 take half as long again. Of a resource that readers
 * may have seen, what they go by is kept beside it until `publishLabels`: labels are lower on the way, before those that
 * others share with it are known.
 */
export const upsertRequiredLabels = (patientId: PatientId, rows: readonly RequiredLabels[]) => sql`
  insert into resource_label (patient_id, seq, required_labels, redactions, published_labels)
  select ${patientId}, n.seq, n.required_labels, n.redactions, case when r.last_updated <= h.labeled_until then -1 end
  from unnest(${bigintArray(rows.map(({ seq }) => seq))}, ${integerArray(rows.map(({ requiredLabels }) => requiredLabels))},
    ${textArray(rows.map(({ redactions }) => redactions))}) as n(seq, required_labels, redactions)
  cross join (
    select coalesce(labeled_until, 'infinity') as labeled_until from record_head where patient_id = ${patientId} offset 0) h
  cross join lateral (
    select last_updated from resource where patient_id = ${patientId} and seq between n.seq and n.seq order by seq offset 0) r
  on conflict (patient_id, seq) do update set required_labels = excluded.required_labels, redactions = excluded.redactions,
    published_labels = case when excluded.published_labels is not null
      then coalesce(resource_label.published_labels, resource_label.required_labels) end,
    published_redactions = case when excluded.published_labels is null then null
      when resource_label.published_labels is null then resource_label.redactions else resource_label.published_redactions end
  where (resource_label.required_labels, resource_label.redactions) is distinct from (excluded.required_labels, excluded.redactions)`;

/**
 * Ends the labeling of a batch: from now on, readers under consents that leave something out see what it wrote. Not where its
 * labels are not all known, because the run that labels the record has not ended: it returns no row then. Answers that were kept
 * before are old.
 */
export const endLabeling = (patientId: PatientId) => sql<{ patient_id: PatientId }>`
  update record_head set labeled_until = null, version = version + 1
  where patient_id = ${patientId} and labeled_until is not null and labeled_run = labeling_run
  returning patient_id`;

/**
 * Begins a run that labels a record, and returns its number; `is_whole`: an earlier one has not ended, so that all is labeled
 * anew. Outside of an import nobody takes it up again but who looks for records that were read before.
 */
export const beginLabelingRun = (patientId: PatientId, { isImport }: { isImport: boolean }) => sql<{
  run: number;
  is_whole: boolean;
}>`
  update record_head set labeling_run = labeling_run + 1, read_version = case when ${isImport} then read_version else 0 end
  where patient_id = ${patientId}
  returning labeling_run as run, labeled_run < labeling_run - 1 as is_whole`;

/**
 * Ends the last run: readers go by the labels that entries have now. Where a batch is being written meanwhile, of which the run
 * has labeled a part at most, it does not end: that of the batch labels all of the record.
 */
export const endLabelingRun = (patientId: PatientId, { isImport }: { isImport: boolean }) => sql`
  update record_head set labeled_run = labeling_run
  where patient_id = ${patientId} and (${isImport} or not exists (
    select from upload_batch where patient_id = ${patientId} and status in ('queued', 'processing')))`;

/** Whether the last run that labels a record has ended, and how often anybody has locked the record. */
export const findLabelingState = (patientId: PatientId) => sql<{ is_labeled: boolean; version: number }>`
  select labeled_run = labeling_run as is_labeled, version from record_head where patient_id = ${patientId}`;

/** Has a record read anew, all of it, where what a batch wrote is not labeled; returns no row where it is. */
export const requestReading = (patientId: PatientId) => sql<{ patient_id: PatientId }>`
  update record_head set read_version = 0, labeling_run = labeling_run + 1
  where patient_id = ${patientId} and (labeled_run < labeling_run or labeled_until is not null)
  returning patient_id`;

export interface UnpublishedRow {
  seq: number;
  /** The labels, or the parts that require more, are other ones than readers go by. */
  is_changed: boolean;
  required_labels: DataMask;
  redactions: string | null;
  published_labels: DataMask;
  published_redactions: string | null;
}

/** Whether a run that has not ended gave a resource other labels than readers go by; nothing names a Binary for its labels. */
export const hasRelabeled = (patientId: PatientId) => sql<{ has_relabeled: boolean }>`
  select exists (
    select from resource_label n
    cross join lateral (
      select from resource
      where patient_id = ${patientId} and seq between n.seq and n.seq and resource_type <> 'Binary' order by seq offset 0) r
    where n.patient_id = ${patientId} and n.published_labels <> n.required_labels) as has_relabeled`;

/** Finds the next resources that were labeled anew since readers could see them. */
export const findUnpublished = (patientId: PatientId, limit: number) => sql<UnpublishedRow>`
  select seq, (required_labels, redactions) is distinct from (published_labels, published_redactions) as is_changed,
    required_labels, redactions, published_labels, published_redactions
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

/** Counts a record as changed because of these resources, and keeps what readers see of it until they are notified. */
export const touchRecord = (
  patientId: PatientId,
  { now, seqs, changes }: { now: Date; seqs: readonly number[]; changes: readonly RecordChange[] },
) => sql`
  update record_head set last_synchronized_at = ${now}, person_changes = ${withPersonChanges(patientId, seqs, now)},
    unannounced_changes = (
    select jsonb_agg(distinct change)
    from jsonb_array_elements(coalesce(unannounced_changes, '[]') || ${JSON.stringify(changes)}::jsonb) as each(change))
  where patient_id = ${patientId}`;

/** Has readers go by the labels that resources have now. */
export const publishLabels = (patientId: PatientId, seqs: readonly number[]) => sql`
  update resource_label set published_labels = null, published_redactions = null
  where patient_id = ${patientId} and seq = any(${bigintArray(seqs)})`;
