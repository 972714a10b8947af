import type { DataMask, PatientId } from '../../../contract/brands.ts';
import { sql, type Sql } from '../../platform/db/sql.ts';

/** The report that a document names as holding the same note. */
const reportReference = sql`
  case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end`;

export interface NoteKeyRow {
  seq: number;
  /** What resources that hold one note have in common: `text` with its text and visit, or `link` with the name of the report. */
  key: string;
  is_document: boolean;
}

/**
 * Finds the documents and reports of a record that hold the same notes, by what they have in common, and documents that name a report
 * which holds no note itself; none where no note has a restricted class that the others could lack.
 */
export const findNoteKeys = (patientId: PatientId, restricted: DataMask) => sql<NoteKeyRow>`
  with note as (
    select distinct seq, key, is_document
    from (
      select seq, reference like 'DocumentReference/%' as is_document, group_key, reference, same_as from clinical_entry
      where patient_id = ${patientId} and kind = 'note'
        and (reference like 'DocumentReference/%' or reference like 'DiagnosticReport/%')
        and exists (select from clinical_entry
          where patient_id = ${patientId} and kind = 'note' and required_labels & ${restricted}::integer <> 0)) e,
      unnest(array['text ' || group_key, 'link ' || case when is_document then ${reportReference} else reference end]) as key
    where key is not null)
  select seq, key, is_document
  from (
    select seq, key, is_document, bool_or(is_document) over (partition by key) as is_of_document,
      bool_and(is_document) over (partition by key) as is_of_documents from note) keyed
  where is_of_document and (not is_of_documents or key like 'link DiagnosticReport/%') order by seq, key`;

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
