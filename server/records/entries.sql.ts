import type { PatientId } from '../../contract/ids.ts';
import { bitOf } from '../consent/data-classes.ts';
import { sql } from '../storage/sql.ts';
import type { Entry, ObservationDetail } from './entry.ts';

/** An entry with its place: the resource it was read from, and which of that resource's entries it is. */
export interface PlacedEntry {
  seq: number;
  ordinal: number;
  /** `Type/id`. */
  reference: string;
  /** The document the resource came in. */
  documentPath: string;
  /** What a consent must cover for it to be shown: its category, and its restricted classes. */
  needs: number;
  entry: Entry;
}

const rowOf = ({ seq, ordinal, reference, documentPath, needs, entry }: PlacedEntry) => ({
  seq,
  ordinal,
  kind: entry.kind,
  category: entry.category,
  needs,
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
  visit_needs: entry.organizationWithoutVisit === undefined ? null : bitOf('VISITS'),
  organization_without_visit: entry.organizationWithoutVisit ?? null,
  reference,
  document_path: documentPath,
  detail: entry.detail,
  vital: entry.kind === 'vital' && holdsValue(entry.detail) ? entry.detail.vital : null,
  same_as: entry.kind === 'note' ? entry.detail.sameAs : null,
});

const holdsValue = ({ value, components }: ObservationDetail): boolean =>
  value !== null || components.length > 0;

/** `seqs` ascending: their range keeps to the primary key, where `any` alone took 5 ms a page to delete nothing. */
export const deleteEntries = (patientId: PatientId, seqs: readonly number[]) => sql<{ seq: number }>`
  delete from clinical_entry
  where patient_id = ${patientId} and seq between ${seqs[0] ?? 0} and ${seqs.at(-1) ?? 0} and seq = any(${seqs}::bigint[])
  returning seq`;

export const insertEntries = (patientId: PatientId, entries: readonly PlacedEntry[]) => sql`
  insert into clinical_entry (patient_id, seq, ordinal, kind, category, needs, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, visit_needs, organization_without_visit, reference, document_path, detail, vital, same_as)
  select ${patientId}, seq, ordinal, kind, category, needs, title, code, day, day_text, time, end_text, status,
    current, group_key, visit, organization, visit_needs, organization_without_visit, reference, document_path, detail, vital, same_as
  from json_populate_recordset(null::clinical_entry, ${JSON.stringify(entries.map(rowOf))}::json)`;

/**
 * A note is kept as often as the record holds it and shown once: a report is hidden behind the document that names it, or
 * that holds the same text of the same visit. By link too, since the two may differ by a line.
 */
export const markDuplicateNotes = (patientId: PatientId) => sql`
  with document as materialized (
    select group_key, needs,
      case when same_as like 'urn:uuid:%' then 'DiagnosticReport/' || substr(same_as, 10) else same_as end as names
    from clinical_entry where patient_id = ${patientId} and kind = 'note' and reference like 'DocumentReference/%'),
  report as materialized (
    select seq, ordinal, group_key, reference, instead_of from clinical_entry
    where patient_id = ${patientId} and kind = 'note' and reference like 'DiagnosticReport/%'),
  same as (
    select r.seq, r.ordinal, d.needs from report r join document d on d.group_key = r.group_key
    union
    select r.seq, r.ordinal, d.needs from report r join document d on d.names = r.reference),
  marked as materialized (
    select r.seq, r.ordinal, array_agg(s.needs order by s.needs) filter (where s.needs is not null) as instead_of
    from report r left join same s on s.seq = r.seq and s.ordinal = r.ordinal
    group by r.seq, r.ordinal)
  update clinical_entry report set instead_of = marked.instead_of
  from marked
  where report.patient_id = ${patientId} and report.seq = marked.seq and report.ordinal = marked.ordinal
    and report.instead_of is distinct from marked.instead_of`;

export const forgetHoldings = (patientId: PatientId) =>
  sql`delete from record_holding where patient_id = ${patientId}`;

export const countHoldings = (patientId: PatientId) => sql`
  insert into record_holding (patient_id, kind, category, needs, instead_of, entries, undated, first_day, last_day)
  select ${patientId}, kind, category, needs, coalesce(instead_of, '{}'), count(*), count(*) filter (where day is null),
    min(day), max(day)
  from clinical_entry where patient_id = ${patientId}
  group by kind, category, needs, coalesce(instead_of, '{}')`;
