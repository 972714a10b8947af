import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** The report that a document names as holding the same note. */
const reportReference = sql`
  case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end`;

/** Finds the documents of a record that have a restricted class. */
export const findRestrictedDocuments = (patientId: PatientId, restricted: DataMask) => sql<{
  group_key: string;
  names: string | null;
  required_labels: DataMask;
}>`
  select group_key, ${reportReference} as names, bit_or(required_labels & ${restricted}::integer) as required_labels
  from clinical_entry
  where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'
    and required_labels & ${restricted}::integer <> 0
  group by 1, 2`;

/** Finds the documents that lack a class of the report that holds the same note, and what they lack. */
export const findUnderlabeledDocuments = (patientId: PatientId, restricted: DataMask) => sql<{
  seq: number;
  required_labels: DataMask;
}>`
  with report as materialized (
    select key, bit_or(required_labels & ${restricted}::integer) as required_labels
    from clinical_entry, unnest(array['text ' || group_key, 'link ' || reference]) as key
    where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%'
      and required_labels & ${restricted}::integer <> 0
    group by key),
  matched as (
    select seq, max(theirs) over (partition by key) & ~own as required_labels
    from (
      select key, required_labels as theirs, null::bigint as seq, null::integer as own from report
      union all
      select key, null, seq, required_labels
      from clinical_entry, unnest(array['text ' || group_key, 'link ' || ${reportReference}]) as key
      where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%' and key is not null
        and exists (select from report)) side_by_side)
  select seq, bit_or(required_labels) as required_labels from matched
  where seq is not null and required_labels <> 0 group by seq order by seq`;

/**
 * A note is stored as often as the record holds it and shown once: a report is superseded by the document that names it, or
 * that holds the same text of the same visit. By link too, since the two may differ by a line. Both are sorted under one
 * key: a join, without statistics in a first import, compared each with each.
 */
export const selectDuplicateNotes = (patientId: PatientId): Sql => sql`
  with document_mask as materialized (
    select key, array_agg(distinct required_labels order by required_labels) as required_labels
    from clinical_entry, unnest(array['text ' || group_key, 'link ' || ${reportReference}]) as key
    where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%' and key is not null
    group by key),
  matched as (
    select seq, ordinal, max(required_labels) over (partition by key) as required_labels
    from (
      select key, required_labels, null::bigint as seq, null::integer as ordinal from document_mask
      union all
      select key, null, seq, ordinal
      from clinical_entry, unnest(array['text ' || group_key, 'link ' || reference]) as key
      where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%') side_by_side),
  report as materialized (
    select seq, ordinal, array_agg(distinct mask order by mask) filter (where mask is not null) as superseded_by
    from matched left join lateral unnest(required_labels) as mask on true
    where seq is not null group by seq, ordinal)
  select seq, ordinal, superseded_by from report`;

/** Returns the reports that are superseded, for a record in which other sources have a say in what is shown. */
export const findDuplicateNotes = (patientId: PatientId) => sql<{
  seq: number;
  ordinal: number;
  superseded_by: number[];
}>`
  select seq, ordinal, superseded_by from (${selectDuplicateNotes(patientId)}) report where superseded_by is not null`;
