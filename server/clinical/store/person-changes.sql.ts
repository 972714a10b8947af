import type { DataMask, PatientId } from '../../../contract/brands.ts';
import type { RecordChange } from '../../consent/access/record-change.ts';
import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { bigintArray, integerArray } from '../../platform/db/array-values.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';
import { getPublishedLabels } from './published-labels.sql.ts';

/**
 * The Person above a record shows its account, and links to its Patients. A Patient that goes, or is withheld, leaves no time of its
 * own: when that was is kept by what a consent had to cover to see the Patient.
 *
 * An expression for `person_changes`, with those of these resources that are Patients and are about to be others.
 */
export const withPersonChanges = (patientId: PatientId, seqs: readonly number[], now: Date): Sql => sql`
  case when exists (select from (${selectPatients(patientId, seqs)}) found)
    then coalesce(person_changes, '{}') || (
      select jsonb_object_agg(labels, ${now.toISOString()}::text) from (${selectPatients(patientId, seqs)}) found)
    else person_changes end`;

const selectPatients = (patientId: PatientId, seqs: readonly number[]): Sql => sql`
  select distinct ${getPublishedLabels('l')}::text as labels from resource_label l
  cross join lateral (
    select from resource
    where patient_id = ${patientId} and seq between l.seq and l.seq and resource_type = 'Patient' order by seq offset 0) r
  where l.patient_id = ${patientId} and l.seq = any(${bigintArray(seqs)})`;

/** Keeps when Patients among these resources are about to be others. */
export const notePersonChanges = (patientId: PatientId, seqs: readonly number[], now: Date) => sql`
  update record_head set person_changes = ${withPersonChanges(patientId, seqs, now)} where patient_id = ${patientId}`;

/** Keeps when Patients got other labels with other content: those who went by the former may not see them any more. */
export const noteFormerPatients = (patientId: PatientId, labels: readonly DataMask[], now: Date) => sql`
  update record_head set person_changes = coalesce(person_changes, '{}') || (
    select jsonb_object_agg(mask::text, ${now.toISOString()}::text) from unnest(${integerArray(labels)}) given(mask))
  where patient_id = ${patientId}`;

/** Lists the labels that Patients had, where they have other ones. */
export const listFormerLabels = (
  changes: readonly { before: DataMask | null; after: DataMask; is_patient: boolean }[],
): DataMask[] => [
  ...new Set(
    changes.flatMap(({ before, after, is_patient: isPatient }) =>
      isPatient && before !== null && before !== after ? before : [],
    ),
  ),
];

const DEMOGRAPHICS = labelBit('DEMOGRAPHICS');

/** What it is to readers that the account says something else. */
export const ACCOUNT_CHANGE: RecordChange = { before: DEMOGRAPHICS, after: DEMOGRAPHICS, part: null };

/**
 * Notes that the account says something else of the person, after all that anybody has read of the record. A record that nothing has
 * come into has no time still. While a batch is labeled, whoever reads by labels sees no time from after it began: they are notified
 * again when it ends.
 */
export const touchPerson = (patientId: PatientId, { now, createdAt }: { now: Date; createdAt: Date }) => sql<{
  changed_at: Date;
}>`
  update record_head set version = version + 1, last_synchronized_at = case when last_synchronized_at is not null then n.at end,
    person_changes = coalesce(person_changes, '{}') || jsonb_build_object(${String(DEMOGRAPHICS)}::text,
      to_char(n.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
    unannounced_changes = case when labeled_until is null then unannounced_changes
      else coalesce(unannounced_changes, '[]') || ${JSON.stringify([ACCOUNT_CHANGE])}::jsonb end
  from (
    select greatest(${now}::timestamptz, coalesce(h.last_synchronized_at, ${createdAt}) + interval '1 millisecond') as at
    from record_head h
    where h.patient_id = ${patientId} for update) n
  where patient_id = ${patientId}
  returning n.at as changed_at`;
