import type { PatientId } from '../../../contract/brands.ts';
import { labelBit } from '../../consent/access/sensitivity-labels.ts';
import { sql } from '../../platform/db/sql.ts';
import { reportReference } from '../linkage/duplicate-notes.sql.ts';
import type { Entry, ObservationDetail } from './entry.ts';

/** An entry with its place: the resource it was read from, and which of that resource's entries it is. */
export interface NewEntry {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  /** The document the resource came in. */
  documentPath: string;
  /** What a consent must cover for it to be shown: its category, and its restricted classes. */
  requiredLabels: number;
  /** The server or the document of one upload that tells it, as a UUID; else its document's path stands for it. */
  sourceKey?: string;
  entry: Entry;
}

const toRow = ({ seq, ordinal, reference, documentPath, requiredLabels, sourceKey, entry }: NewEntry) => ({
  seq,
  ordinal,
  kind: entry.kind,
  category: entry.category,
  required_labels: requiredLabels,
  title: entry.title,
  code: entry.code,
  day: entry.day,
  day_text: entry.dayText,
  time: entry.time,
  end_text: entry.endText,
  status: entry.status,
  current: entry.current,
  group_key: entry.groupKey,
  visit: entry.visit,
  organization: entry.organization,
  visit_labels: entry.organizationWithoutVisit === undefined ? null : labelBit('VISITS'),
  organization_without_visit: entry.organizationWithoutVisit ?? null,
  reference,
  document_path: documentPath,
  detail: entry.detail,
  vital: entry.kind === 'vital' && hasValue(entry.detail) ? entry.detail.vital : null,
  same_as: entry.kind === 'note' ? entry.detail.sameAs : null,
  source_key: sourceKey ?? null,
  names: entry.names ?? null,
});

const hasValue = ({ value, components }: ObservationDetail): boolean =>
  value !== null || components.length > 0;

/** `seqs` ascending: their range keeps to the primary key, where `any` alone took 5 ms a page to delete nothing. */
export const deleteEntries = (patientId: PatientId, seqs: readonly number[]) => sql<{ seq: number }>`
  delete from clinical_entry
  where patient_id = ${patientId} and seq between ${seqs[0] ?? 0} and ${seqs.at(-1) ?? 0} and seq = any(${seqs}::bigint[])
  returning seq`;

export const insertEntries = (patientId: PatientId, entries: readonly NewEntry[]) => sql`
  insert into clinical_entry (patient_id, seq, ordinal, kind, category, required_labels, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, visit_labels, organization_without_visit, reference, document_path, detail, vital, same_as,
    source_key, names)
  select ${patientId}, seq, ordinal, kind, category, required_labels, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, visit_labels, organization_without_visit, reference, document_path, detail, vital, same_as,
    source_key, names
  from json_populate_recordset(null::clinical_entry, ${JSON.stringify(entries.map(toRow))}::json)`;

/**
 * A note is kept as often as the record holds it and shown once: a report is hidden behind the document that names it, or
 * that holds the same text of the same visit. By link too, since the two may differ by a line. Matched by sorting both
 * under one key: as a join, without statistics in a first import, it compared each with each.
 */
const matchDuplicateNotes = (patientId: PatientId) => sql`
  told as materialized (
    select key, array_agg(distinct required_labels order by required_labels) as required_labels
    from clinical_entry, unnest(array['text ' || group_key, 'link ' || ${reportReference}]) as key
    where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%' and key is not null
    group by key),
  matched as (
    select seq, ordinal, max(required_labels) over (partition by key) as required_labels
    from (
      select key, required_labels, null::bigint as seq, null::integer as ordinal from told
      union all
      select key, null, seq, ordinal
      from clinical_entry, unnest(array['text ' || group_key, 'link ' || reference]) as key
      where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%') side_by_side),
  marked as materialized (
    select seq, ordinal, array_agg(distinct better order by better) filter (where better is not null) as superseded_by
    from matched left join lateral unnest(required_labels) as better on true
    where seq is not null group by seq, ordinal)`;

export const updateDuplicateNotes = (patientId: PatientId) => sql`
  with ${matchDuplicateNotes(patientId)}
  update clinical_entry report set superseded_by = marked.superseded_by
  from marked
  where report.patient_id = ${patientId} and report.seq = marked.seq and report.ordinal = marked.ordinal
    and report.superseded_by is distinct from marked.superseded_by`;

/** The same as an answer, for a record in which other sources have a say in what is shown. */
export const findDuplicateNotes = (patientId: PatientId) => sql<{
  seq: number;
  ordinal: number;
  superseded_by: number[];
}>`
  with ${matchDuplicateNotes(patientId)}
  select seq, ordinal, superseded_by from marked where superseded_by is not null`;

export const deleteHoldings = (patientId: PatientId) =>
  sql`delete from record_holding where patient_id = ${patientId}`;

export const insertHoldings = (patientId: PatientId) => sql`
  insert into record_holding (patient_id, kind, category, required_labels, superseded_by, entries, undated, first_day, last_day)
  select ${patientId}, kind, category, required_labels, coalesce(superseded_by, '{}'), count(*), count(*) filter (where day is null),
    min(day), max(day)
  from clinical_entry where patient_id = ${patientId}
  group by kind, category, required_labels, coalesce(superseded_by, '{}')`;
